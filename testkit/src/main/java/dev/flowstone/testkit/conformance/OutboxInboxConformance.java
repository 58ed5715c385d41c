package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingMode;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.Wanted;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.RunStatus;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What leaves and what enters. */
public abstract class OutboxInboxConformance extends PortsConformance {
    private static final JsonObject CONTENT = JsonObject.builder()
            .put("text", "grüße, 世界")
            .put("exact", JsonNumber.of(new BigDecimal("0.1000000000000000055")))
            .put("big", 7615917337495251231L)
            .build();

    private static OutboxMessage message(long cause, int ordinal) {
        return new OutboxMessage(cause, ordinal, "mail", CONTENT);
    }

    private Outbox.Evidence evidence(int status) {
        return new Outbox.Evidence(now(), Duration.ofMillis(12), status == 0 ? Optional.empty() : Optional.of(status));
    }

    private Outbox.Settlement delivered(Outbox.Pending pending) {
        return new Outbox.Settlement.Delivered(pending, evidence(204));
    }

    private Outbox.Settlement postponed(Outbox.Pending pending, Instant next, String error) {
        return new Outbox.Settlement.Postponed(pending, evidence(503), next, error);
    }

    private Outbox.Settlement dead(Outbox.Pending pending, String error) {
        return new Outbox.Settlement.Dead(pending, evidence(410), Outbox.DeathReason.UNDELIVERABLE, error);
    }

    private List<Outbox.Pending> due(Lease lease) throws JournalException {
        return ports().outbox().due(lease, now().plusSeconds(30), 100);
    }

    @Test
    void whatWasCommittedIsDueExactly() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(
                lease,
                creation(key)
                        .entry(2)
                        .message(message(2, 0))
                        .message(message(2, 1))
                        .build());

        List<Outbox.Pending> due = due(lease);

