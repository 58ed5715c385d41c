package dev.flowstone.postgres;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.time.TimeLeft;
import dev.flowstone.postgres.Sweeper.Swept;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps a database in rounds, between other work: it pauses nine times as long as each piece took, so that it has a tenth of one
 * connection's time at most, however much there is to remove.
 */
public final class Sweeping implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Sweeping.class.getName());
    private static final int PAUSES = 9;
    private static final Duration SHORTEST = Duration.ofMillis(20);
    private static final Duration TROUBLE = Duration.ofMinutes(1);
    private static final Duration LAST_PIECE = Duration.ofSeconds(5);

    private final Sweeper sweeper;
    private final Duration every;
    private final Consumer<Swept> listener;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicReference<@Nullable TimeLeft> ending = new AtomicReference<>();
    private final Thread thread = Thread.ofVirtual().name("flowstone-sweeper").unstarted(this::rounds);

    private Sweeping(Sweeper sweeper, Duration every, Consumer<Swept> listener) {
        this.sweeper = requireNonNull(sweeper);
        this.every = requireNonNull(every);
        this.listener = requireNonNull(listener);
    }

    /**
     * Begins the first round at once.
     *
     * @param every pause between two rounds
     * @param listener is told of each piece, on the thread that sweeps
     */
    public static Sweeping of(Sweeper sweeper, Duration every, Consumer<Swept> listener) {
        Sweeping sweeping = new Sweeping(sweeper, every, listener);
        sweeping.thread.start();
        return sweeping;
    }

    private void rounds() {
        try {
            while (!closed.await(piece().toNanos(), TimeUnit.NANOSECONDS)) {
                // The next piece is the loop's condition.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes a piece; how long to pause after it. */
    private Duration piece() {
        long before = System.nanoTime();
        try {
            Swept swept = sweeper.piece();
            listener.accept(swept);
            Duration pause = Duration.ofNanos((System.nanoTime() - before) * PAUSES);
            return swept.over() ? every : pause.compareTo(SHORTEST) < 0 ? SHORTEST : pause;
        } catch (JournalException e) {
            if (closed.getCount() > 0) {
                LOG.log(Level.WARNING, "what is no longer needed can't be removed now: " + e.getMessage());
            }
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "what is no longer needed can't be removed", e);
        }
        return TROUBLE;
    }

    /** Begins no other piece; the one that is under way goes on beside whatever else ends. Returns at once. */
    public void end() {
        ending.compareAndSet(null, TimeLeft.of(LAST_PIECE));
        closed.countDown();
    }

    /** Waits for the piece under way, if it is short; else it is undone. */
    @Override
    public void close() {
        end();
        try {
            if (!requireNonNull(ending.get()).join(thread)) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
