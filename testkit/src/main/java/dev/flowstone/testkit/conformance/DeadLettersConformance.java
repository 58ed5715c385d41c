package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadLetters;
import dev.flowstone.engine.dead.DeadLetters.Filter;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.engine.effect.OutboxControl.Act;
import dev.flowstone.engine.effect.OutboxControl.Deed;
import dev.flowstone.engine.effect.OutboxControl.Done;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** How dead letters are kept, tried again, requeued and purged. */
public abstract class DeadLettersConformance extends PortsConformance {
    private static final Deed DEED = new Deed(new Actor("user", "ann"), "the program is whole again");
    private static final DeadSource TRIGGER = new DeadSource("trigger");
    private static final Set<DeadSource> ALL = Set.of(DeadSource.MESSAGE, DeadSource.EXECUTION, TRIGGER);
    private static final JsonObject PAYLOAD =
            JsonObject.builder().put("text", "grüße, 世界").build();
    private static final Duration DELAY = Duration.ofMillis(20);
    private static final DeadLetterConfig TWICE = new DeadLetterConfig(true, "q", 2, DELAY);
    private static final DeadLetterConfig LATER = new DeadLetterConfig(true, "q", 2, Duration.ofHours(1));

    private DeadLetterStore store() {
        return ports().deadLetters();
    }

    private DeadLetters control() {
        return ports().deadLetters().control();
    }

    private PoisonMessage poison(TenantId tenant, DeadSource source, String key, int slot, DeadReason reason) {
        RunId run = RunId.of(Instant.parse("2026-11-30T00:00:00Z"), new Slot(slot), key.hashCode());
        return new PoisonMessage(tenant, source, key, new Slot(slot), Optional.of(run), reason, PAYLOAD, "it fails");
    }

    private PoisonMessage poison(String key) {
        return poison(ACME, DeadSource.MESSAGE, key, 7, DeadReason.POISON);
    }

    private List<DeadLetter> list(TenantId tenant, Filter filter) throws JournalException {
        return control().list(tenant, filter, 0, 1_000);
    }

    private DeadLetter only() throws JournalException {
        List<DeadLetter> all = list(ACME, Filter.ALL);
        assertEquals(1, all.size());
        return all.getFirst();
    }

    private List<DeadLetter> take(DeadLetterConfig config) throws JournalException {
        return store().take(ports().leases().shards(), ALL, 100, config);
    }

    private static List<String> keys(List<DeadLetter> letters) {
        return letters.stream().map(DeadLetter::key).toList();
    }

    @Test
    void whatFailsIsKeptAsItIsAndWaits() throws JournalException {
        Instant before = now().minusMillis(1);
        store().failed(poison("a"), LATER);

        DeadLetter letter = only();
        assertEquals(DeadSource.MESSAGE, letter.source());
        assertEquals("a", letter.key());
        assertEquals(poison("a").run(), letter.run());
        assertEquals(DeadReason.POISON, letter.reason());
        assertEquals(PAYLOAD, letter.payload());
        assertEquals(State.WAITING, letter.state());
        assertEquals(1, letter.attempts());
        assertEquals("it fails", letter.error());
        assertTrue(letter.enqueuedAt().isAfter(before));
        assertEquals(
                letter.enqueuedAt().plus(Duration.ofHours(1)), letter.dueAt().orElseThrow());
        assertEquals(Optional.of(letter), control().find(ACME, letter.id()));
        assertEquals(List.of(), take(LATER), "it isn't due");
    }

    @Test
    void oneThatFailsAgainIsTheSameLetter() throws JournalException {
        store().failed(poison("a"), LATER);
        long id = only().id();
        store().failed(poison(ACME, DeadSource.MESSAGE, "a", 7, DeadReason.DESERIALIZATION), LATER);
        store().failed(poison(OTHER, DeadSource.MESSAGE, "a", 7, DeadReason.POISON), LATER);
        store().failed(poison(ACME, TRIGGER, "a", 7, DeadReason.POISON), LATER);

        List<DeadLetter> all = list(ACME, Filter.ALL);
        assertEquals(2, all.size());
        assertEquals(id, all.getFirst().id());
        assertEquals(DeadReason.DESERIALIZATION, all.getFirst().reason());
        assertEquals(1, all.getFirst().attempts());
    }

