package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Strikes;
import dev.flowstone.testkit.simulation.world.World;

/** The connection breaks in a transaction's COMMIT, after it became durable: nobody knows the outcome. */
final class TransactionLostAfter implements Fault {
    @Override
    public int weight() {
        return 3;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return Strikes.onAnyTransaction(world, name(), (request, work, to) -> {
            if (to.execute(request, work) instanceof Transactions.Outcome.Undone) {
                throw new JournalException.Unavailable("the connection broke in ROLLBACK");
            }
            throw new JournalException.UnknownOutcome("the connection broke");
        });
    }
}
