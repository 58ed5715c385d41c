package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.PostgresOpenException;
import dev.flowstone.postgres.PostgresPorts;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Opens a database that somebody else runs, and waits for it while it is away: nobody answers, it starts, it is a standby, it
 * has no connection left. What waiting doesn't mend, such as a refused login, is told at once.
 */
final class DatabaseWait {
    private static final System.Logger LOG = System.getLogger(DatabaseWait.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration SAY_AGAIN = Duration.ofMinutes(1);

    /** Waits for nothing. */
    static final DatabaseWait NONE = new DatabaseWait(() -> true);

    private final BooleanSupplier stopped;

    /** @param stopped whether whoever waits no longer wants to */
    DatabaseWait(BooleanSupplier stopped) {
        this.stopped = requireNonNull(stopped);
    }

    PostgresPorts open(PostgresConfig config) throws CannotStartException {
        long said = 0;
        while (true) {
            try {
                PostgresPorts opened = PostgresPorts.open(config);
                if (said != 0) {
                    LOG.log(Level.INFO, "the database is there");
                }
                return opened;
            } catch (PostgresOpenException e) {
                if (!e.isAway() || stopped.getAsBoolean()) {
                    throw cannot(e);
                }
                if (said == 0 || System.nanoTime() - said > SAY_AGAIN.toNanos()) {
                    LOG.log(Level.WARNING, "waiting for the database: " + e.getMessage());
                    said = System.nanoTime();
                }
                pause();
                if (stopped.getAsBoolean()) {
                    throw cannot(e);
                }
            }
        }
    }

    private static CannotStartException cannot(PostgresOpenException e) {
        return new CannotStartException(String.valueOf(e.getMessage()), e);
    }

    private void pause() {
        long end = System.nanoTime() + PAUSE.toNanos();
        while (System.nanoTime() < end && !stopped.getAsBoolean()) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }
}
