package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.World;

/** A letter to another process is stored there, and its sender doesn't know. */
final class UnansweredLetter implements Fault {
    @Override
    public int weight() {
        return 8;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return dice.pick(world.nodes()).strikes().onLetter(name(), (letter, inbox) -> {
            inbox.accept(letter);
            throw new JournalException.Unavailable("the answer was lost");
        });
    }
}
