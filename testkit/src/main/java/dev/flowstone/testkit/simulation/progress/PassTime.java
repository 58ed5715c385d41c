package dev.flowstone.testkit.simulation.progress;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;
import java.time.Instant;

/** Time passes: a moment, or until something is due. */
final class PassTime implements Progress {
    private static final Duration FAR = Duration.ofMinutes(10);

    @Override
    public int weight() {
        return 14;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        Instant next = world.next();
        boolean leap = dice.percent(60)
                && next.isAfter(world.now())
                && next.isBefore(world.now().plus(FAR));
        world.advance(leap ? Duration.between(world.now(), next) : dice.millis(1, 2_000));
        return true;
    }
}
