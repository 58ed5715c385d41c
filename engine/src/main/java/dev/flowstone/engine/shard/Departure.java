package dev.flowstone.engine.shard;

import java.time.Instant;
import java.util.ArrayDeque;

/**
 * How a shard's loop goes in good order: asked for by any thread, obeyed by the loop between two rounds.
 *
 * <pre>
 * drain ──▶ takes commands, hands out nothing ──▶ handlers have ended, or the time is over ──▶ stop, give back ──▶ ends
 * stop  ──▶ takes no commands, hands out nothing; handlers go on ──▶ give back ──▶ ends
 * </pre>
 */
final class Departure {
    private final ShardQueue queue;
    private final Tasks tasks;
    private final ArrayDeque<Work> local;
    private volatile Instant drainUntil = Instant.MAX;
    private volatile boolean stopAsked;
    private volatile boolean giveBackAsked;
    private boolean draining;
    private boolean stopped;
    private boolean gaveBack;

    Departure(ShardQueue queue, Tasks tasks, ArrayDeque<Work> local) {
        this.queue = queue;
        this.tasks = tasks;
        this.local = local;
    }

    /** Thread-safe. */
    void drain(Instant until) {
        drainUntil = until;
        queue.signal();
    }

    /** Thread-safe. */
    void stop(String reason) {
        stopAsked = true;
        Work.busy(queue.close(), reason);
        queue.signal();
    }

    /** Thread-safe. */
    void giveBack() {
        giveBackAsked = true;
        queue.signal();
    }

    /**
     * Does what was asked for.
     *
     * @return whether no commands are to be taken any more
     */
    boolean obey(Instant now) {
        if (!drainUntil.equals(Instant.MAX) && !stopAsked) {
            drain(now, drainUntil);
        }
        if (stopAsked && !stopped) {
            stopped = true;
            tasks.stopDispatching();
        }
        if (giveBackAsked && !gaveBack) {
            gaveBack = true;
            tasks.giveBack(local);
        }
        return stopped;
    }

    private void drain(Instant now, Instant until) {
        if (!draining) {
            draining = true;
            tasks.drain(local);
        }
        if (tasks.open() == 0 || !now.isBefore(until)) {
            stop("the shard goes to another node");
            giveBack();
        }
    }

    /** Whether what was open has been given back, or is about to be. */
    boolean gaveBack() {
        return gaveBack;
    }

    /** When to obey at the latest. */
    Instant next() {
        return stopAsked ? Instant.MAX : drainUntil;
    }
}
