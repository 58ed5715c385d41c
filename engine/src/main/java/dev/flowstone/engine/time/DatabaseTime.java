package dev.flowstone.engine.time;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A shard's estimate of database time (rule R2): its own clock, moved by what the last commit's reply said. Never goes
 * back, whatever either clock does. In microseconds. Not thread-safe: it belongs to its shard's loop.
 */
public final class DatabaseTime {
    private final Clock clock;
    private Duration offset = Duration.ZERO;
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

    /** Learns what the database's clock said just now. */
    public void correct(Instant databaseTime) {
        offset = Duration.between(clock.now(), databaseTime);
    }

    /** When this machine's clock will have reached an instant of database time. */
    public Instant local(Instant databaseTime) {
        return databaseTime.minus(offset);
    }
}
