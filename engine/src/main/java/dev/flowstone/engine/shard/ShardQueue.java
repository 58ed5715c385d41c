package dev.flowstone.engine.shard;

import dev.flowstone.kernel.id.WorkflowId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where other threads leave work for the loop. What is asked from outside, starts and calls, is bounded and may be
 * refused. Results and letters are not: each answers an attempt that was handed out, or is the only one under way of its
 * pair of runs, of which there is a bounded number. Thread-safe.
 */
final class ShardQueue {
    private final int maxAsked;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final ArrayDeque<CommandWork> results = new ArrayDeque<>();
    private final ArrayDeque<Work> asked = new ArrayDeque<>();
    private boolean closed;
    private boolean signaled;

    ShardQueue(int maxAsked) {
        this.maxAsked = maxAsked;
    }

    /** False if it is full or takes no more. */
    boolean offer(Work work) {
        lock.lock();
        try {
            if (closed || asked.size() >= maxAsked) {
                return false;
            }
            asked.add(work);
            arrived.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    void add(CommandWork result) {
        lock.lock();
        try {
            results.add(result);
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Moves what is there, in order, up to so many of each. */
    void drain(List<CommandWork> intoResults, int maxResults, List<Work> intoAsked, int maxAsked) {
        lock.lock();
        try {
            for (int i = 0; i < maxResults && !results.isEmpty(); i++) {
                intoResults.add(results.remove());
            }
            int left = Math.max(maxAsked, maxResults + maxAsked - intoResults.size());
            for (int i = 0; i < left && !asked.isEmpty(); i++) {
                intoAsked.add(asked.remove());
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

    int waiting() {
        lock.lock();
        try {
            return asked.size();
        } finally {
            lock.unlock();
        }
    }

    int results() {
        lock.lock();
        try {
            return results.size();
        } finally {
            lock.unlock();
        }
    }

    /** The starts that wait, by workflow; looks at each, of which there is a bounded number. */
    Map<WorkflowId, Integer> starts() {
        Map<WorkflowId, Integer> starts = new HashMap<>();
        lock.lock();
        try {
            for (Work work : asked) {
                if (work instanceof StartWork start) {
                    starts.merge(start.request.workflow(), 1, Integer::sum);
                }
            }
        } finally {
            lock.unlock();
        }
        return starts;
    }

    /** Takes nothing more from outside; gives what waits. */
    List<Work> close() {
        lock.lock();
        try {
            closed = true;
            List<Work> waiting = new ArrayList<>(asked);
            asked.clear();
            return waiting;
        } finally {
            lock.unlock();
        }
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

    /** Waits, in real time, for work or a signal. */
    void await(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (results.isEmpty() && asked.isEmpty() && !signaled && left > 0) {
                left = arrived.awaitNanos(left);
            }
            signaled = false;
        } finally {
            lock.unlock();
        }
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
