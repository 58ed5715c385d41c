package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.limit.Gates;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A claim that has taken what there was, or waits for something to come. Whoever began it ends it or gives it up, once; until then it
 * may take one more attempt, whose lease counts from that moment on. Thread-safe.
 */
public final class RemoteClaiming {
    private final RemoteTasks tasks;
    private final Gates gates;
    private final RemoteWaiter waiter;
    private final AtomicBoolean ended = new AtomicBoolean();

    RemoteClaiming(RemoteTasks tasks, Gates gates, RemoteWaiter waiter) {
        this.tasks = requireNonNull(tasks);
        this.gates = requireNonNull(gates);
        this.waiter = requireNonNull(waiter);
    }

    /** Whether there is nothing to wait for: it has taken something, or is to end empty-handed. */
    public boolean isOver() {
        return gates.look(waiter::isOver);
    }

    /**
     * Waits until it is over, but no longer than this.
     *
     * @return whether it is
     */
    public boolean await(Duration time) throws InterruptedException {
        gates.await(waiter.woken, time.toNanos(), waiter::isOver);
        return isOver();
    }

    /** Ends it, with what it has taken, and what else there is by now if that isn't nothing. */
    public List<RemoteTask> end() {
        once();
        return tasks.end(waiter);
    }

    /** Ends it though nobody hears of what it has taken: that is given back, and uses up nothing. */
    public void giveUp() {
        once();
        tasks.giveUp(waiter);
    }

    private void once() {
        if (ended.getAndSet(true)) {
            throw new IllegalStateException("this claim has ended before");
        }
    }
}
