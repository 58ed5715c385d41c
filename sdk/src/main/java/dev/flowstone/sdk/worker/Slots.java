package dev.flowstone.sdk.worker;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Places for tasks, and once more as many for what only waits. Who claims reserves as many as are free, and waits a moment for more rather than ask
 * for one at a time.
 */
final class Slots {
    private static final long LINGER = TimeUnit.MILLISECONDS.toNanos(2);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();

    /** Who lingers is woken once, and not for each place that is freed. */
    private final Condition enough = lock.newCondition();

    private final int all;
    private int free;
    private int lent;
    private boolean closed;

    /** The fewest places that somebody lingers for. */
    private int lingered = Integer.MAX_VALUE;

    Slots(int all) {
        this.all = all;
        this.free = all;
    }

    /** At least one place, at most so many; none once it is closed. */
    int reserve(int most) throws InterruptedException {
        lock.lock();
        try {
            while (free == 0 && !closed) {
                freed.await();
            }
            linger(Math.min(most, Math.max(1, all / 4)));
            int taken = closed ? 0 : Math.min(free, most);
            free -= taken;
            // Another loop may have taken what there was while this one lingered.
            return taken > 0 || closed ? taken : reserve(most);
        } finally {
            lock.unlock();
        }
    }

    private void linger(int places) throws InterruptedException {
        long left = LINGER;
        while (free < places && left > 0 && !closed) {
            lingered = Math.min(lingered, places);
            left = enough.awaitNanos(left);
        }
    }

    private void free(int places) {
        if (free == 0) {
            freed.signalAll();
        }
        free += places;
        if (free >= lingered) {
            lingered = Integer.MAX_VALUE;
            enough.signalAll();
        }
    }

    void release(int places) {
        if (places > 0) {
            lock.lock();
            try {
                free(places);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Gives back the place of one that waits for nobody knows how long; false, and it keeps it, if as many as there are have. */
    boolean lend() {
        lock.lock();
        try {
            if (lent == all) {
                return false;
            }
            lent++;
            free(1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** One whose place was given back waits no more. */
    void endLoan() {
        lock.lock();
        try {
            lent--;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody gets a place any more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            freed.signalAll();
            enough.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
