package dev.flowstone.testkit.simulation.progress;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** A worker in another process claims attempts, says that it lives, or answers. */
final class WorkOutside implements Progress {
    @Override
    public int weight() {
        return 16;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return dice.pick(world.workers()).work(dice.below(1_000));
    }
}
