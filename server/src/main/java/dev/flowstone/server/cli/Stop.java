package dev.flowstone.server.cli;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What happens when the process is told to stop (SIGINT, SIGTERM): the work that is open is closed in good order, once,
 * whoever comes first, the signal or the command itself.
 */
final class Stop implements AutoCloseable {
    private final AtomicBoolean signaled = new AtomicBoolean();
    private final AtomicReference<@Nullable AutoCloseable> open = new AtomicReference<>();
    private final Thread hook;

    /**
     * Waits for a signal.
     *
     * @param farewell said before closing, if it was a signal
     * @param after done after closing, if it was a signal
     */
    Stop(Runnable farewell, Runnable after) {
        this.hook = Thread.ofPlatform().name("flowstone-stop").unstarted(() -> {
            signaled.set(true);
            farewell.run();
            closeOpen();
            after.run();
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Hands over what is to be closed. */
    <T extends AutoCloseable> T closing(T closeable) {
        open.set(closeable);
        return closeable;
    }

    boolean signaled() {
        return signaled.get();
    }

    /** The command has ended by itself. */
    @Override
    public void close() {
        if (!signaled()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                return; // The signal came just now; its thread closes.
            }
            closeOpen();
        }
    }

    private void closeOpen() {
        AutoCloseable closeable = open.getAndSet(null);
        if (closeable != null) {
            try {
                closeable.close();
            } catch (Exception e) {
                System.getLogger(Stop.class.getName()).log(System.Logger.Level.WARNING, "closing failed", e);
            }
        }
    }
}
