package dev.flowstone.server.cli;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What happens when the process is told to stop (SIGINT, SIGTERM): the work that is open, or just being opened, is closed in
 * good order, once, whoever comes first, the signal or the command itself. A command that was overtaken by a signal says
 * nothing more and ends with the process.
 */
final class Stop implements AutoCloseable {
    /** How long a signal waits for what is being opened. */
    private static final long PATIENCE_SECONDS = 15;

    private final AtomicBoolean signaled = new AtomicBoolean();
    private final Lock opening = new ReentrantLock();
    private final Thread hook;
    private volatile @Nullable AutoCloseable open;

    /** Opens what is to be closed. */
    @FunctionalInterface
    interface Opener<T extends AutoCloseable, E extends Exception> {
        T open() throws E;
    }

    /** Waits for a signal. */
    Stop() {
        this(() -> {}, () -> {});
    }

    /**
     * Waits for a signal.
     *
     * @param farewell said before closing, if it was a signal
     * @param after done after closing, if it was a signal
     */
    Stop(Runnable farewell, Runnable after) {
        this.hook = Thread.ofPlatform().name("flowstone-stop").unstarted(() -> {
            signaled.set(true);
            awaitOpened();
            farewell.run();
            closeOpen();
            after.run();
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * A signal that comes meanwhile waits, so that nothing half open, such as a database's server, is left behind. What fails
     * after a signal, or for it, is no failure.
     */
    <T extends AutoCloseable, E extends Exception> T opening(Opener<T, E> opener) throws E {
        opening.lock();
        try {
            if (!signaled()) {
                T opened = opener.open();
                open = opened;
                return opened;
            }
        } catch (Exception e) {
            if (!signaled()) {
                throw e;
            }
        } finally {
            opening.unlock();
        }
        throw awaitTheEnd();
    }

    boolean signaled() {
        return signaled.get();
    }

    /** The command has ended by itself. */
    @Override
    public void close() {
        if (signaled() || !unhooked()) {
            throw awaitTheEnd();
        }
        closeOpen();
    }

    private boolean unhooked() {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return false; // The signal came just now.
        }
    }

    /** The hook's thread closes what is open, and the process ends: this never returns. */
    private static AssertionError awaitTheEnd() {
        while (true) {
            LockSupport.park();
        }
    }

    private void awaitOpened() {
        try {
            if (opening.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                opening.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeOpen() {
        AutoCloseable closeable = open;
        open = null;
        if (closeable != null) {
            try {
                closeable.close();
            } catch (Exception e) {
                System.getLogger(Stop.class.getName()).log(System.Logger.Level.WARNING, "closing failed", e);
            }
        }
    }
}
