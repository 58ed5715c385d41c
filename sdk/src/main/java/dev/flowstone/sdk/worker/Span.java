package dev.flowstone.sdk.worker;

import java.time.Duration;

/** Bounds on times. */
final class Span {
    /** What is longer is as good as this, and this has a number of nanoseconds. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    /** For an answer that isn't waited for on purpose. */
    static final Duration ANSWER = Duration.ofSeconds(40);

    private Span() {}
}
