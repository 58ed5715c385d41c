package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;
import java.util.List;

/** Somebody who isn't sure whether a start got through repeats it, perhaps while the first one is under way. */
final class RepeatStart implements Action {
    @Override
    public int weight() {
        return 4;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        List<StartRequest> named = world.clients().requests().stream()
                .filter(request -> request.requestId().isPresent())
                .toList();
        if (named.isEmpty()) {
            return false;
        }

        return Somebody.asks(world, dice, dice.pick(named));
    }
}
