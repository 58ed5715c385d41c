package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Server;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Answers that have still to be told. One that was refused for now waits until its time without holding up another, and one
 * whose server is away is for the others. It holds no more than twice as many as there are places, because an attempt keeps
 * its place until its answer is over, or lends it if its run is suspended. Thread-safe.
 */
final class Outbox {
    private static final int BYTES = 1 << 20;

    /** Times of this clock compare by their differences only. */
    private static final long EPOCH = System.nanoTime();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Answer> ready = new ArrayDeque<>();
    private final PriorityQueue<Answer> later =
            new PriorityQueue<>(Comparator.comparingLong(each -> each.notBefore() - EPOCH));

    /** Servers whose calls fail as a whole. */
    private final Set<Server> away = new HashSet<>();

    /** Of those, which have a sender that waits for an answer to try with. */
    private final Set<Server> trying = new HashSet<>();

    /** To which a suspect is under way: it may take long, and the other senders are for the others meanwhile. */
    private final Set<Server> suspecting = new HashSet<>();

    private int open;
    private boolean closed;

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

    /** Its answers are for the others, but for one now and then by which it is seen to be back. */
    void away(Server server) {
        lock.lock();
        try {
            if (away.add(server)) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void back(Server server) {
        lock.lock();
        try {
            away.remove(server);
        } finally {
            lock.unlock();
        }
    }

    /** The server has answered, or not; what comes of the answers is told before or later. */
    void tried(Server server, List<Answer> batch) {
        if (batch.getFirst().isSuspect()) {
            lock.lock();
            try {
                suspecting.remove(server);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
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
                if (away.contains(server)) {
                    trying.add(server);
                }
                long _ = changed.awaitNanos(wait);
            }
        } finally {
            trying.remove(server);
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
        Set<Server> left = new HashSet<>();
        int room = most;
        long bytes = 0;
        for (Iterator<Answer> all = ready.iterator(); all.hasNext() && batch.size() < room; ) {
            Answer answer = all.next();
            boolean waits = answer.isSuspect() && suspecting.contains(server);
            if (waits || !isFor(answer, server, left) || batch.size() >= answer.company()) {
                continue;
            }
            bytes += answer.bytes().length;
            if (!batch.isEmpty() && bytes > BYTES) {
                break;
            }
            room = Math.min(room, answer.company());
            batch.add(answer);
            all.remove();
            if (answer.isSuspect()) {
                suspecting.add(server);
            }
        }
        return batch;
    }

    /**
     * A server that works takes what one that is away would get, but for a first one if there is a sender to try with it.
     *
     * @param left servers whose first one was left to them
     */
    private boolean isFor(Answer answer, Server server, Set<Server> left) {
        if (answer.server() == server) {
            return true;
        }
        if (!away.contains(answer.server()) || away.contains(server)) {
            return false;
        }
        return !trying.contains(answer.server()) || !left.add(answer.server());
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

    /**
     * Waits until everything is told, but for what waits for a suspended run to go on, which may take for ever.
     *
     * @return false if some isn't
     */
    boolean awaitTold(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (open > kept() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return open == 0;
        } finally {
            lock.unlock();
        }
    }

    private long kept() {
        return Stream.concat(ready.stream(), later.stream())
                .filter(Answer::kept)
                .count();
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
