package dev.flowstone.engine.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.read.FeedPlace;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How far a subscription has come in one stream.
 *
 * @param turn another one whenever somebody has moved it by hand
 * @param delivered events since the subscription was made
 * @param failingSince since when it doesn't move though it should, without the time in which nobody tried
 * @param blocked what can't be delivered
 */
public record StreamCursor(
        int stream,
        FeedPlace place,
        long turn,
        long delivered,
        Optional<Failure> failure,
        Optional<Instant> failingSince,
        Optional<Blocked> blocked) {
    public StreamCursor {
        requireNonNull(place);
        requireNonNull(failure);
        requireNonNull(failingSince);
        requireNonNull(blocked);
    }

    /** As somebody takes it on: the time since the last failure, in which nobody tried, doesn't count as failing. */
    public StreamCursor takenOn(Instant now) {
        Optional<Instant> since = failingSince.flatMap(began -> failure.map(Failure::at)
                .map(last -> last.isAfter(began) ? now.minus(Duration.between(began, last)) : now));
        return new StreamCursor(stream, place, turn, delivered, failure, since, blocked);
    }

    /** What went wrong last. */
    public record Failure(Instant at, String error) {
        public Failure {
            requireNonNull(at);
            requireNonNull(error);
        }
    }

    /**
     * An event that holds up those behind it.
     *
     * @param event its id, RUN/SEQUENCE
     * @param behind the place behind it
     */
    public record Blocked(String event, FeedPlace behind) {
        public Blocked {
            requireNonNull(event);
            requireNonNull(behind);
        }
    }
}
