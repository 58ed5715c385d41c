package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Strikes;
import dev.flowstone.testkit.simulation.world.World;

/** The database can't be reached when a decision asks a policy. */
final class PolicyReadFails implements Fault {
    @Override
    public int weight() {
        return 10;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return Strikes.onAnyPolicy(world, name(), () -> {
            throw new JournalException.Unavailable("the network is down");
        });
    }
}
