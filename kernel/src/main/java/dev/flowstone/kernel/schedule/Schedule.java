package dev.flowstone.kernel.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** Times that come again by the calendar and the wall clock, such as "at 09:30 on the last working day of a month". Immutable. */
public interface Schedule {
    /** The text that it was read from. */
    String expression();

    /**
     * The first due time after {@code from}, or empty if there is none before the year 10000. Found in a bounded number of
     * steps, also when there is none.
     *
     * @param inclusive whether {@code from} itself counts if it is due. A time that daylight saving has moved there doesn't
     *     make it due: whoever goes on from the time it was given never gets it twice
     */
    Optional<Due> next(ZoneId zone, Instant from, boolean inclusive);

    /** Whether there is no such day in any year, as for 30 February. */
    boolean isNever();
}
