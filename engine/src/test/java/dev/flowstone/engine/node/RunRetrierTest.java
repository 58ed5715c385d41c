package dev.flowstone.engine.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.Retrier.Retried;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.mend.MendAnswer;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a run that was set aside counts as going on, and what comes with it. */
final class RunRetrierTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final RunKey RUN = new RunKey(new TenantId("acme"), RunId.of(NOON, new Slot(7), 1));
    private static final DeadLetter LETTER = new DeadLetter(
            RUN.tenant(),
            1,
            DeadSource.EXECUTION,
            RUN.run().toString(),
            Optional.of(RUN.run()),
            DeadReason.POISON,
            JsonObject.EMPTY,
            State.WAITING,
            2,
            Optional.of(NOON),
            "no",
            NOON,
            NOON);

    private final Set<RunKey> setAside = new HashSet<>();
    private final List<RunKey> woken = new ArrayList<>();
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private boolean away;
    private MendAnswer answer = new MendAnswer.Mended(3, List.of(), 0, 0);
    private final RunRetrier retrier = new RunRetrier(
            _ -> CompletableFuture.completedFuture(answer), () -> setAside, this::wake, Runnable::run, later::add);

    private void wake(RunKey run) throws JournalException {
        if (away) {
            throw new JournalException.Unavailable("no database");
        }
        woken.add(run);
    }

    @Test
    void oneThatGoesOnForAWhileIsNoLetterAnyMore() {
        CompletableFuture<Retried> retried = retrier.retry(LETTER);

        assertFalse(retried.isDone(), "it has had no time to fail");
        assertEquals(List.of(RUN), woken);
        later.remove().run();
        assertInstanceOf(Retried.Done.class, retried.join());
    }

    @Test
    void oneThatIsSetAsideAgainStaysALetterWithItsAttempts() {
        CompletableFuture<Retried> retried = retrier.retry(LETTER);

        setAside.add(RUN);
        later.remove().run();
        assertInstanceOf(Retried.Unknown.class, retried.join());
    }

    @Test
    void itStaysALetterAsLongAsItsMessagesCannotBeWoken() {
        away = true;
        assertInstanceOf(Retried.Unknown.class, retrier.retry(LETTER).join());
        answer = new MendAnswer.Over(RunStatus.SUCCEEDED);
        assertInstanceOf(Retried.Unknown.class, retrier.retry(LETTER).join());
        away = false;
        assertInstanceOf(Retried.Done.class, retrier.retry(LETTER).join());
    }

    @Test
    void oneThatIsDamagedHasFailed() {
        answer = new MendAnswer.Damaged("entry 3");
        assertEquals(
                new Retried.Failed(DeadReason.POISON, "entry 3"),
                retrier.retry(LETTER).join());
        assertEquals(List.of(), woken);
    }
}
