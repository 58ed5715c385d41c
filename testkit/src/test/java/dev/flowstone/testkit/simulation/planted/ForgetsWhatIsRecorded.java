package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.testkit.simulation.world.Tampering;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** Whoever takes over a shard isn't told which transactions are recorded, and takes them for lost. */
public final class ForgetsWhatIsRecorded implements Tampering {
    @Override
    public Transactions transactions(Ports database) {
        return new Transactions() {
            @Override
            public Outcome execute(TransactionRequest request, Work work) throws Exception {
                return database.transactions().execute(request, work);
            }

            @Override
            public Optional<Outcome.Recorded> find(TransactionRequest request) throws Exception {
                return database.transactions().find(request);
            }

            @Override
            public Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) {
                return Set.of();
            }

            @Override
            public int atOnce() {
                return database.transactions().atOnce();
            }
        };
    }
}
