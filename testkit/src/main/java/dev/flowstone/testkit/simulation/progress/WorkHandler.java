package dev.flowstone.testkit.simulation.progress;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** A handler begins, or answers; of those that are due any may be the next. */
final class WorkHandler implements Progress {
    @Override
    public int weight() {
        return 25;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return dice.pick(world.nodes()).work(dice.below(1_000));
    }
}