    @Test
    void itIsTriedAFewTimesAndThenDead() throws JournalException {
        store().failed(poison("a"), TWICE);
        for (int attempt = 2; attempt <= 3; attempt++) {
            pass(DELAY);
            List<DeadLetter> due = take(TWICE);
            assertEquals(1, due.size(), "attempt " + attempt);
            assertEquals(attempt, due.getFirst().attempts());
            assertEquals(List.of(), take(TWICE), "one attempt at a time");
            store().failed(ACME, due.getFirst().id(), DeadReason.VALIDATION, "no " + attempt, TWICE);
            assertEquals("no " + attempt, only().error());
            assertEquals(attempt == 3 ? State.DEAD : State.WAITING, only().state());
        }

        pass(DELAY);
        assertEquals(List.of(), take(TWICE));
        assertEquals(3, only().attempts());
        assertEquals(DeadReason.VALIDATION, only().reason());
        assertEquals(Optional.empty(), only().dueAt());
    }

    @Test
    void oneOfWhoseAttemptsNothingIsHeardIsDeadInTheEnd() throws JournalException {
        store().failed(poison("a"), TWICE);
        for (int i = 0; i < 2; i++) {
            pass(DELAY);
            assertEquals(1, take(TWICE).size());
        }
        assertEquals(State.WAITING, only().state());

        pass(DELAY);
        assertEquals(List.of(), take(TWICE));
        assertEquals(State.DEAD, only().state());
        assertEquals(3, only().attempts());
    }

    @Test
    void withoutRetriesItIsDeadAtOnce() throws JournalException {
        store().failed(poison("a"), new DeadLetterConfig(true, "q", 0, DELAY));

        assertEquals(State.DEAD, only().state());
        assertEquals(1, only().attempts());
    }

    @Test
    void whatIsTakenUpIsGone() throws JournalException {
        store().failed(poison("a"), LATER);
        store().failed(poison("b"), LATER);
        long first = list(ACME, Filter.ALL).getFirst().id();

        store().resolved(OTHER, first);
        store().resolved(OTHER, DeadSource.MESSAGE, "b");
        store().resolved(ACME, DeadSource.EXECUTION, "b");
        assertEquals(2, list(ACME, Filter.ALL).size());

        store().resolved(ACME, first);
        store().resolved(ACME, DeadSource.MESSAGE, "b");
        store().failed(ACME, first, DeadReason.POISON, "too late", LATER);
        assertEquals(List.of(), list(ACME, Filter.ALL));
    }

    @Test
    void onlySlotsAndSourcesThatAreAskedForAreTaken() throws JournalException {
        Shard mine = shard(0);
        Shard theirs = shard(1);
        store().failed(poison(ACME, DeadSource.MESSAGE, "a", mine.firstSlot(), DeadReason.POISON), TWICE);
        store().failed(poison(OTHER, TRIGGER, "b", mine.lastSlot(), DeadReason.POISON), TWICE);
        store().failed(poison(ACME, DeadSource.MESSAGE, "c", theirs.firstSlot(), DeadReason.POISON), TWICE);
        pass(DELAY);

        assertEquals(List.of(), store().take(List.of(), ALL, 100, TWICE));
        assertEquals(List.of("b"), keys(store().take(List.of(mine), Set.of(TRIGGER), 100, TWICE)));
        assertEquals(List.of("a"), keys(store().take(List.of(mine), ALL, 100, TWICE)));
        assertEquals(List.of("c"), keys(take(TWICE)));
    }

    @Test
    void lettersAreListedByIdInPagesAndByFilter() throws JournalException {
        store().failed(poison("a"), LATER);
        store().failed(poison(ACME, TRIGGER, "b", 9, DeadReason.VALIDATION), LATER);
        store().failed(poison(ACME, TRIGGER, "c", 9, DeadReason.POISON), new DeadLetterConfig(true, "q", 0, DELAY));
        store().failed(poison(OTHER, TRIGGER, "d", 9, DeadReason.POISON), LATER);

        List<DeadLetter> first = control().list(ACME, Filter.ALL, 0, 2);
        assertEquals(List.of("a", "b"), keys(first));
        assertEquals(
                List.of("c"),
                keys(control().list(ACME, Filter.ALL, first.getLast().id(), 2)));
        assertEquals(
                List.of("b", "c"), keys(list(ACME, filter(Optional.of(TRIGGER), Optional.empty(), Optional.empty()))));
        assertEquals(
                List.of("b"),
                keys(list(ACME, filter(Optional.empty(), Optional.of(DeadReason.VALIDATION), Optional.empty()))));
        assertEquals(
                List.of("c"), keys(list(ACME, filter(Optional.empty(), Optional.empty(), Optional.of(State.DEAD)))));
        Filter ofRun = new Filter(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                poison("a").run(),
                OptionalLong.empty(),
                Optional.empty());
        assertEquals(List.of("a"), keys(list(ACME, ofRun)));
        Filter before = new Filter(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.of(first.getFirst().failedAt()));
        assertEquals(List.of(), list(ACME, before));
    }

