package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;

/**
 * What operators have set for a whole scope that a run lies in: all runs of a workflow, of a tenant, of the system (R25).
 *
 * @param number of the change among all changes of settings, from 1; later ones have higher numbers
 * @param at when it was changed, by the clock of the database
 * @param policy of the suspension, or of the one that follows a drain
 * @param timeToLive of a drain: it becomes a suspension after that at the latest
 * @param scope whose setting it is, in the words of who keeps them
 */
public record Setting(
        long number, Instant at, Mode mode, HoldPolicy policy, Duration timeToLive, String reason, String scope) {
    public Setting {
        if (number < 1) {
            throw new IllegalArgumentException("settings are numbered from 1, not " + number);
        }
        requireNonNull(at);
        requireNonNull(mode);
        requireNonNull(policy);
        requireNonNull(timeToLive);
        if (timeToLive.isNegative()) {
            throw new IllegalArgumentException("a time to live is not negative");
        }
        requireNonNull(reason);
        requireNonNull(scope);
    }

    /** What the runs of a scope may do. */
    public enum Mode {
        /** Whatever they like. */
        GO,
        /** Live work may finish, nothing outside is newly started; then they are suspended. */
        DRAIN,
        /** Nothing is decided or dispatched. */
        SUSPEND
    }
}
