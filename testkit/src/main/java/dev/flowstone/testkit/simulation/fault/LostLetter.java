package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** A letter to another process isn't stored there, and its sender knows. */
final class LostLetter implements Fault {
    @Override
    public int weight() {
        return 8;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return dice.pick(world.nodes()).strikes().onLetter(name(), (letter, inbox) -> {
            throw new JournalException.Unavailable("the database is away");
        });
    }
}
