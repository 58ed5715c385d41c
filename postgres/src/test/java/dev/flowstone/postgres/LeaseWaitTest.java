package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.ownership.LeaseKeeper;
import dev.flowstone.engine.time.Clock;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whoever keeps leases waits for nobody for long: one shard that can't be had must not cost it the others. */
final class LeaseWaitTest extends PostgresTest {
    private static final Duration LIFE = Duration.ofMinutes(5);
    private static final String EXPIRE = "UPDATE flowstone.heartbeats SET until = now() - interval '1 hour'";

    private final List<String> heard = new ArrayList<>();

    /** Far longer than it may wait, far shorter than the transaction that is in its way. */
    private static <T> T soon(Callable<T> asking) throws Exception {
        try {
            return CompletableFuture.supplyAsync(() -> {
                        try {
                            return asking.call();
                        } catch (Exception e) {
                            throw new CompletionException(e);
                        }
                    })
                    .get(8, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    @Test
    void aKeeperIsNotHeldUpByATransactionOfAnOldOwner() throws Exception {
        var _ = lease(0);
        admin(EXPIRE);
        LeaseKeeper keeper =
                new LeaseKeeper(opened().ports().leases(), LeaseConfig.DEFAULT, "one", Clock.SYSTEM, new Hearing());
        try (Connection old = TestServer.admin(config())) {
            old.setAutoCommit(false);
            run(old, "SELECT FROM flowstone.epochs WHERE shard = 0 FOR SHARE");

            var _ = soon(keeper::step);

            assertEquals(List.of("gained 1"), heard);
            old.rollback();
        }
        assertEquals(
                2,
                opened().ports()
                        .leases()
                        .acquire(new ShardId(0), "one", LIFE)
                        .orElseThrow()
                        .epoch(),
                "the try before left nothing behind");
    }

    /** Somebody else is just taking it. */
    @Test
    void aRenewalThatWouldWaitFailsAndIsTriedAgain() throws Exception {
        Lease lease = lease(0);
        try (Connection other = TestServer.admin(config())) {
            other.setAutoCommit(false);
            run(other, "SELECT FROM flowstone.heartbeats WHERE shard = 0 FOR UPDATE");

            JournalException failed = failure(() -> opened().ports().leases().renew(lease, LIFE));

            assertInstanceOf(JournalException.Unavailable.class, failed);
            other.rollback();
        }
        assertEquals(
                lease.epoch(),
                opened().ports().leases().renew(lease, LIFE).orElseThrow().epoch());
    }

    private static JournalException failure(Callable<?> asking) throws Exception {
        try {
            throw new AssertionError("no failure: " + soon(asking));
        } catch (JournalException e) {
            return e;
        }
    }

    private final class Hearing implements LeaseKeeper.Owner {
        @Override
        public void gained(Lease lease, Instant until) {
            heard.add("gained " + lease.shard().id().number());
        }

        @Override
        public void extended(ShardId shard, Instant until) {
            heard.add("extended " + shard.number());
        }

        @Override
        public void lost(ShardId shard) {
            heard.add("lost " + shard.number());
        }
    }
}
