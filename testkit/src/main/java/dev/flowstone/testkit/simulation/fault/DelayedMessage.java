package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** A message arrives much later. */
final class DelayedMessage implements Fault {
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
        world.network().delay(dice.below(world.network().size()), dice.millis(1_000, 120_000));
        return true;
    }
}
