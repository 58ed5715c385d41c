package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Server;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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

    /** How long an answer waits for company where a call is under way already; the first one goes at once. */
    private static final Duration GATHERING = Duration.ofMillis(1);

    /** Times of this clock compare by their differences only. */
    private static final long EPOCH = System.nanoTime();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Who waits for company is woken by its time or a full call only: else each answer that joins it would wake it. */
    private final Condition gathered = lock.newCondition();

    /** Who waits until everything is told is no sender: senders aren't woken for each answer that is. */
    private final Condition told = lock.newCondition();

    private final ArrayDeque<Answer> ready = new ArrayDeque<>();
    private final PriorityQueue<Answer> later =
            new PriorityQueue<>(Comparator.comparingLong(each -> each.notBefore() - EPOCH));

    /** Servers whose calls fail as a whole. */
    private final Set<Server> away = new HashSet<>();

    /** Of those, which have a sender that waits for an answer to try with. */
    private final Set<Server> trying = new HashSet<>();

    /** To which a suspect is under way: it may take long, and the other senders are for the others meanwhile. */
    private final Set<Server> suspecting = new HashSet<>();

    /** Calls under way, by server. */
    private final Map<Server, Integer> calls = new HashMap<>();

    /** Servers with a sender that waits for company, which looks again by itself, and how many fit into its call. */
    private final Map<Server, Integer> gathering = new HashMap<>();

    private final Duration company;
    private int open;
    private boolean closed;

    Outbox() {
        this(GATHERING);
    }

    /**
     * One of its own patience.
     *
     * @param company how long an answer waits for others while a call is under way
     */
    Outbox(Duration company) {
        this.company = requireNonNull(company);
    }

    void add(Answer answer) {
        lock.lock();
        try {
            open++;
            ready.add(requireNonNull(answer));
            int most = gathering.getOrDefault(answer.server(), 0);
            if (most == 0) {
                changed.signalAll();
            } else if (ready.size() >= most) {
                gathered.signalAll();
            }
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
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** One is told for good. */
    void over() {
        lock.lock();
        try {
            open--;
            told.signalAll();
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
        lock.lock();
        try {
            calls.merge(server, -1, Integer::sum);
            if (batch.getFirst().isSuspect()) {
                suspecting.remove(server);
                changed.signalAll();
            }
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
                List<Answer> batch = gathering.containsKey(server) ? List.of() : gathered(server, most);
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

    /** What is ready for this server; where a call is under way, others may join it first. */
    private List<Answer> gathered(Server server, int most) throws InterruptedException {
        boolean busy = calls.getOrDefault(server, 0) > 0;
        boolean waits = busy && !closed && ready.size() < most && hasFor(server);
        if (waits) {
            gathering.put(server, most);
            try {
                long left = company.toNanos();
                while (left > 0 && ready.size() < most && !closed) {
                    left = gathered.awaitNanos(left);
                }
            } catch (InterruptedException e) {
                changed.signalAll();
                throw e;
            } finally {
                gathering.remove(server);
            }
        }
        List<Answer> batch = take(server, most);
        if (!batch.isEmpty()) {
            calls.merge(server, 1, Integer::sum);
        }
        if (!ready.isEmpty() && (waits || !batch.isEmpty())) {
            // Nobody was woken for what has come meanwhile and isn't taken here. Who neither waited nor takes anything
            // wakes nobody: two of them would wake each other without end.
            changed.signalAll();
        }
        return batch;
    }

    private boolean hasFor(Server server) {
        Set<Server> left = new HashSet<>();
        return ready.stream()
                .anyMatch(each -> !(each.isSuspect() && suspecting.contains(server)) && isFor(each, server, left));
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
                left = told.awaitNanos(left);
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
            gathered.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
