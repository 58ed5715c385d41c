package dev.flowstone.bench.torture.company;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What is to be closed, the last first, and each whatever becomes of the others. Another thread may close it, also while something is
 * being opened: it waits for that, closes it with the rest, and nothing is opened any more.
 */
public final class Opened implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Opened.class.getName());

    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    /** Set before the lock is waited for: whoever opens one thing after another would take it again and again. */
    private volatile boolean closed;

    /** Opens what is to be closed. */
    @FunctionalInterface
    public interface Opener<T extends AutoCloseable, E extends Exception> {
        T open() throws E;
    }

    /**
     * Opens one more.
     *
     * @throws IllegalStateException if all is closed, or about to be
     */
    public synchronized <T extends AutoCloseable, E extends Exception> T open(Opener<T, E> opener) throws E {
        if (closed) {
            throw new IllegalStateException("nothing is opened any more");
        }
        T one = opener.open();
        all.push(one);
        return one;
    }

    @Override
    public void close() {
        closed = true;
        closeAll();
    }

    private synchronized void closeAll() {
        while (!all.isEmpty()) {
            AutoCloseable next = all.pop();
            try {
                next.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, next + " can't be closed", e);
            }
        }
    }
}
