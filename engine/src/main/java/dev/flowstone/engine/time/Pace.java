package dev.flowstone.engine.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * An even pace that allows bursts. What it goes by is one number, to be kept by its user: when the next one would be due, had all
 * before it been spread evenly. Times are nanoseconds since 1970.
 *
 * @param step from one to the next
 * @param burst that may come at once, as the time that they would take evenly; shorter than a step is a burst of one
 */
public record Pace(long step, long burst) {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /**
     * So many a second.
     *
     * @param perSecond a {@link #isRate rate} other than 0
     */
    public static Pace of(double perSecond, Duration burst) {
        return new Pace(Math.max(1, Math.round(SECOND / perSecond)), burst.toNanos());
    }

    /** Whether it is a number a second: none, or one that can be kept. */
    public static boolean isRate(double perSecond) {
        return perSecond == 0 || (perSecond >= 1e-6 && perSecond <= 1e9);
    }

    public static long nanos(Instant at) {
        return TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano();
    }

    /**
     * When the next one is due. Whoever read the clock a little earlier may come later; and a clock that was set back keeps
     * nobody out for longer than a whole burst would have.
     */
    public long next(long due, long now) {
        long latest = now + Math.max(burst, step);
        long next = Math.max(now, due);
        return next > latest + SECOND ? latest : next;
    }

    /** How long before the next one may come, if it is due then; not positive if it may now. */
    public long early(long next, long now) {
        return next - now - Math.max(0, burst - step);
    }
}
