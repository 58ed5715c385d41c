package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.effect.OutboxControl.Act;
import dev.flowstone.engine.effect.OutboxControl.Deed;
import dev.flowstone.engine.effect.OutboxControl.Entry;
import dev.flowstone.engine.effect.OutboxControl.Filter;
import dev.flowstone.engine.effect.OutboxControl.Outcome;
import dev.flowstone.engine.effect.OutboxControl.State;
import dev.flowstone.engine.effect.OutboxControl.Story;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What people see of messages that leave, and what they do with those that can't. */
public abstract class OutboxControlConformance extends PortsConformance {
    private static final Deed DEED = new Deed(new Actor("user", "ann"), "the shop is up again");
    private static final JsonObject CONTENT =
            JsonObject.builder().put("text", "grüße, 世界").build();

    private OutboxControl control() {
        return ports().outbox().control();
    }

    private List<Entry> list(TenantId tenant, Filter filter) throws JournalException {
        return control().list(tenant, filter, Optional.empty(), 1_000);
    }

    private static Filter state(State state) {
        return new Filter(
                Optional.of(state),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Filter destination(String destination) {
        return new Filter(
                Optional.empty(),
                Optional.of(destination),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Filter reason(Outbox.DeathReason reason) {
        return new Filter(
                Optional.empty(),
                Optional.empty(),
                Optional.of(reason),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** So many messages of a run to a destination. */
    private void send(Lease lease, RunKey run, String destination, int messages) throws JournalException {
        MoveBuilder move = creation(run);
        for (int i = 0; i < messages; i++) {
            move.message(new OutboxMessage(1, i, destination, CONTENT));
        }
        commit(lease, move.build());
    }

    private List<Outbox.Pending> due(Lease lease) throws JournalException {
        return ports().outbox().due(lease, now().plusSeconds(30), 1_000);
    }

    private Outbox.Settlement death(Outbox.Pending pending, Outbox.DeathReason reason) {
        return new Outbox.Settlement.Dead(
                pending,
                new Outbox.Evidence(now(), Duration.ofMillis(12), Optional.of(410)),
                reason,
                "the endpoint answered 410");
    }

    private void kill(Lease lease, Outbox.DeathReason reason) throws JournalException {
        List<Outbox.Settlement> deaths = new ArrayList<>();
        for (Outbox.Pending pending : due(lease)) {
            deaths.add(death(pending, reason));
        }
        ports().outbox().settle(lease, deaths);
    }

    @Test
    void aMessageIsSeenWithAllThatIsKnown() throws JournalException {
        Lease lease = lease(0);
        RunKey run = run(0);
        send(lease, run, "webhook:shop", 1);
        OutboxKey key = new OutboxKey(run, 1, 0);

        Entry pending = list(ACME, Filter.ALL).getFirst();
        assertEquals(key, pending.key());
        assertEquals(State.PENDING, pending.state());
        assertEquals(0, pending.attempts());
        assertEquals(Optional.empty(), pending.reason());

        kill(lease, Outbox.DeathReason.UNDELIVERABLE);

        Story story = control().story(key).orElseThrow();
        Entry dead = story.entry().orElseThrow();
        assertEquals(State.DEAD, dead.state());
        assertEquals(1, dead.attempts());
        assertEquals(Optional.of(Outbox.DeathReason.UNDELIVERABLE), dead.reason());
        assertEquals(Optional.of("the endpoint answered 410"), dead.error());
        assertTrue(dead.failedAt().isPresent());
        assertEquals(Optional.of(CONTENT), story.content());
        assertEquals(1, story.attempts().size());
        assertEquals(Outcome.DEAD, story.attempts().getFirst().outcome());
        assertEquals(Optional.of(410), story.attempts().getFirst().status());
        assertEquals(Duration.ofMillis(12), story.attempts().getFirst().took());
    }

    @Test
    void evidenceOutlivesItsMessage() throws JournalException {
        Lease lease = lease(0);
        RunKey run = run(0);
        send(lease, run, "webhook:shop", 1);
        Outbox.Pending pending = due(lease).getFirst();
        Outbox.Settlement delivered = new Outbox.Settlement.Delivered(
                pending, new Outbox.Evidence(now(), Duration.ofMillis(7), Optional.empty()));
        ports().outbox().settle(lease, List.of(delivered));
        ports().outbox().settle(lease, List.of(delivered));

        Story story = control().story(pending.key()).orElseThrow();
        assertEquals(Optional.empty(), story.entry());
        assertEquals(1, story.attempts().size(), "told once");
        assertEquals(Outcome.DELIVERED, story.attempts().getFirst().outcome());
        assertEquals(Optional.empty(), story.attempts().getFirst().status());
        assertEquals(List.of(), list(ACME, Filter.ALL));
        assertEquals(Optional.empty(), control().story(new OutboxKey(run, 2, 0)));
    }

    @Test
    void listsGoOnWhereTheyEnded() throws JournalException {
        Lease lease = lease(0);
        send(lease, run(0), "a", 3);
        send(lease, run(0), "b", 4);
        List<OutboxKey> all = list(ACME, Filter.ALL).stream().map(Entry::key).toList();
        assertEquals(7, all.size());

        List<OutboxKey> paged = new ArrayList<>();
        Optional<OutboxKey> after = Optional.empty();
        while (true) {
            List<Entry> page = control().list(ACME, Filter.ALL, after, 2);
            if (page.isEmpty()) {
                break;
            }
            page.forEach(entry -> paged.add(entry.key()));
            after = Optional.of(page.getLast().key());
        }

        assertEquals(all, paged);
    }

    @Test
    void whatIsAskedForIsListed() throws JournalException {
        Lease lease = lease(0);
        RunKey first = run(0);
        send(lease, first, "a", 2);
        kill(lease, Outbox.DeathReason.EXHAUSTED);
        send(lease, run(0), "b", 3);

        assertEquals(3, list(ACME, state(State.PENDING)).size());
        assertEquals(2, list(ACME, state(State.DEAD)).size());
        assertEquals(3, list(ACME, destination("b")).size());
        assertEquals(2, list(ACME, reason(Outbox.DeathReason.EXHAUSTED)).size());
        assertEquals(0, list(ACME, reason(Outbox.DeathReason.UNDELIVERABLE)).size());
        assertEquals(1, list(ACME, Filter.of(new OutboxKey(first, 1, 1))).size());
        assertEquals(List.of(), list(OTHER, Filter.ALL), "another tenant sees none of them");
        assertEquals(Optional.empty(), control().story(new OutboxKey(new RunKey(OTHER, first.run()), 1, 0)));
    }

    @Test
    void aDeadLetterIsPutBackAndItsNumbersGoOn() throws JournalException {
        Lease lease = lease(0);
        RunKey run = run(0);
        send(lease, run, "webhook:shop", 1);
        kill(lease, Outbox.DeathReason.UNDELIVERABLE);
        OutboxKey key = new OutboxKey(run, 1, 0);
        assertEquals(List.of(), due(lease));

        assertEquals(1, control().requeue(ACME, Filter.of(key), 1, Duration.ZERO, DEED));

        Outbox.Pending again = due(lease).getFirst();
        assertEquals(0, again.attempts(), "they count anew");
        assertEquals(2, again.attempt(), "and their numbers go on");
        Story story = control().story(key).orElseThrow();
        assertEquals(State.PENDING, story.entry().orElseThrow().state());
        assertEquals(1, story.entry().orElseThrow().attempts());
        assertEquals(1, story.attempts().size());
        assertEquals(Act.REQUEUE, story.deeds().getFirst().act());
        assertEquals(DEED, story.deeds().getFirst().deed());
        kill(lease, Outbox.DeathReason.EXHAUSTED);
        assertEquals(
                List.of(2, 1),
                control().story(key).orElseThrow().attempts().stream()
                        .map(OutboxControl.Attempt::attempt)
                        .toList());
    }

    /** Whoever settles gets no reply, and does it again; meanwhile somebody has put the message back. */
    @Test
    void aDeathThatIsToldAgainKillsNothingThatWasPutBack() throws JournalException {
        Lease lease = lease(0);
        RunKey run = run(0);
        send(lease, run, "webhook:shop", 1);
        Outbox.Settlement death = death(due(lease).getFirst(), Outbox.DeathReason.UNDELIVERABLE);
        OutboxKey key = new OutboxKey(run, 1, 0);
        ports().outbox().settle(lease, List.of(death));
        assertEquals(1, control().requeue(ACME, Filter.of(key), 1, Duration.ZERO, DEED));

        ports().outbox().settle(lease, List.of(death));

        Outbox.Pending again = due(lease).getFirst();
        assertEquals(0, again.attempts());
        assertEquals(2, again.attempt());
        assertEquals(1, control().story(key).orElseThrow().attempts().size(), "told once");
    }

    @Test
    void aDeathThatIsToldAgainBringsNothingBackThatWasPurged() throws JournalException {
        Lease lease = lease(0);
        RunKey run = run(0);
        send(lease, run, "webhook:shop", 1);
        Outbox.Settlement death = death(due(lease).getFirst(), Outbox.DeathReason.UNDELIVERABLE);
        OutboxKey key = new OutboxKey(run, 1, 0);
        ports().outbox().settle(lease, List.of(death));
        assertEquals(1, control().purge(ACME, Filter.of(key), 1, DEED));

        ports().outbox().settle(lease, List.of(death));

        Story story = control().story(key).orElseThrow();
        assertEquals(Optional.empty(), story.entry());
        assertEquals(1, story.attempts().size());
        assertTrue(ports().outbox().knows(key), "it was there");
    }

    @Test
    void manyArePutBackAtAPace() throws JournalException {
        Lease lease = lease(0);
        send(lease, run(0), "a", 5);
        kill(lease, Outbox.DeathReason.EXHAUSTED);
        Instant before = now();

        assertEquals(3, control().requeue(ACME, destination("a"), 3, Duration.ofSeconds(100), DEED));

        assertEquals(1, ports().outbox().due(lease, before.plusSeconds(60), 10).size());
        assertEquals(2, ports().outbox().due(lease, before.plusSeconds(160), 10).size());
        assertEquals(3, ports().outbox().due(lease, before.plusSeconds(260), 10).size());
        assertEquals(2, list(ACME, state(State.DEAD)).size());
    }

    @Test
    void onlyTheDeadAreTouched() throws JournalException {
        Lease lease = lease(0);
        RunKey run = run(0);
        send(lease, run, "a", 1);
        Filter filter = Filter.of(new OutboxKey(run, 1, 0));

        assertEquals(0, control().requeue(ACME, filter, 1, Duration.ZERO, DEED));
        assertEquals(0, control().purge(ACME, filter, 1, DEED));
        kill(lease, Outbox.DeathReason.EXHAUSTED);
        assertEquals(0, control().purge(OTHER, filter, 1, DEED), "nor by another tenant");
        assertEquals(0, control().requeue(OTHER, Filter.ALL, 100, Duration.ZERO, DEED));

        assertEquals(1, list(ACME, state(State.DEAD)).size());
    }

    @Test
    void whatIsPurgedIsGoneAndWhoDidItIsKnown() throws JournalException {
        Lease lease = lease(0);
        RunKey run = run(0);
        send(lease, run, "a", 3);
        kill(lease, Outbox.DeathReason.EXHAUSTED);
        OutboxKey key = new OutboxKey(run, 1, 0);

        assertEquals(1, control().purge(ACME, Filter.of(key), 1, DEED));
        assertEquals(0, control().purge(ACME, Filter.of(key), 1, DEED));
        Story story = control().story(key).orElseThrow();
        assertEquals(Optional.empty(), story.entry());
        assertEquals(Act.PURGE, story.deeds().getFirst().act());
        Filter young = new Filter(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(now().minusSeconds(3_600)));
        assertEquals(0, control().purge(ACME, young, 100, DEED));
        assertEquals(2, control().purge(ACME, Filter.ALL, 100, DEED));
        assertEquals(List.of(), list(ACME, Filter.ALL));
    }
}
