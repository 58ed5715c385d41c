package dev.flowstone.testkit.simulation.fault;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.Strikes;
import dev.flowstone.testkit.simulation.world.World;

/** The connection breaks in a transaction's COMMIT, before it became durable: nobody knows the outcome. */
final class TransactionLostBefore implements Fault {
    @Override
    public int weight() {
        return 3;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        return Strikes.onAnyTransaction(world, name(), (request, work, to) -> {
            Uncommitted uncommitted = new Uncommitted(work);
            try {
                to.execute(request, uncommitted);
            } catch (MutationException e) {
                if (!uncommitted.reached) {
                    throw e;
                }
            }
            throw uncommitted.reached
                    ? new JournalException.UnknownOutcome("the connection broke")
                    : new JournalException.Unavailable("the connection broke in ROLLBACK");
        });
    }

    /** Comes as far as the commit, which doesn't take place. */
    private static final class Uncommitted implements Transactions.Work {
        private final Transactions.Work work;
        private boolean reached;

        Uncommitted(Transactions.Work work) {
            this.work = work;
        }

        @Override
        public void lock(SubjectTransaction transaction) throws Exception {
            work.lock(transaction);
        }

        @Override
        public TaskResult run(SubjectTransaction transaction) throws Exception {
            return work.run(transaction);
        }

        @Override
        public boolean mayCommit() {
            reached = work.mayCommit();
            return false;
        }
    }
}