    private static Filter filter(Optional<DeadSource> source, Optional<DeadReason> reason, Optional<State> state) {
        return new Filter(source, reason, state, Optional.empty(), OptionalLong.empty(), Optional.empty());
    }

    @Test
    void aRequeuedLetterIsDueAtOnceAndItsRetriesCountAnew() throws JournalException {
        store().failed(poison("a"), new DeadLetterConfig(true, "q", 0, DELAY));
        long id = only().id();

        assertEquals(0, control().requeue(OTHER, Filter.of(id), 1, Duration.ZERO, DEED));
        assertEquals(1, control().requeue(ACME, Filter.of(id), 1, Duration.ZERO, DEED));
        assertEquals(State.WAITING, only().state());
        List<DeadLetter> due = take(TWICE);
        assertEquals(1, due.size());
        assertEquals(2, due.getFirst().attempts());
        store().failed(ACME, id, DeadReason.POISON, "again", TWICE);
        assertEquals(State.WAITING, only().state(), "one retry of two");

        List<Done> deeds = control().deeds(ACME, id, 10);
        assertEquals(1, deeds.size());
        assertEquals(Act.REQUEUE, deeds.getFirst().act());
        assertEquals(DEED, deeds.getFirst().deed());
        assertEquals(List.of(), control().deeds(OTHER, id, 10));
    }

    @Test
    void manyAreRequeuedApartUpToALimit() throws JournalException {
        DeadLetterConfig never = new DeadLetterConfig(true, "q", 0, DELAY);
        for (String key : List.of("a", "b", "c")) {
            store().failed(poison(key), never);
        }

        assertEquals(2, control().requeue(ACME, Filter.ALL, 2, Duration.ofHours(1), DEED));

        assertEquals(List.of("a"), keys(take(LATER)));
        List<DeadLetter> all = list(ACME, Filter.ALL);
        assertEquals(State.WAITING, all.get(1).state());
        assertTrue(all.get(1).dueAt().orElseThrow().isAfter(now().plusSeconds(3_000)));
        assertEquals(State.DEAD, all.get(2).state());
    }

    @Test
    void aPurgedLetterIsGoneAndItsDeedStays() throws JournalException {
        store().failed(poison("a"), LATER);
        store().failed(poison("b"), LATER);
        long id = list(ACME, Filter.ALL).getFirst().id();

        assertEquals(0, control().purge(OTHER, Filter.ALL, 10, DEED));
        assertEquals(1, control().purge(ACME, Filter.of(id), 1, DEED));

        assertEquals(Optional.empty(), control().find(ACME, id));
        assertEquals(List.of("b"), keys(list(ACME, Filter.ALL)));
        assertEquals(Act.PURGE, control().deeds(ACME, id, 10).getFirst().act());
        assertEquals(0, control().requeue(ACME, Filter.of(id), 1, Duration.ZERO, DEED));
    }

    @Test
    void ofThoseWhoPurgeAtOnceOneDoesItAndNothingIsRequeuedAfterwards() throws Exception {
        for (int round = 0; round < 5; round++) {
            store().failed(poison("a"), LATER);
            Filter one = Filter.of(only().id());
            List<Callable<Integer>> purges = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                purges.add(() -> control().purge(ACME, one, 1, DEED));
                purges.add(() -> {
                    int _ = control().requeue(ACME, one, 1, Duration.ZERO, DEED);
                    return 0;
                });
            }
            int purged = 0;
            try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
                for (Future<Integer> done : threads.invokeAll(purges)) {
                    purged += done.get();
                }
            }
            assertEquals(1, purged);
            assertEquals(List.of(), list(ACME, Filter.ALL));
            List<Done> deeds = control().deeds(ACME, one.id().orElseThrow(), 10);
            assertEquals(1, deeds.stream().filter(it -> it.act() == Act.PURGE).count());
            Instant gone = deeds.stream()
                    .filter(it -> it.act() == Act.PURGE)
                    .map(Done::at)
                    .findFirst()
                    .orElseThrow();
            assertTrue(deeds.stream().noneMatch(it -> it.at().isAfter(gone)), "nothing was done to what was gone");
        }
    }
}
