package dev.flowstone.engine.dead;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetterStore.Postponed;
import dev.flowstone.engine.dead.Retrier.Retried.NotYet;
import dev.flowstone.engine.journal.JournalException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What couldn't be taken up yet, until it is stored that it is tried again later. What is lost here with its node is due again after the
 * delay, as what nothing was heard of. Thread-safe.
 */
final class Postponing {
    /** The first pause, unless the delay is shorter; each next one is twice as long. */
    private static final Duration FIRST = Duration.ofSeconds(30);

    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** Whoever asks for more is asked before. */
    private static final Duration LONGEST_ASKED = Duration.ofHours(1);

    private static final int MOST_DOUBLINGS = 20;
    private static final int PAGE = 1_000;

    private final DeadLetterStore store;
    private final DeadLetterConfig config;
    private final Queue<Postponed> waiting = new ConcurrentLinkedQueue<>();

    Postponing(DeadLetterStore store, DeadLetterConfig config) {
        this.store = requireNonNull(store);
        this.config = requireNonNull(config);
    }

    /** Whether it failed first so long before it was taken that it isn't tried any more, in the store's time. */
    boolean isTooOld(DeadLetter taken) {
        Optional<Duration> age =
                taken.dueAt().map(due -> Duration.between(taken.enqueuedAt(), due.minus(config.delay())));
        return age.filter(it -> it.compareTo(DeadLetterRounds.OLDEST) >= 0).isPresent();
    }

    void add(DeadLetter taken, NotYet answer) {
        waiting.add(new Postponed(taken, pause(taken.attempts(), answer.retryAfter())));
    }

    /** @param attempts the first and this one included */
    private Duration pause(int attempts, Duration asked) {
        Duration grown =
                shorter(FIRST, config.delay()).multipliedBy(1L << Math.clamp(attempts - 2L, 0, MOST_DOUBLINGS));
        Duration own = shorter(grown, LONGEST);
        Duration least = shorter(asked, LONGEST_ASKED);
        return own.compareTo(least) < 0 ? least : own;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Stores what has come; what can't be stored stays. */
    void store() throws JournalException {
        List<Postponed> page = new ArrayList<>();
        for (Postponed next = waiting.poll(); next != null; next = page.size() < PAGE ? waiting.poll() : null) {
            page.add(next);
        }
        if (page.isEmpty()) {
            return;
        }
        try {
            store.postponed(page);
        } catch (JournalException e) {
            waiting.addAll(page);
            throw e;
        }
    }
}
