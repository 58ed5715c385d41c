package dev.flowstone.testkit.simulation.progress;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** A message arrives in the inbox. */
final class ArriveMessage implements Progress {
    @Override
    public int weight() {
        return 6;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return world.deliver();
    }
}
