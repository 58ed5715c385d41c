package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import java.util.Locale;
import java.util.Optional;

/**
 * What became of an arrival.
 *
 * @param code why nothing was started, as its sender was told
 * @param detail the same, for people
 * @param run that it started, now or before
 */
public record Result(Outcome outcome, Optional<String> code, Optional<String> detail, Optional<RunId> run) {
    private static final int LONGEST = 1_000;

    /** In one word. */
    public enum Outcome {
        STARTED,
        REPEATED,
        /** Signals were sent to whoever waits for them. */
        SIGNALED,
        IGNORED,
        REFUSED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Result {
        requireNonNull(outcome);
        requireNonNull(code);
        detail = detail.map(text -> text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…");
        requireNonNull(run);
    }

    public static Result started(RunId run) {
        return new Result(Outcome.STARTED, Optional.empty(), Optional.empty(), Optional.of(run));
    }

    public static Result repeated(RunId run) {
        return new Result(Outcome.REPEATED, Optional.empty(), Optional.empty(), Optional.of(run));
    }

    public static Result signaled(String detail) {
        return new Result(Outcome.SIGNALED, Optional.empty(), Optional.of(detail), Optional.empty());
    }

    public static Result ignored(String detail) {
        return new Result(Outcome.IGNORED, Optional.empty(), Optional.of(detail), Optional.empty());
    }

    public static Result refused(String code, String detail) {
        return new Result(Outcome.REFUSED, Optional.of(code), Optional.of(detail), Optional.empty());
    }
}
