package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.StartRequests;
import dev.flowstone.testkit.simulation.world.World;
import java.util.Optional;

/** Somebody starts a run, mostly with a request id. */
final class StartRun implements Action {
    private static final int MOST = 10;

    @Override
    public int weight() {
        return 7;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        int number = world.clients().requests().size();
        if (number > MOST) {
            return false;
        }
        Optional<String> id = dice.percent(70) ? Optional.of("request-" + number) : Optional.empty();
        Published workflow = dice.pick(world.workflows());
        StartRequest request = StartRequests.of(workflow, dice, id);
        return Somebody.asks(world, dice, StartRequests.about(world, workflow, dice, request));
    }
}
