package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Strikes;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;

/** A letter to another process is long under way; its sender sends it again meanwhile. */
final class DelayedLetter implements Fault {
    @Override
    public int weight() {
        return 8;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return dice.pick(world.nodes())
                .strikes()
                .onPost(name(), new Strikes.Post(dice.millis(3_000, 60_000), Duration.ZERO));
    }
}
