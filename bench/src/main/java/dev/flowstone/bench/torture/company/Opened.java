package dev.flowstone.bench.torture.company;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;

/** What is to be closed, the last first, and each whatever becomes of the others. */
final class Opened implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Opened.class.getName());

    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    synchronized <T extends AutoCloseable> T add(T one) {
        all.push(one);
        return one;
    }

    @Override
    public synchronized void close() {
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
