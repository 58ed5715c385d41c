package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits until a node that has begun is ready. As long as its database answers, that may take a minute; while the database is away, it
 * takes as long as {@link DatabaseWait} waits for it, and the minute begins anew when it is back.
 */
final class ReadyWait {
    /** Longer than a lease that a dead node left behind. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration LOOK = Duration.ofMillis(2);

    private final DatabaseWait database;
    private final Duration patience;

    ReadyWait(DatabaseWait database) {
        this(database, PATIENCE);
    }

    /** @param patience while the database answers */
    ReadyWait(DatabaseWait database, Duration patience) {
        this.database = requireNonNull(database);
        this.patience = requireNonNull(patience);
    }

    /**
     * Returns when it is ready.
     *
     * @param answers whether the database answered when it was last asked
     */
    void until(BooleanSupplier ready, BooleanSupplier answers) throws CannotStartException {
        boolean waits = database != DatabaseWait.NONE;
        long since = System.nanoTime();
        while (!ready.getAsBoolean()) {
            if (waits && database.isOver()) {
                throw new CannotStartException("it was told to stop before it was ready");
            }
            if (waits && !answers.getAsBoolean()) {
                database.isAway("it does not answer any more");
                since = System.nanoTime();
            }
            if (System.nanoTime() - since > patience.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                throw new CannotStartException("no shard of this database could be acquired within "
                        + patience.toSeconds() + " s: another Flowstone holds them, or the database does not answer");
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
        database.isThere();
    }
}
