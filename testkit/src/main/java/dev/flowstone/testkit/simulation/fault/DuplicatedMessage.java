package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** A message arrives twice. */
final class DuplicatedMessage implements Fault {
    @Override
    public int weight() {
        return 4;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        if (world.network().isEmpty()) {
            return false;
        }
        world.struck(name());
        world.network().duplicate(dice.below(world.network().size()));
        return true;
    }
}
