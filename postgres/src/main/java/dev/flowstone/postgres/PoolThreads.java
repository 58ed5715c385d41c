package dev.flowstone.postgres;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pool's own threads. One that makes connections pauses for up to five seconds after a try in vain, or waits for a server that says
 * nothing, and whoever closes the pool waits for it: unless it is woken.
 */
final class PoolThreads implements ThreadFactory {
    /** A pool whose server answers is closed by then, and nobody was interrupted. */
    private static final Duration FIRST = Duration.ofMillis(100);

    private final String pool;
    private final AtomicInteger made = new AtomicInteger();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    /** @param pool its name */
    PoolThreads(String pool) {
        this.pool = requireNonNull(pool);
    }

    @Override
    public Thread newThread(Runnable body) {
        threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
        Thread thread = Thread.ofPlatform()
                .daemon(true)
                .name(pool + "-pool-" + made.incrementAndGet())
                .unstarted(body);
        threads.add(thread);
        return thread;
    }

    /** Wakes them again and again until it is closed: one that was woken too early would go back to what it waited for. */
    Waking waking() {
        return new Waking(Thread.ofVirtual().name(pool + "-waking").start(() -> {
            try {
                while (true) {
                    Thread.sleep(FIRST);
                    threads.forEach(Thread::interrupt);
                }
            } catch (InterruptedException e) {
                // The pool is closed.
            }
        }));
    }

    /** Is closed with the pool. */
    record Waking(Thread thread) implements AutoCloseable {
        @Override
        public void close() {
            thread.interrupt();
        }
    }
}
