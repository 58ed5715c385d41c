package dev.flowstone.kernel.decision;

import java.time.Duration;

/**
 * Bounds on what runs tell each other; all configurable.
 *
 * @param signalBuffer signals that one channel keeps for awaits to come; further ones are refused
 * @param signalLife how long a signal is kept at most, whatever its sender asks for
 * @param dedupeLife for how long a repetition of a named signal is dropped
 * @param depth of a tree of runs: a run that nobody called has depth 0
 * @param recursion whether a workflow may be called below itself
 */
public record MessageBounds(int signalBuffer, Duration signalLife, Duration dedupeLife, int depth, boolean recursion) {
    public static final MessageBounds DEFAULT =
            new MessageBounds(1_000, Duration.ofDays(366), Duration.ofDays(1), 5, false);
}
