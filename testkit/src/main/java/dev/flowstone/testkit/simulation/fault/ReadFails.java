package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** The database can't be reached when a node reads. */
final class ReadFails implements Fault {
    @Override
    public int weight() {
        return 2;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return dice.pick(world.nodes()).strikes().onRead(name(), () -> {
            throw new JournalException.Unavailable("the network is down");
        });
    }
}
