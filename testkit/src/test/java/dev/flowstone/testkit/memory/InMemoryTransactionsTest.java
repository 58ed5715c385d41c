package dev.flowstone.testkit.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Transactions in memory promise what PostgreSQL's do. */
final class InMemoryTransactionsTest {
    private static final TenantId TENANT = new TenantId("acme");
    private static final Subject SUBJECT = new Subject("invoice", "7");

    private final VirtualClock clock = VirtualClock.start();
    private final Ports ports = new InMemoryDatabase(clock, 1).ports();
    private final Lease lease = lease();
    private final RunKey run = new RunKey(TENANT, RunId.of(clock.now(), new Slot(0), 1));
    private int ran;

    private Lease lease() {
        try {
            return ports.leases()
                    .acquire(ports.leases().shards().getFirst().id(), "one", Duration.ofMinutes(1))
                    .orElseThrow();
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    private TransactionRequest attempt(int number) {
        return new TransactionRequest(
                lease, run, SUBJECT, 1, ActivationId.parse("post#1"), number, Duration.ofSeconds(10));
    }

    private final class Doing implements Transactions.Work {
        private final boolean commits;

        Doing(boolean commits) {
            this.commits = commits;
        }

        @Override
        public void lock(SubjectTransaction transaction) {}

        @Override
        public TaskResult run(SubjectTransaction transaction) {
            ran++;
            return TaskResult.ok(JsonNull.NULL);
        }

        @Override
        public boolean mayCommit() {
            return commits;
        }
    }

    private long version() throws JournalException {
        SubjectKey key = new SubjectKey(TENANT, SUBJECT);
        var found = ports.journal().subjects(lease.shard().id(), List.of(key)).get(key);
        return found == null ? 0 : found.version();
    }

    @Test
    void anAttemptIsMadeOnceAndFoundByThoseAfterIt() throws Exception {
        var first = ports.transactions().execute(attempt(1), new Doing(true));
        var again = ports.transactions().execute(attempt(2), new Doing(true));

        assertEquals(first, assertInstanceOf(Transactions.Outcome.Recorded.class, again));
        assertEquals(1, ran);
        assertEquals(2, version());
        Set<?> recorded = ports.transactions()
                .recorded(
                        lease,
                        List.of(
                                TransactionRequest.key(run, ActivationId.parse("post#1"), 1),
                                TransactionRequest.key(run, ActivationId.parse("post#1"), 2)));
        assertEquals(Set.of(TransactionRequest.key(run, ActivationId.parse("post#1"), 1)), recorded);
    }

    @Test
    void oneThatWasGivenUpLeavesNothing() throws JournalException {
        assertThrows(MutationException.class, () -> ports.transactions().execute(attempt(1), new Doing(false)));

        assertEquals(0, version());
    }
}
