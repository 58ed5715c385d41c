package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadLetterStore.Depth;
import dev.flowstone.engine.dead.DeadLetterStore.Failed;
import dev.flowstone.engine.dead.DeadLetterStore.Pair;
import dev.flowstone.engine.dead.DeadLetterStore.Postponed;
import dev.flowstone.engine.dead.DeadLetterStore.Taken;
import dev.flowstone.engine.dead.DeadLetters;
import dev.flowstone.engine.dead.DeadLetters.Filter;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.engine.effect.OutboxControl.Act;
import dev.flowstone.engine.effect.OutboxControl.Deed;
import dev.flowstone.engine.effect.OutboxControl.Done;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
    private static final DeadLetterConfig ONCE = new DeadLetterConfig(true, "q", 1, DELAY);
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
        return taken(config).due();
    }

    private Taken taken(DeadLetterConfig config) throws JournalException {
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
    void depthsAreOfAllTenantsBySourceAndState() throws JournalException {
        assertEquals(List.of(), store().depths(10));
        store().failed(poison("a"), LATER);
        Instant first = only().enqueuedAt();
        store().failed(poison("b"), LATER);
        store().failed(poison(OTHER, DeadSource.MESSAGE, "a", 7, DeadReason.POISON), LATER);
        store().failed(poison(ACME, TRIGGER, "a", 7, DeadReason.POISON), new DeadLetterConfig(true, "q", 0, DELAY));

        List<Depth> depths = store().depths(10).stream()
                .sorted(Comparator.comparing(depth -> depth.source().name()))
                .toList();

        assertEquals(2, depths.size());
        assertEquals(new Depth(DeadSource.MESSAGE, State.WAITING, 3, first), depths.getFirst());
        assertEquals(TRIGGER, depths.getLast().source());
        assertEquals(State.DEAD, depths.getLast().state());
        assertEquals(1, depths.getLast().count());
        assertEquals(2, store().depths(2).stream().mapToLong(Depth::count).sum(), "it looks at so many only");
    }

    @Test
    void oneThatFailsAgainIsTheSameLetter() throws JournalException {
        assertTrue(store().failed(poison("a"), LATER).fresh());
        long id = only().id();
        assertFalse(store().failed(poison(ACME, DeadSource.MESSAGE, "a", 7, DeadReason.DESERIALIZATION), LATER)
                .fresh());
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
    void oneAttemptIsMadeAtATime() throws JournalException {
        store().failed(poison("a"), TWICE);
        pass(DELAY);

        assertEquals(List.of("a"), keys(take(LATER)));
        assertEquals(List.of(), take(LATER));
    }

    @Test
    void whatCannotBeTakenUpYetIsTriedAfterAPauseAndThatIsNoRetry() throws JournalException {
        store().failed(poison("a"), TWICE);
        store().failed(poison(OTHER, TRIGGER, "b", 9, DeadReason.POISON), TWICE);
        for (int attempt = 2; attempt <= 6; attempt++) {
            pass(DELAY);
            List<DeadLetter> due = take(TWICE);
            assertEquals(List.of("a", "b"), keys(due));
            store().postponed(due.stream().map(it -> new Postponed(it, DELAY)).toList());
            assertEquals(attempt, only().attempts());
            assertEquals(State.WAITING, only().state());
        }
        pass(DELAY);
        List<DeadLetter> last = take(TWICE);
        assertEquals(List.of("a", "b"), keys(last));
        Instant before = now();

        store().postponed(List.of(
                new Postponed(last.getFirst(), Duration.ofMinutes(3)),
                new Postponed(last.getLast(), Duration.ofMinutes(5))));

        assertPause(Duration.ofMinutes(3), before, only());
        assertPause(Duration.ofMinutes(5), before, list(OTHER, Filter.ALL).getFirst());
        pass(DELAY);
        assertEquals(List.of(), take(TWICE));
    }

    private void assertPause(Duration pause, Instant before, DeadLetter letter) {
        Instant due = letter.dueAt().orElseThrow();
        assertFalse(due.isBefore(before.plus(pause).minusSeconds(1)), due::toString);
        assertFalse(due.isAfter(now().plus(pause).plusSeconds(1)), due::toString);
    }

    @Test
    void whoPostponesLateChangesNothing() throws JournalException {
        store().failed(poison("a"), TWICE);
        pass(DELAY);
        DeadLetter first = take(TWICE).getFirst();
        pass(DELAY);
        DeadLetter second = take(TWICE).getFirst();

        store().postponed(List.of(new Postponed(first, Duration.ofHours(1))));
        assertEquals(second.dueAt(), only().dueAt(), "there was another attempt since");
        store().failed(ACME, second.id(), DeadReason.POISON, "no", LATER);
        DeadLetter failed = only();
        store().postponed(List.of(new Postponed(second, Duration.ofHours(1))));
        assertEquals(failed, only(), "it failed since");
        store().resolved(ACME, second.id());
        store().postponed(List.of(new Postponed(second, DELAY)));
        store().postponed(List.of());
        assertEquals(List.of(), list(ACME, Filter.ALL));
    }

    @Test
    void tenantsAndSourcesTakeTurns() throws JournalException {
        for (int i = 1; i <= 6; i++) {
            store().failed(poison(ACME, TRIGGER, "many" + i, i, DeadReason.POISON), TWICE);
            pass(Duration.ofMillis(1));
        }
        store().failed(poison(OTHER, TRIGGER, "theirs", 9, DeadReason.POISON), TWICE);
        store().failed(poison(ACME, DeadSource.MESSAGE, "own", 9, DeadReason.POISON), TWICE);
        store().failed(poison(OTHER, DeadSource.MESSAGE, "far", 9, DeadReason.POISON), LATER);
        pass(DELAY);

        assertEquals(Set.of("many1", "theirs", "own"), Set.copyOf(keys(takeOf(3))), "one of each line");
        assertEquals(List.of("many2", "many3"), keys(takeOf(2)), "nobody else waits");
        store().failed(poison(OTHER, TRIGGER, "theirs2", 9, DeadReason.POISON), TWICE);
        pass(DELAY);
        assertEquals(Set.of("many4", "theirs2"), Set.copyOf(keys(takeOf(2))));
        assertEquals(List.of("many5", "many6"), keys(takeOf(100)));
    }

    private List<DeadLetter> takeOf(int limit) throws JournalException {
        return store().take(ports().leases().shards(), ALL, limit, LATER).due();
    }

    @Test
    void howManyOfATenantWaitIsCountedUpToABound() throws JournalException {
        for (String key : List.of("a", "b", "c")) {
            store().failed(poison(ACME, TRIGGER, key, 7, DeadReason.POISON), LATER);
        }
        store().failed(poison(ACME, TRIGGER, "dead", 7, DeadReason.POISON), new DeadLetterConfig(true, "q", 0, DELAY));
        store().failed(poison("a"), LATER);
        store().failed(poison(OTHER, TRIGGER, "a", 7, DeadReason.POISON), LATER);

        assertEquals(3, store().waiting(ACME, TRIGGER, 10));
        assertEquals(2, store().waiting(ACME, TRIGGER, 2));
        assertEquals(1, store().waiting(ACME, DeadSource.MESSAGE, 10));
        assertEquals(0, store().waiting(OTHER, DeadSource.MESSAGE, 10));
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
    void itIsToldOnceThatOneIsDead() throws JournalException {
        assertEquals(new Failed(true, true), store().failed(poison("a"), new DeadLetterConfig(true, "q", 0, DELAY)));
        assertEquals(new Failed(true, false), store().failed(poison("b"), ONCE));
        pass(DELAY);
        long id = take(ONCE).getFirst().id();
        assertEquals(new Failed(false, true), store().failed(poison("b"), ONCE));
        assertEquals(new Failed(false, true), store().failed(ACME, id, DeadReason.POISON, "again", ONCE));
        assertEquals(Failed.NOTHING, store().failed(OTHER, id, DeadReason.POISON, "not theirs", ONCE));

        store().failed(poison("c"), ONCE);
        pass(DELAY);
        assertEquals(List.of("c"), keys(taken(ONCE).due()));
        pass(DELAY);
        assertEquals(List.of("c"), keys(taken(ONCE).dead()));
        assertEquals(Taken.NOTHING, taken(ONCE));
    }

    @Test
    void onlyTheFirstOfAPairIsTriedAlsoWhileItIsDead() throws JournalException {
        for (String key : List.of("a1", "a2", "b1", "a3")) {
            store().failed(letter(key), ONCE);
        }
        store().failed(poison("unordered"), ONCE);
        pass(DELAY);
        List<DeadLetter> due = take(ONCE);
        assertEquals(List.of("a1", "b1", "unordered"), keys(due), "one of each pair, by id");
        pass(DELAY);
        assertEquals(List.of("a1", "b1", "unordered"), keys(taken(ONCE).dead()), "nothing was heard of them");
        assertEquals(List.of(), take(ONCE), "they are held back behind one that is dead");
        List<DeadLetter> behind = store().behind(due.getFirst(), 10);
        assertEquals(List.of("a2", "a3"), keys(behind));
        assertEquals(List.of("a2"), keys(store().behind(due.getFirst(), 1)));
        assertEquals(List.of(), store().behind(due.getLast(), 10));

        assertEquals(1, control().requeue(ACME, Filter.of(due.getFirst().id()), 1, Duration.ZERO, DEED));
        assertEquals(List.of("a1"), keys(take(ONCE)));
        store().resolved(ACME, due.getFirst().id());
        assertEquals(List.of("a2"), keys(take(LATER)), "due at once");
        assertEquals(List.of(), take(LATER), "as long as nothing is heard of it");
        assertEquals(1, control().purge(ACME, Filter.of(behind.getFirst().id()), 1, DEED));
        assertEquals(List.of("a3"), keys(take(LATER)));
    }

    /** A letter of a pair that is named by the first letter of its key. */
    private PoisonMessage letter(String key) {
        RunId sender = RunId.of(Instant.parse("2026-11-30T00:00:00Z"), new Slot(3), key.charAt(0));
        PoisonMessage one = poison("to");
        return new PoisonMessage(
                ACME,
                DeadSource.MESSAGE,
                key,
                one.slot(),
                one.run(),
                Optional.of(sender),
                DeadReason.POISON,
                PAYLOAD,
                "it fails");
    }

    private Pair pair(String key) {
        PoisonMessage one = letter(key);
        return new Pair(
                new RunKey(one.tenant(), one.run().orElseThrow()), one.sender().orElseThrow());
    }

    @Test
    void thePairsOfAShardAreReadInPages() throws JournalException {
        for (String key : List.of("a1", "a2", "b1", "c1")) {
            store().failed(letter(key), LATER);
        }
        store().failed(poison("unordered"), LATER);
        Shard mine = shardOf(letter("a1").slot());
        List<Pair> read = new ArrayList<>(store().pairs(mine, Optional.empty(), 2));
        assertEquals(2, read.size());
        read.addAll(store().pairs(mine, Optional.of(read.getLast()), 2));
        assertEquals(List.of(), store().pairs(mine, Optional.of(read.getLast()), 2));
        assertEquals(Set.of(pair("a"), pair("b"), pair("c")), Set.copyOf(read));
        assertEquals(3, read.size());
        for (Shard other : ports().leases().shards()) {
            assertTrue(other.equals(mine)
                    || store().pairs(other, Optional.empty(), 2).isEmpty());
        }

        assertTrue(store().has(pair("a")));
        assertEquals(false, store().has(pair("d")));
        Pair theirs = new Pair(
                new RunKey(OTHER, pair("a").receiver().run()), pair("a").sender());
        assertEquals(false, store().has(theirs));
    }

    private Shard shardOf(Slot slot) throws JournalException {
        return ports().leases().shards().stream()
                .filter(shard -> shard.holds(slot))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void oneThatWasOvertakenIsDeadAndHoldsBackNone() throws JournalException {
        store().failed(letter("a1"), TWICE);
        store().failed(letter("a2"), TWICE);
        pass(DELAY);
        DeadLetter first = take(TWICE).getFirst();

        store().overtaken(OTHER, first.id(), "not theirs");
        store().overtaken(ACME, first.id(), "it came too late");

        DeadLetter dead = control().find(ACME, first.id()).orElseThrow();
        assertEquals(State.DEAD, dead.state());
        assertEquals(DeadReason.VALIDATION, dead.reason());
        assertEquals("it came too late", dead.error());
        assertEquals(List.of("a2"), keys(take(TWICE)));
    }

    @Test
    void whatFailedSinceItWasTakenStays() throws JournalException {
        store().failed(poison("a"), TWICE);
        pass(DELAY);
        DeadLetter first = take(TWICE).getFirst();
        pass(DELAY);
        store().failed(poison("a"), TWICE);

        store().resolved(first);
        assertEquals("a", only().key(), "it failed after that attempt");
        DeadLetter second = take(TWICE).getFirst();
        store().resolved(second);
        assertEquals(List.of(), list(ACME, Filter.ALL));
    }

    @Test
    void theLettersOfARunAreDueAgainAlsoDeadOnes() throws JournalException {
        DeadLetterConfig never = new DeadLetterConfig(true, "q", 0, DELAY);
        store().failed(letter("a1"), never);
        store().failed(letter("b1"), LATER);
        store().failed(letter("a2"), never);
        store().failed(poison("another's"), never);
        PoisonMessage run = poison(ACME, DeadSource.EXECUTION, "to", 7, DeadReason.POISON);
        assertEquals(letter("a1").run(), run.run());
        store().failed(run, never);
        RunKey key = new RunKey(ACME, run.run().orElseThrow());

        store().dueAgain(new RunKey(OTHER, key.run()), ALL);
        assertEquals(List.of(), take(never));
        store().dueAgain(key, Set.of(DeadSource.MESSAGE));
        assertEquals(List.of("a1", "b1"), keys(take(never)));
        store().dueAgain(key, Set.of(DeadSource.EXECUTION));
        assertEquals(List.of("to"), keys(take(never)));
    }

    @Test
    void whatIsTakenUpIsGone() throws JournalException {
        store().failed(poison("a"), LATER);
        store().failed(poison("b"), LATER);
        long first = list(ACME, Filter.ALL).getFirst().id();

        store().resolved(OTHER, first);
        assertEquals(2, list(ACME, Filter.ALL).size());

        store().resolved(ACME, first);
        store().resolved(only());
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

        assertEquals(Taken.NOTHING, store().take(List.of(), ALL, 100, LATER));
        assertEquals(
                List.of("b"),
                keys(store().take(List.of(mine), Set.of(TRIGGER), 100, LATER).due()));
        assertEquals(
                List.of("a"), keys(store().take(List.of(mine), ALL, 100, LATER).due()));
        assertEquals(List.of("c"), keys(take(LATER)));
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
    void aRequeuedLetterIsTriedOnceAlsoWhereNothingIsRetried() throws JournalException {
        DeadLetterConfig never = new DeadLetterConfig(true, "q", 0, DELAY);
        store().failed(poison("a"), never);
        long id = only().id();
        for (int attempts = 2; attempts <= 3; attempts++) {
            assertEquals(1, control().requeue(ACME, Filter.of(id), 1, Duration.ZERO, DEED));
            assertEquals(attempts, take(never).getFirst().attempts());
            assertTrue(
                    store().failed(ACME, id, DeadReason.POISON, "again", never).dead());
            assertEquals(State.DEAD, only().state());
        }
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