        assertEquals(
                Set.of(new Outbox.Pending(key, message(2, 0), 0), new Outbox.Pending(key, message(2, 1), 0)),
                new HashSet<>(due));
        assertEquals(2, due.size());
    }

    @Test
    void pagesAreBounded() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        MoveBuilder move = creation(key);
        for (int i = 0; i < 5; i++) {
            move.message(message(1, i));
        }
        commit(lease, move.build());

        assertEquals(3, ports().outbox().due(lease, now().plusSeconds(30), 3).size());
    }

    @Test
    void whatWasDeliveredIsGone() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(
                lease,
                creation(key).message(message(1, 0)).message(message(1, 1)).build());
        Outbox.Pending first = due(lease).getFirst();

        ports().outbox().settle(lease, List.of(delivered(first)));

        List<Outbox.Pending> left = due(lease);
        assertEquals(1, left.size());
        assertFalse(left.contains(first));
        ports().outbox().settle(lease, List.of(delivered(first)));
        assertEquals(1, due(lease).size(), "settling twice is harmless");
    }

    @Test
    void whatIsPostponedComesBackCountedAndNoSooner() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(lease, creation(key).message(message(1, 0)).build());
        Instant later = now().plusSeconds(600);

        ports().outbox().settle(lease, List.of(postponed(due(lease).getFirst(), later, "the server said 503")));

        assertEquals(List.of(), due(lease));
        assertEquals(
                List.of(new Outbox.Pending(key, message(1, 0), 1)),
                ports().outbox().due(lease, later.plusSeconds(1), 10));
    }

    @Test
    void anAttemptThatIsToldTwiceCountsOnce() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(lease, creation(key).message(message(1, 0)).build());
        Instant later = now().plusSeconds(600);
        Outbox.Settlement first = postponed(due(lease).getFirst(), later, "the server said 503");

        ports().outbox().settle(lease, List.of(first));
        ports().outbox().settle(lease, List.of(first));

        assertEquals(
                List.of(new Outbox.Pending(key, message(1, 0), 1)),
                ports().outbox().due(lease, later.plusSeconds(1), 10));
    }

    @Test
    void whatWasCommittedIsKnownAlsoWhenItHasLeft() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(lease, creation(key).message(message(1, 0)).build());
        Outbox.Pending pending = due(lease).getFirst();

        assertTrue(ports().outbox().knows(pending.key()));
        assertFalse(ports().outbox().knows(message(2, 0).key(key)));
        assertFalse(ports().outbox().knows(message(1, 0).key(new RunKey(OTHER, key.run()))));
        ports().outbox().settle(lease, List.of(delivered(pending)));
        assertTrue(ports().outbox().knows(pending.key()));
    }

    @Test
    void theDeadStayDead() throws JournalException {
        Lease lease = lease(0);
        commit(
                lease,
                creation(run(0)).message(message(1, 0)).build(),
                creation(run(0)).message(message(1, 0)).build());
        List<Outbox.Pending> due = due(lease);

        ports().outbox()
                .settle(
                        lease,
                        List.of(
                                dead(due.get(0), "no such mailbox"),
                                postponed(due.get(1), now().minusSeconds(1), "again")));

        assertEquals(1, due(lease).size());
        assertEquals(due.get(1).run(), due(lease).getFirst().run());
    }

    private static OutboxMessage to(String destination, int ordinal) {
        return new OutboxMessage(1, ordinal, destination, CONTENT);
    }

    private static List<String> destinations(List<Outbox.Pending> pending) {
        return pending.stream().map(one -> one.message().destination()).toList();
    }

    @Test
    void destinationsTakeTurnsHoweverMuchWaitsForOne() throws JournalException {
        Lease lease = lease(0);
        MoveBuilder many = creation(run(0));
        for (int i = 0; i < 300; i++) {
            many.message(to("poison", i));
        }
        commit(lease, many.build());
        commit(lease, creation(run(0)).message(to("mail", 0)).build());
        commit(lease, creation(run(0)).message(to("zoo", 0)).build());

        List<String> page = destinations(ports().outbox().due(lease, now().plusSeconds(30), 4));

        assertEquals(4, page.size());
        assertEquals(Set.of("poison", "mail", "zoo"), new HashSet<>(page.subList(0, 3)));
    }

    @Test
    void ofADestinationNoMoreIsReadThanIsWanted() throws JournalException {
        Lease lease = lease(0);
        MoveBuilder many = creation(run(0));
        for (int i = 0; i < 10; i++) {
            many.message(to("full", i)).message(to("limited", 100 + i)).message(to("usual", 200 + i));
        }
        commit(lease, many.build());

        List<String> page = destinations(ports().outbox()
                .due(lease, now().plusSeconds(30), new Wanted(100, 3, Map.of("full", 0, "limited", 5), List.of())));

        assertEquals(5, Collections.frequency(page, "limited"));
        assertEquals(3, Collections.frequency(page, "usual"));
        assertEquals(8, page.size());
    }

    @Test
    void messagesOfSuspendedRunsAreNotDue() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        Instant never = Times.LAST;
        commit(
                lease,
                creation(key)
                        .message(message(1, 0))
                        .timer("suspended", 1, never)
                        .build());
        assertEquals(List.of(), due(lease));

        commit(lease, move(key, 1).timerGone("suspended").build());

        assertEquals(1, due(lease).size());
    }

    /** A node that knows of no mark has resumed the run, and ended it. */
    @Test
    void aMarkThatARunHasLeftBehindHoldsNoMessage() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(
                lease,
                creation(key)
                        .message(message(1, 0))
                        .timer("suspended", 1, Times.LAST)
                        .build());

        commit(lease, move(key, 1).status(RunStatus.SUCCEEDED).build());

        assertEquals(1, due(lease).size());
    }

    @Test
    void theNarrowestScopeWithASettingSaysWhetherMessagesAreDue() throws JournalException {
        Lease lease = lease(0);
        WorkflowId free = new WorkflowId("free");
        commit(lease, creation(run(0)).workflow(free).message(to("free", 0)).build());
        commit(lease, creation(run(0)).message(to("held", 0)).build());
        RunKey other = new RunKey(OTHER, run(0).run());
        commit(lease, creation(other).message(to("others", 0)).build());
        Wanted wanted = new Wanted(
                100,
                100,
                Map.of(),
                List.of(
                        setting(1, new SettingScope.Tenant(ACME), SettingMode.SUSPEND),
                        setting(2, new SettingScope.Workflow(ACME, free), SettingMode.GO)));

        assertEquals(
                Set.of("free", "others"),
                Set.copyOf(destinations(ports().outbox().due(lease, now().plusSeconds(30), wanted))));
        Wanted all =
                new Wanted(100, 100, Map.of(), List.of(setting(1, new SettingScope.Everything(), SettingMode.SUSPEND)));
        assertEquals(List.of(), ports().outbox().due(lease, now().plusSeconds(30), all));
    }

    private ScopeSetting setting(long number, SettingScope scope, SettingMode mode) {
        return new ScopeSetting(
                number, now(), scope, mode, HoldPolicy.DEFAULT, Duration.ZERO, "audit", new Actor("user", "ann"));
    }

    @Test
    void onlyTheHolderDelivers() throws JournalException {
        Lease zombie = lease(0);
        commit(zombie, creation(run(0)).message(message(1, 0)).build());
        Outbox.Pending pending = due(zombie).getFirst();
        Lease owner = lease(0);

        assertThrows(JournalException.StaleEpoch.class, () -> due(zombie));
        assertThrows(
                JournalException.StaleEpoch.class, () -> ports().outbox().settle(zombie, List.of(delivered(pending))));
        assertEquals(1, due(owner).size());
        assertEquals(List.of(), due(lease(1)), "another shard sees nothing");
    }

    @Test
    void aMessageIsAcceptedOncePerKey() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        InboxMessage message = Inboxes.message(ports(), key, "m");

        assertTrue(ports().inbox().accept(message));
        assertFalse(ports().inbox().accept(message));
        assertTrue(Inboxes.accept(ports(), new RunKey(OTHER, key.run()), "m"), "another tenant's key is another");
        assertEquals(
                1,
                ports().journal().inbox(lease, 10).stream()
                        .filter(message::equals)
                        .count());
        assertEquals(2, ports().journal().inbox(lease, 10).size());
    }

    @Test
    void aConsumedMessageIsGoneAndItsKeyStaysTaken() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        commit(lease, creation(key).build());
        Inboxes.accept(ports(), key, "m");

        ports().journal().commit(new Commit(lease, List.of(move(key, 1).build()), List.of(Inboxes.key(key, "m"))));

        assertEquals(List.of(), ports().journal().inbox(lease, 10));
        assertFalse(Inboxes.accept(ports(), key, "m"));
    }

    @Test
    void aRefusedMessageIsConsumedWithoutAMove() throws JournalException {
        Lease lease = lease(0);
        RunKey nobody = run(0);
        Inboxes.accept(ports(), nobody, "for nobody");

        ports().journal().commit(new Commit(lease, List.of(), List.of(Inboxes.key(nobody, "for nobody"))));

        assertEquals(List.of(), ports().journal().inbox(lease, 10));
    }

    @Test
    void aStaleHolderReadsAndConsumesNothing() throws JournalException {
        Lease zombie = lease(0);
        RunKey key = run(0);
        Inboxes.accept(ports(), key, "m");
        Lease owner = lease(0);

        assertThrows(
                JournalException.StaleEpoch.class,
                () -> ports().journal().commit(new Commit(zombie, List.of(), List.of(Inboxes.key(key, "m")))));
        assertThrows(JournalException.StaleEpoch.class, () -> ports().journal().inbox(zombie, 10));
        assertEquals(1, ports().journal().inbox(owner, 10).size());
    }

    @Test
    void messagesComeOldestFirstInTheShardOfTheirRun() throws JournalException {
        Lease first = lease(0);
        Lease second = lease(1);
        RunKey key = run(0);
        Instant received = now();
        for (int i = 0; i < 5; i++) {
            InboxMessage message = Inboxes.message(ports(), key, "m" + i);
            ports().inbox()
                    .accept(new InboxMessage(
                            message.key(), message.run(), message.kind(), CONTENT, received.plusMillis(10L - i)));
        }

        List<InboxMessage> page = ports().journal().inbox(first, 3);

        assertEquals(
                List.of("m4", "m3", "m2"), page.stream().map(m -> m.key().key()).toList());
        assertEquals(CONTENT, page.getFirst().content());
        assertEquals(List.of(), ports().journal().inbox(second, 10));
    }
}
