package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.Backlog;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What waits is counted over all tenants, and what no longer waits isn't. */
final class BacklogTest extends PostgresTest {
    private static RunKey run(String tenant, long random) {
        return new RunKey(new TenantId(tenant), RunId.of(Instant.now(), new Slot(1), random));
    }

    private Backlog backlog() throws Exception {
        return opened().backlog().read(Instant.now().plusSeconds(1));
    }

    @Test
    void anEmptyDatabaseHasNone() throws Exception {
        assertEquals(new Backlog(0, 0, Optional.empty(), 0, Optional.empty(), 0, 0, 0, 0, 0), backlog());
    }

    @Test
    void countsWhatWaitsOfEveryTenant() throws Exception {
        Lease lease = lease(0);
        journal().commit(Moves.commit(lease, List.of(Moves.full(run("a", 1), 0), Moves.full(run("b", 2), 0))));
        admin(
                "INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at)"
                        + " SELECT 'a', 's', 'k' || i, gen_random_uuid(), 1, 'k', '{}', now() - i * interval '1 hour'"
                        + " FROM generate_series(1, 3) i",
                "UPDATE flowstone.inbox SET consumed = true WHERE key = 'k3'",
                "UPDATE flowstone.human_tasks SET due_at = now() - interval '1 hour' WHERE tenant = 'a'");

        Backlog waiting = backlog();

        assertEquals(2, waiting.outboxPending());
        assertTrue(waiting.outboxOldest().orElseThrow().isBefore(Instant.now()));
        assertEquals(2, waiting.inboxWaiting());
        assertTrue(waiting.inboxOldest().orElseThrow().isBefore(Instant.now().minusSeconds(7_000)));
        assertTrue(waiting.inboxOldest().orElseThrow().isAfter(Instant.now().minusSeconds(7_400)));
        assertEquals(2, waiting.letters());
        assertEquals(2, waiting.timersOverdue());
        assertEquals(2, waiting.tasksOpen());
        assertEquals(1, waiting.tasksOverdue());
    }

    @Test
    void countsTicksThatWaitToBeStarted() throws Exception {
        admin("""
                INSERT INTO flowstone.workflows (tenant, workflow, display_name, status, enabled, current_version, latest_version,
                                                 draft, created_at, updated_at, revision)
                VALUES ('a', 'w', 'W', 'DRAFT', false, 0, 0, '{}', now(), now(), 1)
                """, """
                INSERT INTO flowstone.triggers (tenant, id, workflow, kind, enabled, config, revision, created_at, created_by,
                                                changed_at, changed_by)
                VALUES ('a', '00000000-0000-4000-8000-000000000000', 'w', 'schedule', true, '{}', 1, now(), 'user:ann', now(),
                        'user:ann')
                """, """
                INSERT INTO flowstone.trigger_schedules (tenant, trigger_id, slot, since, look_at, turn)
                VALUES ('a', '00000000-0000-4000-8000-000000000000', 1, now(), now(), 1)
                """, """
                INSERT INTO flowstone.trigger_ticks (tenant, trigger_id, id, slot, tick, claimed_at, try_at)
                SELECT 'a', '00000000-0000-4000-8000-000000000000', gen_random_uuid(), i, now(), now(), now() + i * interval '1 hour'
                FROM generate_series(1, 3) i
                """);

        assertEquals(3, backlog().ticksOpen());
    }

    @Test
    void aDeadMessageIsDeadAndNotPending() throws Exception {
        Lease lease = lease(0);
        journal().commit(Moves.commit(lease, List.of(Moves.full(run("a", 1), 0), Moves.full(run("b", 2), 0))));
        List<Outbox.Pending> due =
                opened().ports().outbox().due(lease, Instant.now().plusSeconds(1), 10);

        Outbox.Evidence evidence = new Outbox.Evidence(Instant.now(), Duration.ZERO, Optional.empty());

        opened().ports()
                .outbox()
                .settle(
                        lease,
                        List.of(
                                new Outbox.Settlement.Dead(
                                        due.getFirst(), evidence, Outbox.DeathReason.UNDELIVERABLE, "never"),
                                new Outbox.Settlement.Delivered(due.getLast(), evidence)));

        Backlog waiting = backlog();
        assertEquals(0, waiting.outboxPending());
        assertEquals(1, waiting.outboxDead());
        assertEquals(Optional.empty(), waiting.outboxOldest());
    }
}
