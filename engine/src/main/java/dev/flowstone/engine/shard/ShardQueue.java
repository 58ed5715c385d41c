package dev.flowstone.engine.shard;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where other threads leave work for the loop. Starts are bounded and may be refused. Results are not: each answers an
 * attempt that this node handed out, of which there is a bounded number. Thread-safe.
 */
final class ShardQueue {
    private final int maxStarts;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final ArrayDeque<CommandWork> results = new ArrayDeque<>();
    private final ArrayDeque<StartWork> starts = new ArrayDeque<>();
    private boolean startsClosed;
    private boolean signaled;

    ShardQueue(int maxStarts) {
        this.maxStarts = maxStarts;
    }

    /** False if it is full or takes no more. */
    boolean offer(StartWork start) {
        lock.lock();
        try {
            if (startsClosed || starts.size() >= maxStarts) {
                return false;
            }
            starts.add(start);
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
    void drain(List<CommandWork> intoResults, int maxResults, List<StartWork> intoStarts, int starts) {
        lock.lock();
        try {
            for (int i = 0; i < maxResults && !results.isEmpty(); i++) {
                intoResults.add(results.remove());
            }
            int left = Math.max(starts, maxResults + starts - intoResults.size());
            for (int i = 0; i < left && !this.starts.isEmpty(); i++) {
                intoStarts.add(this.starts.remove());
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return results.isEmpty() && starts.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    int waitingStarts() {
        lock.lock();
        try {
            return starts.size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes no more starts; gives those that wait. */
    List<StartWork> closeStarts() {
        lock.lock();
        try {
            startsClosed = true;
            List<StartWork> waiting = new ArrayList<>(starts);
            starts.clear();
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
            while (results.isEmpty() && starts.isEmpty() && !signaled && left > 0) {
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
