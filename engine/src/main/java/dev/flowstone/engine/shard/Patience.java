package dev.flowstone.engine.shard;

import java.time.Duration;

/**
 * Lets a small batch wait a moment for handlers that were just started. Those that do little end together; a commit for the
 * first of them alone would have all others wait for it. Where handlers take longer than that moment, it is tried ever more
 * rarely.
 */
final class Patience {
    private static final Duration MOMENT = Duration.ofNanos(200_000);

    /** A batch of so many is worth its commit. */
    private static final int ENOUGH = 16;

    private static final int LONGEST_PAUSE = 63;

    /** Batches that don't wait, the next time that waiting was in vain. */
    private int pause;

    /** Batches that don't wait now. */
    private int left;

    /** How it waits, in real time. */
    interface Waiting {
        /** Until so much work is there, something else calls, or the time has passed: false then. */
        boolean await(int works, long nanos) throws InterruptedException;
    }

    /**
     * Waits until there is enough for a batch, or the moment has passed.
     *
     * @param started handlers whose results may come soon
     * @return whether there is enough now, or something else to be done
     */
    boolean await(int started, Waiting queue) throws InterruptedException {
        if (started < 2) {
            return false;
        }
        if (left > 0) {
            left--;
            return false;
        }
        boolean came = queue.await(Math.min(started, ENOUGH), MOMENT.toNanos());
        pause = came ? 0 : Math.min(2 * pause + 1, LONGEST_PAUSE);
        left = pause;
        return came;
    }
}
