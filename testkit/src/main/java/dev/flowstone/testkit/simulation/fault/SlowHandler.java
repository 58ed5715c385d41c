package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Strikes;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;

/** A handler takes longer than its attempt may; it answers all the same. */
final class SlowHandler implements Fault {
    @Override
    public int weight() {
        return 6;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        int late = dice.between(25, 60);
        return dice.pick(world.nodes())
                .strikes()
                .onHandler(name(), result -> new Strikes.Call(result, Duration.ofSeconds(late), false));
    }
}
