package dev.flowstone.engine.time;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A shard's estimate of database time (rule R2): its own clock, moved by what the lease's grant or the last commit's reply
 * said. Goes back only to what the database says, and not because its own clock does. In microseconds. Not thread-safe: it
 * belongs to its shard's loop.
 */
public final class DatabaseTime {
    private final Clock clock;
    private volatile Duration offset = Duration.ZERO;
    private Instant last = Instant.EPOCH;

    public DatabaseTime(Clock clock) {
        this.clock = requireNonNull(clock);
    }

    public Instant now() {
        Instant estimate = clock.now().plus(offset).truncatedTo(ChronoUnit.MICROS);
        if (estimate.isAfter(last)) {
            last = estimate;
        }
        return last;
    }

    /**
     * Learns what the database's clock said just now. If this machine's clock was ahead when it was asked last, time would
     * else stand still until the database had caught up: timers would be late and times wrong for as long.
     */
    public void correct(Instant databaseTime) {
        offset = Duration.between(clock.now(), databaseTime);
        if (databaseTime.isBefore(last)) {
            last = databaseTime.truncatedTo(ChronoUnit.MICROS);
        }
    }

    /** By how much this machine's clock was ahead when the database's was last known. Thread-safe. */
    public Duration ahead() {
        return offset.negated();
    }

    /** When this machine's clock will have reached an instant of database time. */
    public Instant local(Instant databaseTime) {
        return databaseTime.minus(offset);
    }
}
