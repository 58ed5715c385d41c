package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * When runs began, to the millisecond, which their ids tell; an end that is empty is open.
 *
 * @param since inclusive
 * @param before exclusive
 */
public record Span(Optional<Instant> since, Optional<Instant> before) {
    public static final Span EVER = new Span(Optional.empty(), Optional.empty());

    public Span {
        since = requireNonNull(since).map(it -> it.truncatedTo(ChronoUnit.MILLIS));
        before = requireNonNull(before).map(it -> it.truncatedTo(ChronoUnit.MILLIS));
    }

    /** Whether a run that began then is one of them. */
    public boolean holds(Instant birth) {
        return since.map(it -> !birth.isBefore(it)).orElse(true)
                && before.map(birth::isBefore).orElse(true);
    }
}
