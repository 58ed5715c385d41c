package dev.flowstone.server.subscription;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Where streams end, as somebody saw last; wakes those who wait for more. Thread-safe. */
final class FeedHeads {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private Map<Integer, Long> heads = Map.of();

    /** They are there now. */
    void are(Map<Integer, Long> now) {
        lock.lock();
        try {
            if (!heads.equals(now)) {
                heads = Map.copyOf(now);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a stream goes on behind a row, or for so long; answers whether it does. */
    boolean await(int stream, long row, Duration time) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = time.toNanos();
            while (left > 0 && heads.getOrDefault(stream, 0L) <= row) {
                left = changed.awaitNanos(left);
            }
            return heads.getOrDefault(stream, 0L) > row;
        } finally {
            lock.unlock();
        }
    }
}
