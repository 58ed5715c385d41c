package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.command.Actor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The statements by which nodes whose newest schema is V19 work the outbox off, in turns with those of this release. */
final class OutboxUpgradeTest extends PostgresTest {
    private static final OutboxControl.Deed DEED =
            new OutboxControl.Deed(new Actor("user", "ann"), "the shop is up again");

    private static final String V19_DUE = """
            SELECT o.tenant, o.run_id, o.cause_seq, o.ordinal, o.destination, o.content, o.attempts
            FROM flowstone.epochs e
            LEFT JOIN LATERAL (
                SELECT * FROM flowstone.outbox
                WHERE state = 'pending' AND slot BETWEEN ? AND ? AND due_at <= ?
                ORDER BY due_at, tenant, run_id, cause_seq, ordinal
                LIMIT ?
            ) o ON true
            WHERE e.shard = ? AND e.epoch = ? AND e.holder = ?
            ORDER BY o.due_at, o.tenant, o.run_id, o.cause_seq, o.ordinal
            """;

    private static final String V19_SETTLE = """
            WITH fence AS (
                SELECT 1 AS held FROM flowstone.epochs
                WHERE shard = ? AND epoch = ? AND holder = ?
                FOR SHARE
            ), settled AS (
                SELECT u.*
                FROM fence, unnest(?, ?, ?, ?, ?, ?, ?) AS u (tenant, run_id, cause_seq, ordinal, state, due_at, error)
            ), delivered AS (
                DELETE FROM flowstone.outbox o
                USING settled s
                WHERE s.state = 'delivered' AND o.state = 'pending' AND o.tenant = s.tenant AND o.run_id = s.run_id
                  AND o.cause_seq = s.cause_seq AND o.ordinal = s.ordinal
            ), kept AS (
                UPDATE flowstone.outbox o
                SET state = s.state, attempts = o.attempts + 1, due_at = coalesce(s.due_at, o.due_at), error = s.error
                FROM settled s
                WHERE s.state <> 'delivered' AND o.state = 'pending' AND o.tenant = s.tenant AND o.run_id = s.run_id
                  AND o.cause_seq = s.cause_seq AND o.ordinal = s.ordinal
            )
            SELECT held FROM fence
            """;

    /** How often each message that is due has been tried. */
    private List<Integer> oldDue(Lease lease) throws SQLException {
        try (Connection engine = TestServer.engine(config());
                PreparedStatement query = engine.prepareStatement(V19_DUE)) {
            query.setInt(1, lease.shard().firstSlot());
            query.setInt(2, lease.shard().lastSlot());
            query.setObject(3, Times.parameter(Instant.now().plusSeconds(60)));
            query.setInt(4, 10);
            Fence.bind(query, 5, lease);
            List<Integer> attempts = new ArrayList<>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    if (rows.getString(1) != null) {
                        attempts.add(rows.getInt(7));
                    }
                }
            }
            return attempts;
        }
    }

    private void oldSettle(Lease lease, OutboxKey key, String state) throws SQLException {
        try (Connection engine = TestServer.engine(config());
                PreparedStatement query = engine.prepareStatement(V19_SETTLE)) {
            Fence.bind(query, 1, lease);
            array(query, 4, "text", key.run().tenant().value());
            array(query, 5, "uuid", key.run().run().value());
            array(query, 6, "int8", key.causeSequence());
            array(query, 7, "int4", key.ordinal());
            array(query, 8, "text", state);
            array(query, 9, "timestamptz", Instant.now().toString());
            array(query, 10, "text", "the server said 503");
            try (ResultSet held = query.executeQuery()) {
                assertTrue(held.next());
            }
        }
    }

    private static void array(PreparedStatement query, int at, String type, Object element) throws SQLException {
        query.setArray(at, query.getConnection().createArrayOf(type, new Object[] {element}));
    }

    private Outbox outbox() {
        return opened().ports().outbox();
    }

    private Outbox.Pending due(Lease lease) throws JournalException {
        return outbox().due(lease, Instant.now().plusSeconds(60), 10).getFirst();
    }

    private OutboxControl.Entry entry() throws JournalException {
        return outbox().control()
                .list(Moves.ACME, OutboxControl.Filter.ALL, Optional.empty(), 10)
                .getFirst();
    }

    private void putBack() throws JournalException {
        assertEquals(1, outbox().control().requeue(Moves.ACME, OutboxControl.Filter.ALL, 10, Duration.ZERO, DEED));
    }

    private static Outbox.Settlement dead(Outbox.Pending pending) {
        return new Outbox.Settlement.Dead(
                pending,
                new Outbox.Evidence(Instant.now(), Duration.ZERO, Optional.of(410)),
                Outbox.DeathReason.UNDELIVERABLE,
                "the endpoint answered 410");
    }

    @Test
    void bothReleasesWorkTheSameMessagesOff() throws Exception {
        Lease lease = lease(0);
        journal().commit(Moves.commit(lease, Moves.full(Moves.run(lease), 0)));
        OutboxKey key = due(lease).key();
        assertEquals(List.of(0), oldDue(lease));

        oldSettle(lease, key, "pending");
        Outbox.Pending second = due(lease);
        assertEquals(2, second.attempt());
        outbox().settle(lease, List.of(dead(second)));
        assertEquals(List.of(), oldDue(lease));
        assertEquals(Optional.of(Outbox.DeathReason.UNDELIVERABLE), entry().reason());

        putBack();
        assertEquals(List.of(0), oldDue(lease));
        oldSettle(lease, key, "dead");
        OutboxControl.Entry dead = entry();
        assertEquals(OutboxControl.State.DEAD, dead.state());
        assertEquals(Optional.of(Outbox.DeathReason.EXHAUSTED), dead.reason(), "the older one gives none");
        assertEquals(3, dead.attempts());

        putBack();
        assertEquals(4, due(lease).attempt());
        oldSettle(lease, key, "delivered");
        assertEquals(List.of(), oldDue(lease));
        assertTrue(outbox().knows(key), "by the evidence of the one attempt that left some");
    }

    /** What this release has settled without learning so is settled again after the other one had the shard. */
    @Test
    void aDeathThatIsToldAgainDoesNotCountBesideTheOtherRelease() throws Exception {
        Lease lease = lease(0);
        journal().commit(Moves.commit(lease, Moves.full(Moves.run(lease), 0)));
        Outbox.Pending first = due(lease);
        outbox().settle(lease, List.of(dead(first)));
        putBack();
        oldSettle(lease, first.key(), "pending");

        outbox().settle(lease, List.of(dead(first)));

        assertEquals(OutboxControl.State.PENDING, entry().state());
        assertEquals(List.of(1), oldDue(lease));
        assertEquals(3, due(lease).attempt());
    }

    /** An older node does not say when it tried: then its message counts as failed when it was due. */
    @Test
    void whatAnOlderNodeGaveUpIsFoundByItsTime() throws Exception {
        Lease lease = lease(0);
        journal().commit(Moves.commit(lease, Moves.full(Moves.run(lease), 0)));
        oldSettle(lease, due(lease).key(), "dead");

        assertEquals(
                0, outbox().control().purge(Moves.ACME, before(Instant.now().minusSeconds(3_600)), 10, DEED));
        assertEquals(
                1, outbox().control().purge(Moves.ACME, before(Instant.now().plusSeconds(3_600)), 10, DEED));
    }

    private static OutboxControl.Filter before(Instant time) {
        return new OutboxControl.Filter(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(time));
    }
}
