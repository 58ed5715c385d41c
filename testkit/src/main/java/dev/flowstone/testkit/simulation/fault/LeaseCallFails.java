package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** The database can't be reached when a node takes, renews or returns a lease. */
final class LeaseCallFails implements Fault {
    @Override
    public int weight() {
        return 1;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return dice.pick(world.nodes()).strikes().onLease(name(), () -> {
            throw new JournalException.Unavailable("the network is down");
        });
    }
}
