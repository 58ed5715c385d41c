package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.http.Caller;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Who reads, and how long they may without showing anew who they are. */
record Visitor(Caller caller, InstantSource clock) {
    Visitor {
        requireNonNull(caller);
        requireNonNull(clock);
    }

    boolean isOver() {
        return caller.until().filter(end -> !clock.instant().isBefore(end)).isPresent();
    }

    /** So long, or only as long as they may. */
    Duration atMost(Duration time) {
        Instant now = clock.instant();
        return caller.until()
                .map(end -> Duration.between(now, end))
                .filter(left -> left.compareTo(time) < 0)
                .orElse(time);
    }
}
