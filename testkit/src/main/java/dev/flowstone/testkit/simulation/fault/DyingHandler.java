package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Strikes;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;

/** A handler has its effect and takes its node with it. */
final class DyingHandler implements Fault {
    @Override
    public int weight() {
        return 7;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return dice.pick(world.nodes())
                .strikes()
                .onHandler(name(), result -> new Strikes.Call(result, Duration.ZERO, true));
    }
}
