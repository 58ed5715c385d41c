package dev.flowstone.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Looks names up, each on one thread at a time: who asks for a name while it is looked up waits for the same answer. So a host whose name
 * server is slow holds one thread, however many calls there are for it, and the others are for everybody else.
 *
 * <p>The threads are platform threads: the JDK looks names up in native code, where a virtual thread would hold its carrier, and where
 * nothing can be interrupted.
 */
final class Lookups implements AutoCloseable {
    private static final int THREADS = 16;
    private static final int WAITING = 1_024;

    private final Resolver resolver;
    private final ThreadPoolExecutor threads;
    private final ReentrantLock lock = new ReentrantLock();

    /** Begun, or waiting for a thread; by name. Guarded by the lock. */
    private final Map<String, Lookup> underWay = new HashMap<>();

    Lookups(Resolver resolver) {
        this.resolver = resolver;
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING),
                Thread.ofPlatform().daemon().name("outbound-names-", 0).factory());
        this.threads.allowCoreThreadTimeOut(true);
    }

    /**
     * All addresses of that name.
     *
     * @throws ExecutionException if it has none, as far as is known
     * @throws java.util.concurrent.RejectedExecutionException if too many names wait for a thread
     */
    List<InetAddress> find(String host, Duration patience)
            throws InterruptedException, ExecutionException, TimeoutException {
        Lookup lookup = join(host);
        try {
            return lookup.answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            leave(lookup);
        }
    }

    private Lookup join(String host) {
        lock.lock();
        try {
            Lookup lookup = underWay.get(host);
            if (lookup == null) {
                lookup = new Lookup(host);
                threads.execute(lookup);
                underWay.put(host, lookup);
            }
            lookup.callers++;
            return lookup;
        } finally {
            lock.unlock();
        }
    }

    /** One that nobody waits for any more doesn't begin; one that has begun holds its name until it ends. */
    private void leave(Lookup lookup) {
        lock.lock();
        try {
            lookup.callers--;
            if (lookup.callers == 0 && threads.remove(lookup)) {
                underWay.remove(lookup.host, lookup);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Before its answer is told: who asks afterwards wants a new one. */
    private void ended(Lookup lookup) {
        lock.lock();
        try {
            underWay.remove(lookup.host, lookup);
        } finally {
            lock.unlock();
        }
    }

    private final class Lookup implements Runnable {
        private final String host;
        private final CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        private int callers;

        Lookup(String host) {
            this.host = host;
        }

        @Override
        public void run() {
            try {
                List<InetAddress> found = List.copyOf(resolver.resolve(host));
                ended(this);
                answer.complete(found);
            } catch (UnknownHostException | RuntimeException | Error e) {
                ended(this);
                answer.completeExceptionally(e);
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
