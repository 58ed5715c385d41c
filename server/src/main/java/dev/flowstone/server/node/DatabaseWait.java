package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
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
    private long said;

    /** @param stopped whether whoever waits no longer wants to */
    DatabaseWait(BooleanSupplier stopped) {
        this.stopped = requireNonNull(stopped);
    }

    PostgresPorts open(PostgresConfig config) throws CannotStartException {
        while (true) {
            try {
                PostgresPorts opened = PostgresPorts.open(config);
                isThere();
                return opened;
            } catch (PostgresOpenException e) {
                if (!e.isAway() || isOver()) {
                    throw cannot(e);
                }
                isAway(String.valueOf(e.getMessage()));
                pause();
                if (isOver()) {
                    throw cannot(e);
                }
            }
        }
    }

    /** What is asked of a database that is open. */
    @FunctionalInterface
    interface Question {
        void ask() throws JournalException;
    }

    /**
     * Asks until it is answered.
     *
     * @param cannot what it means if it isn't, and nobody waits
     */
    void until(Question question, String cannot) throws CannotStartException {
        while (true) {
            try {
                question.ask();
                isThere();
                return;
            } catch (JournalException e) {
                if (isOver()) {
                    throw new CannotStartException(cannot + ": " + e.getMessage(), e);
                }
                isAway(String.valueOf(e.getMessage()));
                pause();
            }
        }
    }

    /** Whether nobody waits any more. */
    boolean isOver() {
        return stopped.getAsBoolean();
    }

    /** The log says so, now and then. */
    void isAway(String why) {
        if (said == 0 || System.nanoTime() - said > SAY_AGAIN.toNanos()) {
            LOG.log(Level.WARNING, "waiting for the database: " + why);
            said = System.nanoTime();
        }
    }

    /** The log says so, if it said that it was away. */
    void isThere() {
        if (said != 0) {
            LOG.log(Level.INFO, "the database is there");
        }
        said = 0;
    }

    private static CannotStartException cannot(PostgresOpenException e) {
        return new CannotStartException(String.valueOf(e.getMessage()), e);
    }

    private void pause() {
        long end = System.nanoTime() + PAUSE.toNanos();
        while (System.nanoTime() < end && !isOver()) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }
}
