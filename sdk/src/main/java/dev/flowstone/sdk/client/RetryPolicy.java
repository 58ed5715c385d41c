package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Backoff;
import java.time.Duration;

/**
 * How often a call that may be repeated is sent, and how long its caller waits for it, pauses included. A pause that the server
 * asks for is kept, if there is time for it; else its refusal is thrown at once.
 *
 * @param attempts at most, the first included; 1 repeats nothing
 * @param pauses between them, growing and random
 * @param deadline for all of them together
 */
public record RetryPolicy(int attempts, Backoff pauses, Duration deadline) {
    /**
     * A minute and a half, which has room for two attempts without an answer and for a server's restart; pauses from 100 ms to 10 s.
     * There are attempts enough for all that time, however short the random pauses are.
     */
    public static final RetryPolicy DEFAULT = new RetryPolicy(30, Backoff.DEFAULT, Duration.ofSeconds(90));

    public RetryPolicy {
        requireNonNull(pauses);
        requireNonNull(deadline);
        if (attempts < 1 || attempts > 1_000) {
            throw new IllegalArgumentException("a call has 1 to 1,000 attempts");
        }
        if (!deadline.isPositive() || deadline.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("a call's deadline is longer than nothing, and a day at most");
        }
    }

    /** Each call is sent once. */
    public static RetryPolicy none() {
        return DEFAULT.withAttempts(1);
    }

    public RetryPolicy withAttempts(int most) {
        return new RetryPolicy(most, pauses, deadline);
    }

    public RetryPolicy withPauses(Backoff other) {
        return new RetryPolicy(attempts, other, deadline);
    }

    public RetryPolicy withDeadline(Duration other) {
        return new RetryPolicy(attempts, pauses, other);
    }
}
