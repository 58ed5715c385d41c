package dev.flowstone.dialect.dag.definition;

import java.time.Duration;
import java.util.Optional;

/**
 * How patiently a node is tried; what is empty comes from the options.
 *
 * @param present whether the node has {@code policies} at all
 * @param maxAttempts of all attempts; 0 means 1
 */
public record Policies(
        boolean present,
        Optional<Duration> timeout,
        boolean rerenderOnRetry,
        Optional<Integer> maxAttempts,
        Optional<Duration> baseDelay,
        Optional<Double> backoffFactor,
        Optional<Boolean> jitter) {
    public static final Policies NONE = new Policies(
            false, Optional.empty(), false, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
