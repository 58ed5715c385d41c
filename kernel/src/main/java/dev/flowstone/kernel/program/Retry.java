package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How often and how patiently a task is tried (R11). The delay before attempt n+1 is {@code base × factor^(n-1)}, at most
 * {@code cap}; with jitter, a random point between half of it and all of it.
 *
 * @param attempts in all, the first one included; at least 1
 * @param factor at least 1
 */
public record Retry(int attempts, Duration base, double factor, Duration cap, boolean jitter) {
    public static final Retry NONE = new Retry(1, Duration.ZERO, 1, Duration.ZERO, false);

    public Retry {
        requireNonNull(base);
        requireNonNull(cap);
        if (attempts < 1 || base.isNegative() || cap.isNegative() || !(factor >= 1) || !Double.isFinite(factor)) {
            throw new IllegalArgumentException("not a retry rule: " + attempts + " × " + base + " × " + factor);
        }
    }
}
