package dev.flowstone.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Looks names up, each on one thread at a time: who asks for a name while it is looked up waits for the same answer. So a host whose name
 * server is slow holds one thread, however many calls there are for it, and the others are for everybody else. Names whose last two labels
 * are the same, which likely have one name server, are a family: four of it at once, and the others one after another.
 *
 * <p>The threads are platform threads: the JDK looks names up in native code, where a virtual thread would hold its carrier, and where
 * nothing can be interrupted.
 */
final class Lookups implements AutoCloseable {
    private static final int THREADS = 16;
    private static final int WAITING = 1_024;
    private static final int OF_A_FAMILY = 4;

    private final Resolver resolver;
    private final ThreadPoolExecutor threads;
    private final ReentrantLock lock = new ReentrantLock();

    /** Begun, or waiting for a thread; by name. Guarded by the lock. */
    private final Map<String, Lookup> underWay = new HashMap<>();

    /** Of which a name is under way. Guarded by the lock. */
    private final Map<String, Family> families = new HashMap<>();

    /** Names with the same last two labels. Guarded by the lock. */
    private static final class Family {
        private final String name;
        private final Deque<Lookup> waiting = new ArrayDeque<>();

        /** Has a thread, or waits for one. */
        private int running;

        Family(String name) {
            this.name = name;
        }
    }

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
     * @throws RejectedExecutionException if too many names wait for a thread
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
                String name = family(host);
                Family family = families.get(name);
                lookup = new Lookup(host, family == null ? new Family(name) : family);
                begin(lookup);
                underWay.put(host, lookup);
                families.put(name, lookup.family);
            }
            lookup.callers++;
            return lookup;
        } finally {
            lock.unlock();
        }
    }

    /** The last two labels. */
    private static String family(String host) {
        int last = host.lastIndexOf('.');
        return host.substring(host.lastIndexOf('.', last - 1) + 1);
    }

    /** Or lets it wait for others of its family. */
    private void begin(Lookup lookup) {
        Family family = lookup.family;
        if (family.running < OF_A_FAMILY) {
            threads.execute(lookup);
            family.running++;
        } else if (family.waiting.size() < WAITING) {
            family.waiting.add(lookup);
        } else {
            throw new RejectedExecutionException("too many names below " + family.name + " wait");
        }
    }

    /** Its place is for the next of its family. */
    private void release(Family family) {
        family.running--;
        while (family.running < OF_A_FAMILY && !family.waiting.isEmpty()) {
            Lookup next = family.waiting.remove();
            try {
                threads.execute(next);
                family.running++;
            } catch (RejectedExecutionException e) {
                underWay.remove(next.host, next);
                next.answer.completeExceptionally(e);
            }
        }
        if (family.running == 0) {
            families.remove(family.name, family);
        }
    }

    /** One that nobody waits for any more doesn't begin; one that has begun holds its name until it ends. */
    private void leave(Lookup lookup) {
        lock.lock();
        try {
            lookup.callers--;
            if (lookup.callers > 0) {
                return;
            }
            if (lookup.family.waiting.remove(lookup)) {
                underWay.remove(lookup.host, lookup);
            } else if (threads.remove(lookup)) {
                underWay.remove(lookup.host, lookup);
                release(lookup.family);
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
            release(lookup.family);
        } finally {
            lock.unlock();
        }
    }

    private final class Lookup implements Runnable {
        private final String host;
        private final CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        private final Family family;
        private int callers;

        Lookup(String host, Family family) {
            this.host = host;
            this.family = family;
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
