package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** The database can't be reached when a node reads a program, perhaps in the middle of a takeover. */
final class ProgramReadFails implements Fault {
    @Override
    public int weight() {
        return 3;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return dice.pick(world.nodes()).strikes().onProgram(name(), () -> {
            throw new JournalException.Unavailable("the network is down");
        });
    }
}
