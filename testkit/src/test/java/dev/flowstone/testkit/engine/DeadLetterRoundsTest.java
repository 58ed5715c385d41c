package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadLetterBox;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetterRounds;
import dev.flowstone.engine.dead.DeadLetters.Filter;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.Retrier.Retried;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the engine leaves as dead letters, and tries again. */
final class DeadLetterRoundsTest {
    private static final TenantId TENANT = new TenantId("acme");
    private static final DeadLetterConfig CONFIG = new DeadLetterConfig(true, "q", 1, Duration.ofMinutes(5));

    private final VirtualClock clock = VirtualClock.start();
    private final Ports ports = new InMemoryDatabase(clock, 2).ports();
    private final DeadLetterBox box = new DeadLetterBox(ports.deadLetters(), CONFIG, Runnable::run);
    private final DeadLetterRounds rounds = new DeadLetterRounds(ports.deadLetters(), CONFIG, Runnable::run);
    private final InboxMessage message = new InboxMessage(
            new InboxKey(TENANT, "run", "a/1/b"),
            RunId.of(clock.now(), new Slot(7), 1),
            "letter",
            JsonObject.builder().put("text", "grue").build(),
            clock.now());

    private List<DeadLetter> letters() throws Exception {
        return ports.deadLetters().control().list(TENANT, Filter.ALL, 0, 10);
    }

    private int round() throws Exception {
        clock.advance(CONFIG.delay());
        return rounds.round(ports.leases().shards());
    }

    @Test
    void whereNoneAreKeptNothingIs() throws Exception {
        DeadLetterConfig off = new DeadLetterConfig(false, "q", 1, Duration.ofMinutes(5));

        new DeadLetterBox(ports.deadLetters(), off, Runnable::run).message(message, DeadReason.POISON, "no");

        assertEquals(List.of(), letters());
    }

    @Test
    void anAttemptIsTheMessageAgainAndItsFailureTheLettersOwn() throws Exception {
        box.message(message, DeadReason.DESERIALIZATION, "no");
        List<InboxMessage> attempts = new ArrayList<>();
        rounds.retry(DeadSource.MESSAGE, letter -> {
            attempts.add(DeadLetterBox.attempt(letter, clock.now()));
            return CompletableFuture.completedFuture(new Retried.Unknown());
        });

        assertEquals(1, round());
        InboxMessage attempt = attempts.getFirst();
        assertEquals(message.run(), attempt.run());
        assertEquals(message.kind(), attempt.kind());
        assertEquals(message.content(), attempt.content());
        box.message(attempt, DeadReason.POISON, "still not");

        DeadLetter letter = letters().getFirst();
        assertEquals(1, letters().size());
        assertEquals(State.DEAD, letter.state());
        assertEquals("still not", letter.error());
        assertEquals(2, letter.attempts());
        assertEquals(0, round());
    }

    @Test
    void anAttemptThatIsTakenUpEndsTheLetter() throws Exception {
        box.message(message, DeadReason.POISON, "no");
        DeadLetter letter = letters().getFirst();

        box.taken(message.key());
        assertEquals(1, letters().size(), "that is no attempt");
        box.taken(DeadLetterBox.attempt(letter, clock.now()).key());
        assertEquals(List.of(), letters());
    }

    @Test
    void whatARetrierSaysIsWhatBecomesOfTheLetter() throws Exception {
        box.message(message, DeadReason.POISON, "no");
        assertEquals(0, round(), "nobody retries it");
        rounds.retry(DeadSource.MESSAGE, letter -> {
            throw new IllegalStateException("a bug");
        });
        assertEquals(1, round());
        assertEquals(State.DEAD, letters().getFirst().state());
        assertEquals(
                "java.lang.IllegalStateException: a bug", letters().getFirst().error());

        box.message(
                new InboxMessage(
                        new InboxKey(TENANT, "run", "a/2/b"),
                        message.run(),
                        message.kind(),
                        message.content(),
                        clock.now()),
                DeadReason.POISON,
                "no");
        rounds.retry(DeadSource.MESSAGE, letter -> CompletableFuture.completedFuture(new Retried.Done()));
        assertEquals(1, round());
        assertEquals(1, letters().size());
    }

    /** What was answered is stored by the next round. */
    private Duration pauseOf(int attempts) throws Exception {
        assertEquals(1, round());
        assertEquals(attempts, letters().getFirst().attempts());
        int _ = rounds.round(ports.leases().shards());
        return Duration.between(clock.now(), letters().getFirst().dueAt().orElseThrow());
    }

    @Test
    void whatCannotBeTakenUpYetIsTriedEverLaterAndIsDeadAfterADay() throws Exception {
        box.message(message, DeadReason.POISON, "no");
        rounds.retry(
                DeadSource.MESSAGE,
                letter -> CompletableFuture.completedFuture(new Retried.NotYet("QUOTA: much", Duration.ofSeconds(1))));

        List<Duration> pauses = new ArrayList<>();
        for (int attempts = 2; attempts <= 8; attempts++) {
            pauses.add(pauseOf(attempts));
        }
        assertEquals(
                List.of(30L, 60L, 120L, 240L, 300L, 300L, 300L),
                pauses.stream().map(Duration::toSeconds).toList());

        clock.advance(DeadLetterRounds.OLDEST);
        assertEquals(1, round());
        DeadLetter dead = letters().getFirst();
        assertEquals(State.DEAD, dead.state());
        assertEquals(DeadReason.EXHAUSTED, dead.reason());
        assertTrue(dead.error().contains("within a day: QUOTA: much"), dead.error());
    }

    @Test
    void whoeverSaysHowLongItIsToStayAwayIsHeard() throws Exception {
        box.message(message, DeadReason.POISON, "no");
        List<Duration> asked = List.of(Duration.ofMinutes(12), Duration.ofDays(9), Duration.ZERO);
        rounds.retry(
                DeadSource.MESSAGE,
                letter -> CompletableFuture.completedFuture(
                        new Retried.NotYet("busy", asked.get(letter.attempts() - 2))));

        assertEquals(Duration.ofMinutes(12), pauseOf(2));
        clock.advance(Duration.ofMinutes(12));
        assertEquals(Duration.ofHours(1), pauseOf(3), "nobody is waited for longer");
        clock.advance(Duration.ofHours(1));
        assertEquals(Duration.ofMinutes(2), pauseOf(4));
    }

    @Test
    void whereTheDelayIsShortThePausesBeginWithIt() throws Exception {
        DeadLetterConfig brief = new DeadLetterConfig(true, "q", 1, Duration.ofSeconds(1));
        new DeadLetterBox(ports.deadLetters(), brief, Runnable::run).message(message, DeadReason.POISON, "no");
        DeadLetterRounds often = new DeadLetterRounds(ports.deadLetters(), brief, Runnable::run);
        often.retry(
                DeadSource.MESSAGE,
                letter -> CompletableFuture.completedFuture(new Retried.NotYet("busy", Duration.ZERO)));
        for (long seconds : List.of(1L, 2L, 4L)) {
            clock.advance(Duration.ofSeconds(seconds));
            assertEquals(1, often.round(ports.leases().shards()));
            assertEquals(0, often.round(ports.leases().shards()));
            assertEquals(
                    Optional.of(clock.now().plusSeconds(seconds)),
                    letters().getFirst().dueAt());
        }
    }
}
