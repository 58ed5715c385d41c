package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.StartRequests;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/** Somebody takes a request id that was used already, perhaps for another workflow. */
final class ReuseRequestId implements Action {
    @Override
    public int weight() {
        return 2;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        List<StartRequest> named = world.clients().requests().stream()
                .filter(request -> request.requestId().isPresent())
                .toList();
        if (named.isEmpty()) {
            return false;
        }

        Published workflow = dice.pick(world.workflows());
        StartRequest other = StartRequests.of(workflow, dice, dice.pick(named).requestId());
        return Somebody.asks(world, dice, StartRequests.about(world, workflow, dice, other));
    }
}
