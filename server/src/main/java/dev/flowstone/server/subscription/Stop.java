package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stops one worker: at once where it waits or sends, but never amid a statement, because a virtual thread that is interrupted there
 * loses its connection to the database. All workers of a node share a few turns at the database, so that however many there are, the
 * engine gets at its connections. Thread-safe.
 */
final class Stop {
    private final ReentrantLock statement = new ReentrantLock();
    private final Semaphore turns;
    private volatile boolean asked;

    /** @param turns at the database, which all workers of a node share */
    Stop(Semaphore turns) {
        this.turns = requireNonNull(turns);
    }

    /** What is done with the database. */
    @FunctionalInterface
    interface Work<T, X extends Exception> {
        T done() throws JournalException, X;
    }

    /** Asks the worker, on this thread, to stop. */
    void ask(Thread worker) {
        asked = true;
        if (statement.tryLock()) {
            try {
                worker.interrupt();
            } finally {
                statement.unlock();
            }
        }
    }

    boolean isAsked() {
        return asked;
    }

    /** Stops the worker, after a statement, if it was asked to meanwhile. */
    void check() throws InterruptedException {
        if (asked) {
            throw new InterruptedException("asked to stop");
        }
    }

    /** Waits, unless it was asked to stop. */
    void sleep(Duration time) throws InterruptedException {
        check();
        Thread.sleep(time);
    }

    /** Does it undisturbed, when it is its turn. */
    <T, X extends Exception> T whole(Work<T, X> work) throws JournalException, X {
        turns.acquireUninterruptibly();
        try {
            statement.lock();
            try {
                // Remembered in `asked`.
                boolean _ = Thread.interrupted();
                return work.done();
            } finally {
                statement.unlock();
            }
        } finally {
            turns.release();
        }
    }
}
