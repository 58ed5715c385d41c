package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

/** What becomes of timers and of input while a run is suspended (R25). */
public record HoldPolicy(TimerRule timers, InputRule input) {
    /** Timers stand still, input waits. */
    public static final HoldPolicy DEFAULT = new HoldPolicy(TimerRule.FREEZE, InputRule.BUFFER);

    public HoldPolicy {
        requireNonNull(timers);
        requireNonNull(input);
    }

    /** What becomes of timers. */
    public enum TimerRule {
        /** They keep what is left of their time, and go on with it. */
        FREEZE,
        /** They run on; those that fall due meanwhile go off when the run is resumed. */
        CATCH_UP
    }

    /** What becomes of what callers send. Answers of work that was handed out, and messages, are always kept. */
    public enum InputRule {
        /** It is recorded, and applied in its order when the run is resumed. */
        BUFFER,
        /** It is refused. */
        REJECT
    }
}
