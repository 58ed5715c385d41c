package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** A node's clock goes wrong, forward or back; one that is slow trusts leases that have run out. */
final class ClockSkew implements Fault {
    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        world.struck(name());
        dice.pick(world.nodes()).skew(dice.millis(-60_000, 60_000));
        return true;
    }
}
