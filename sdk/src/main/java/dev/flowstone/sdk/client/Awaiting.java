package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Backoff;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits for an execution's end, by looking at it. A look that fails for a while, however long, is none: the wait lasts as long as
 * its caller says. For one thread.
 */
final class Awaiting {
    private static final Duration LONGEST = Duration.ofDays(365);

    /** For a look at the end of the time. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final Caller caller;
    private final Call look;
    private final Backoff pauses = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));
    private final long end;
    private Optional<String> tag = Optional.empty();
    private boolean seen;
    private @Nullable FlowstoneException failed;

    Awaiting(Caller caller, Call look, Duration atMost) {
        this.caller = requireNonNull(caller);
        this.look = requireNonNull(look);
        this.end = System.nanoTime() + (atMost.compareTo(LONGEST) < 0 ? atMost : LONGEST).toNanos();
    }

    /** The execution; empty if it isn't over in time. */
    Optional<Execution> end() {
        for (int looks = 1; ; looks++) {
            Optional<Execution> execution = look();
            if (execution.isPresent()) {
                return execution;
            }
            Duration left = left();
            if (!left.isPositive()) {
                return nothing();
            }
            Duration pause = pauses.after(looks);
            if (caller.isOverBefore(look, pause.compareTo(left) < 0 ? pause : left, caller.closed())) {
                return nothing();
            }
        }
    }

    /** Who has never had an answer isn't told that it goes on. */
    private Optional<Execution> nothing() {
        if (!seen && failed != null) {
            throw failed;
        }
        return Optional.empty();
    }

    private Duration left() {
        return Duration.ofNanos(end - System.nanoTime());
    }

    private Optional<Execution> look() {
        Call call = look.unless(tag);
        Duration left = left();
        try {
            Answered answered = caller.call(call, left.compareTo(LEAST) > 0 ? left : LEAST);
            seen = true;
            if (answered.status() == 304) {
                return Optional.empty();
            }
            tag = answered.tag();
            return Optional.of(caller.shaped(call, answered, it -> Execution.read(Tree.of(it.body()))))
                    .filter(Awaiting::isOver);
        } catch (FlowstoneException e) {
            if (!e.isRetryable()) {
                throw e;
            }
            failed = e;
            return Optional.empty();
        }
    }

    /** A newer server's status may be a final one that isn't known here; its end has a time all the same. */
    private static boolean isOver(Execution execution) {
        return execution.status().isOver() || execution.summary().endTime().isPresent();
    }
}
