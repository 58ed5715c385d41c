package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.limit.ByClass;
import dev.flowstone.engine.limit.WorkClass;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;

/**
 * Where other threads leave work for the loop. What is asked from outside, starts and calls, is bounded and may be
 * refused. Results and letters are not: each answers an attempt that was handed out, or is the only one under way of its
 * pair of runs, of which there is a bounded number. Of both, each tenant's stand in their order, and tenants take turns.
 * Thread-safe.
 */
final class ShardQueue {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final ByClass<FairQueue<CommandWork>> results;
    private final ByClass<FairQueue<Work>> asked;
    private boolean closed;
    private boolean signaled;

    /** The loop isn't woken for less work. */
    private int wanted = 1;

    /**
     * An empty one.
     *
     * @param maxAsked that may wait, of each class
     * @param weight of tenants: how many turns one has to another's
     */
    ShardQueue(int maxAsked, ToIntFunction<TenantId> weight) {
        this.results = new ByClass<>(() -> FairQueue.unbounded(weight), FairQueue::isEmpty);
        this.asked = new ByClass<>(() -> new FairQueue<>(maxAsked, weight), FairQueue::isEmpty);
    }

    /** False if it is full, of its tenant's or of all, or takes no more. */
    boolean offer(Work work) {
        lock.lock();
        try {
            if (closed || !asked.of(work.workClass).offer(work.tenant(), work)) {
                return false;
            }
            wake();
            return true;
        } finally {
            lock.unlock();
        }
    }

    void add(CommandWork result) {
        lock.lock();
        try {
            results.of(result.workClass).add(result.tenant(), result);
            wake();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves what is there, up to so many of each: of both, tenants and classes in their turns.
     *
     * @param maxBytes beyond which nothing more that is asked is taken: what is taken out loses its turn
     */
    void drain(List<CommandWork> intoResults, int maxResults, List<Work> intoAsked, int maxAsked, long maxBytes) {
        lock.lock();
        try {
            long bytes = 0;
            for (int i = 0; i < maxResults && !results.isEmpty(); i++) {
                CommandWork result = requireNonNull(results.next().poll());
                bytes += result.bytes();
                intoResults.add(result);
            }
            int left = Math.max(maxAsked, maxResults + maxAsked - intoResults.size());
            for (int i = 0; i < left && bytes < maxBytes && !asked.isEmpty(); i++) {
                Work next = requireNonNull(asked.next().poll());
                bytes += next.bytes();
                intoAsked.add(next);
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return results.isEmpty() && asked.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** What waits; looks at each that is asked, of which there is a bounded number. */
    Waiting look() {
        Waiting waiting = new Waiting();
        lock.lock();
        try {
            asked.forEach(queue -> queue.forEach(waiting::asked));
            results.forEach(queue -> queue.forEachFirst(waiting::waits));
            waiting.results = sum(results, FairQueue::size);
        } finally {
            lock.unlock();
        }
        return waiting;
    }

    /** What was seen there. */
    static final class Waiting {
        final Map<WorkflowId, Integer> starts = new HashMap<>();
        final Map<TenantId, Integer> tenants = new HashMap<>();
        int calls;
        int results;
        Instant since = Instant.MAX;

        private void asked(Work work) {
            waits(work);
            tenants.merge(work.tenant(), 1, Integer::sum);
            if (work instanceof StartWork start) {
                starts.merge(start.request.workflow(), 1, Integer::sum);
            } else {
                calls++;
            }
        }

        private void waits(Work work) {
            since = work.enqueuedAt.isBefore(since) ? work.enqueuedAt : since;
        }
    }

    /** Takes nothing more from outside; gives what waits. */
    List<Work> close() {
        lock.lock();
        try {
            closed = true;
            List<Work> all = new ArrayList<>();
            asked.forEach(queue -> all.addAll(queue.clear()));
            return all;
        } finally {
            lock.unlock();
        }
    }

    private static <Q> int sum(ByClass<Q> queues, ToIntFunction<Q> size) {
        return size.applyAsInt(queues.of(WorkClass.LATENCY_SENSITIVE)) + size.applyAsInt(queues.of(WorkClass.BULK));
    }

    /** Wakes the loop for another reason than work. */
    void signal() {
        lock.lock();
        try {
            signaled = true;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits, in real time, until so much work is there, for a signal, or for the time to pass; false if neither is there then. */
    boolean await(int works, long nanos) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            wanted = works;
            while (size() < works && !signaled && left > 0) {
                left = arrived.awaitNanos(left);
            }
            boolean had = signaled || size() >= works;
            signaled = false;
            return had;
        } finally {
            wanted = 1;
            lock.unlock();
        }
    }

    private void wake() {
        if (size() >= wanted) {
            arrived.signal();
        }
    }

    private int size() {
        return sum(results, FairQueue::size) + sum(asked, FairQueue::size);
    }

    /** Waits, in real time, for a signal or the time to pass, whatever work is there. */
    void pause(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (!signaled && left > 0) {
                left = arrived.awaitNanos(left);
            }
            signaled = false;
        } finally {
            lock.unlock();
        }
    }
}
