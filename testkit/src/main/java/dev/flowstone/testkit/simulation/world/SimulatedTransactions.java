package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** One node's way to transactions with subjects: faults strike here, and every one that is committed is watched. */
final class SimulatedTransactions implements Transactions {
    private final World world;
    private final Strikes strikes;
    private final Transactions database;

    SimulatedTransactions(World world, Strikes strikes, Transactions database) {
        this.world = world;
        this.strikes = strikes;
        this.database = database;
    }

    @Override
    public Outcome execute(TransactionRequest request, Work work) throws Exception {
        return strikes.transaction(request, work, this::store);
    }

    private Outcome store(TransactionRequest request, Work work) throws Exception {
        Watched watched = new Watched(work);
        Outcome outcome = database.execute(request, watched);
        if (outcome instanceof Outcome.Recorded recorded && watched.ran) {
            world.mutations()
                    .committed(
                            request,
                            TransactionMessage.read(recorded.message().content())
                                    .subjectVersion());
        }
        return outcome;
    }

    @Override
    public Optional<Outcome.Recorded> find(TransactionRequest request) throws Exception {
        strikes.read();
        return database.find(request);
    }

    @Override
    public Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) throws JournalException {
        strikes.read();
        return database.recorded(lease, keys);
    }

    @Override
    public int atOnce() {
        return database.atOnce();
    }

    /** Tells whether the handler has done its part now, and not before. */
    private static final class Watched implements Work {
        private final Work work;
        private boolean ran;

        Watched(Work work) {
            this.work = work;
        }

        @Override
        public void lock(SubjectTransaction transaction) throws Exception {
            work.lock(transaction);
        }

        @Override
        public TaskResult run(SubjectTransaction transaction) throws Exception {
            ran = true;
            return work.run(transaction);
        }

        @Override
        public boolean mayCommit() {
            return work.mayCommit();
        }
    }
}
