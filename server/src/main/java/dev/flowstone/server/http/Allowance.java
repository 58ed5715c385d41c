package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/**
 * What is left of a budget once a call was counted against it.
 *
 * @param whose budget, for people
 * @param most calls that it holds
 * @param left calls that may come at once
 * @param perMinute calls that it gets back
 * @param pause until it holds one again; empty if this call was let in
 */
public record Allowance(String whose, long most, long left, long perMinute, Optional<Duration> pause) {
    static final String LIMIT = "X-RateLimit-Limit";
    static final String REMAINING = "X-RateLimit-Remaining";

    public Allowance {
        requireNonNull(whose);
        requireNonNull(pause);
    }

    /** With what is left. */
    Reply on(Reply reply) {
        return reply.header(LIMIT, Long.toString(most)).header(REMAINING, Long.toString(left));
    }

    /** Goes on if the call was let in. */
    public void check() throws ProblemException {
        if (pause.isPresent()) {
            throw Problem.of(
                            ProblemCode.RATE_LIMITED,
                            "the budget of " + whose + " is used up: " + most + " at once, then " + perMinute
                                    + " a minute; nothing of this call was done")
                    .retryAfter(pause.get())
                    .exception();
        }
    }
}
