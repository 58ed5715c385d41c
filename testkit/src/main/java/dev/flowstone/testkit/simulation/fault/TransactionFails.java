package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Strikes;
import dev.flowstone.testkit.simulation.world.World;

/** A transaction with a subject can't begin: the database is away, or somebody else holds the subject. */
final class TransactionFails implements Fault {
    @Override
    public int weight() {
        return 3;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        boolean locked = dice.percent(50);
        return Strikes.onAnyTransaction(world, name(), (request, work, to) -> {
            if (locked) {
                throw new MutationException(FailureClass.RETRYABLE, MutationException.LOCKED, "somebody else holds it");
            }
            throw new JournalException.Unavailable("the database is away");
        });
    }
}
