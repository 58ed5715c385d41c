package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Server;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Answers that have still to be told. One that was refused for now waits until its time without holding up another. It holds
 * no more than there are places, because an attempt keeps its place until its answer is over. Thread-safe.
 */
final class Outbox {
    private static final int BYTES = 1 << 20;

    /** Times of this clock compare by their differences only. */
    private static final long EPOCH = System.nanoTime();

    private final List<Server> servers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Answer> ready = new ArrayDeque<>();
    private final PriorityQueue<Answer> later =
            new PriorityQueue<>(Comparator.comparingLong(each -> each.notBefore() - EPOCH));
    private int open;
    private boolean closed;

    Outbox(List<Server> servers) {
        this.servers = List.copyOf(servers);
    }

    void add(Answer answer) {
        lock.lock();
        try {
            open++;
            ready.add(requireNonNull(answer));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** To be told again, each when its time has come. */
    void putBack(List<Answer> answers) {
        lock.lock();
        try {
            later.addAll(answers);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** One is told for good. */
    void over() {
        lock.lock();
        try {
            open--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for answers that are for this server; as many as fit into one call.
     *
     * @return nothing once it is closed and nothing is ready
     */
    List<Answer> next(Server server, int most) throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                long wait = becomeReady();
                List<Answer> batch = take(server, most);
                if (!batch.isEmpty() || closed) {
                    return batch;
                }
                long _ = changed.awaitNanos(wait);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whose time has come. Answers how long it is until the next one's. */
    private long becomeReady() {
        long now = System.nanoTime();
        while (!later.isEmpty()) {
            long wait = later.element().notBefore() - now;
            if (wait > 0) {
                return wait;
            }
            ready.add(later.remove());
        }
        return Long.MAX_VALUE;
    }

    private List<Answer> take(Server server, int most) {
        List<Answer> batch = new ArrayList<>();
        long bytes = 0;
        for (Iterator<Answer> all = ready.iterator(); all.hasNext() && batch.size() < most; ) {
            Answer answer = all.next();
            if (answer.server(servers) != server || (answer.alone() && !batch.isEmpty())) {
                continue;
            }
            bytes += answer.bytes().length;
            if (!batch.isEmpty() && bytes > BYTES) {
                break;
            }
            batch.add(answer);
            all.remove();
            if (answer.alone()) {
                break;
            }
        }
        return batch;
    }

    /** Lets time pass, whatever comes meanwhile. */
    void pause(Duration time) throws InterruptedException {
        long left = time.toNanos();
        lock.lock();
        try {
            while (left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything is told; false if some isn't. */
    boolean awaitTold(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (open > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
            return open == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Who waits for answers gets none any more, once none is ready. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
