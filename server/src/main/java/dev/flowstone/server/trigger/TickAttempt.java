package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import dev.flowstone.server.http.ProblemCode;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt at an open tick. What can't be started for now is tried for an hour from the first attempt on, whatever keeps it; what
 * nobody has tried for a day is late. Before it is refused somebody looks whether an earlier attempt has started it. Thread-safe; blocks.
 */
final class TickAttempt {
    /** From the first attempt on. */
    static final Duration PATIENCE = Duration.ofHours(1);

    /** From when it was claimed; far less than receipts are kept, without which a tick would start twice. */
    static final Duration OLDEST = Duration.ofDays(1);

    private static final System.Logger LOG = System.getLogger(TickAttempt.class.getName());

    private final TickStarter starter;
    private final RulesCache rules;

    TickAttempt(TickStarter starter, RulesCache rules) {
        this.starter = requireNonNull(starter);
        this.rules = requireNonNull(rules);
    }

    /** What came of it. */
    sealed interface Ended {
        /** For good. */
        record Over(Result result) implements Ended {}

        /**
         * Not now.
         *
         * @param isOverQuota whether the same holds for all of its tenant
         */
        record Later(Duration retryAfter, boolean isOverQuota) implements Ended {}
    }

    /** @param now in database time */
    Ended at(OpenTick tick, Instant now) {
        boolean isLast = tick.firstTried().isPresent()
                && now.isAfter(tick.firstTried().get().plus(PATIENCE));
        boolean isOld = now.isAfter(tick.arrival().receivedAt().plus(OLDEST));
        try {
            return attempt(tick, isLast, isOld);
        } catch (JournalException | RuntimeException | Error e) {
            boolean isData = e instanceof JournalException.BadData;
            if (tick.tries() == 0) {
                LOG.log(
                        e instanceof JournalException && !isData ? Level.WARNING : Level.ERROR,
                        "a tick of trigger " + tick.arrival().trigger().id()
                                + (isData ? " can't be started" : " is tried again"),
                        e);
            }
            return isLast || isOld || isData ? failed(tick, e) : later(Duration.ZERO);
        }
    }

    private Ended failed(OpenTick tick, Throwable fault) {
        return switch (fault) {
            case JournalException.BadData _ ->
                refused(tick, ProblemCode.INVALID_REQUEST, "something in it can't be stored");
            case JournalException _ ->
                refused(tick, ProblemCode.UNAVAILABLE, "the database did not answer for an hour");
            default -> refused(tick, ProblemCode.INTERNAL, "a fault of ours, for an hour; the log tells of it");
        };
    }

    private Ended attempt(OpenTick tick, boolean isLast, boolean isOld) throws JournalException {
        Trigger trigger = tick.trigger()
                .orElseThrow(() -> new IllegalStateException("the trigger can't be read; the log says why"));
        if (isOld) {
            return refused(tick, ProblemCode.UNAVAILABLE, "it could not be started within a day");
        }
        Launched launched =
                starter.launch(trigger, tick.arrival(), rules.of(trigger).payload(tick.tick()));
        if (launched.isForNow() && !isLast) {
            return new Ended.Later(launched.retryAfter(), launched.isOverQuota());
        }
        if (launched.isForNow() || launched.isAsTheTriggerIs()) {
            launched = starter.before(trigger, tick.arrival()).orElse(launched);
        }
        return new Ended.Over(launched.result());
    }

    private static Ended later(Duration retryAfter) {
        return new Ended.Later(retryAfter, false);
    }

    /** Unless it was started. */
    private Ended refused(OpenTick tick, ProblemCode code, String detail) {
        try {
            Optional<Launched> before = tick.trigger().isPresent()
                    ? starter.before(tick.trigger().get(), tick.arrival())
                    : Optional.empty();
            return new Ended.Over(before.map(Launched::result).orElseGet(() -> Result.refused(code.name(), detail)));
        } catch (JournalException | RuntimeException | Error e) {
            return later(Duration.ZERO);
        }
    }
}
