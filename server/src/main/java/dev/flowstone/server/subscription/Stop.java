package dev.flowstone.server.subscription;

import dev.flowstone.engine.journal.JournalException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stops one worker: at once where it waits or sends, but never amid a statement, because a virtual thread that is interrupted there
 * loses its connection to the database. Thread-safe.
 */
final class Stop {
    private final ReentrantLock statement = new ReentrantLock();
    private volatile boolean asked;

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

    /** Does it undisturbed. */
    <T, X extends Exception> T whole(Work<T, X> work) throws JournalException, X {
        statement.lock();
        try {
            // Remembered in `asked`.
            boolean _ = Thread.interrupted();
            return work.done();
        } finally {
            statement.unlock();
        }
    }
}
