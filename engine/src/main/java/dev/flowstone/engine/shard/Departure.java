package dev.flowstone.engine.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * How a shard's loop goes in good order: asked for by any thread, obeyed by the loop between two rounds.
 *
 * <pre>
 * drain ──▶ takes commands, hands out nothing ──▶ handlers have ended, or the time is over ──▶ stop, give back ──▶ ends
 * stop  ──▶ takes no commands, hands out nothing; handlers go on ──▶ give back ──▶ ends
 * </pre>
 */
final class Departure {
    /** How long the last commits of a shard that drained may take; then it is left as it is, and its successor sees to the rest. */
    private static final Duration LAST_COMMITS = Duration.ofSeconds(5);

    private final ShardQueue queue;
    private final Tasks tasks;
    private final ArrayDeque<Work> local;
    private volatile @Nullable Duration drainWithin;
    private volatile boolean stopAsked;
    private volatile boolean giveBackAsked;

    /** When the loop began to drain. */
    private @Nullable Instant begun;

    private boolean stopped;
    private boolean gaveBack;

    /** When it had drained, or its time was over. */
    private @Nullable Instant left;

    Departure(ShardQueue queue, Tasks tasks, ArrayDeque<Work> local) {
        this.queue = queue;
        this.tasks = tasks;
        this.local = local;
    }

    /** Thread-safe. */
    void drain(Duration within) {
        drainWithin = within;
        queue.signal();
    }

    /** Whether it drains, or has. Thread-safe. */
    boolean drains() {
        return drainWithin != null;
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
        Duration within = drainWithin;
        if (within != null && begun == null && !stopAsked) {
            begun = now;
            tasks.drain(local);
        }
        if (begun != null && now.isBefore(begun)) {
            // The clock was set back.
            begun = now;
        }
        if (mayStop(now)) {
            left = now;
            stop("the shard goes to another node");
            giveBack();
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

    /** Whether it has drained: a round is due that says so. */
    boolean mayStop(Instant now) {
        return begun != null && !stopAsked && (!tasks.areWorkedOn() || !now.isBefore(begun.plus(within())));
    }

    /** Whether its last commits take longer than anybody should wait for them. */
    boolean isOverdue(Instant now) {
        return left != null && !now.isBefore(left.plus(LAST_COMMITS));
    }

    private Duration within() {
        Duration within = drainWithin;
        return within == null ? Duration.ZERO : within;
    }

    /** Whether what was open has been given back, or is about to be. */
    boolean gaveBack() {
        return gaveBack;
    }

    /** When to obey at the latest. */
    Instant next() {
        if (left != null) {
            return left.plus(LAST_COMMITS);
        }
        return begun == null || stopAsked ? Instant.MAX : begun.plus(within());
    }
}
