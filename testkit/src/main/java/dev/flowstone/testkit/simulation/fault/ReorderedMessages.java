package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** Messages overtake each other. */
final class ReorderedMessages implements Fault {
    @Override
    public int weight() {
        return 5;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        if (world.network().size() < 2) {
            return false;
        }
        world.struck(name());
        world.network().reorder();
        return true;
    }
}
