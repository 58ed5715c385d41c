package dev.flowstone.server.http;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends what its thread waits for: when the time is over it interrupts who made it. Once it is closed it interrupts nobody, and
 * has left no trace in the thread. To be made and closed by one thread.
 */
final class Deadline implements AutoCloseable {
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final Thread waiting = Thread.currentThread();
    private final Future<?> alarm;
    private boolean over;
    private boolean closed;

    Deadline(Duration time) {
        this.alarm = TIMER.schedule(this::ring, time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("flowstone-http-deadlines").factory());
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /** Under one lock with {@link #close}: an interrupt never comes after it. */
    private synchronized void ring() {
        if (!closed) {
            over = true;
            waiting.interrupt();
        }
    }

    synchronized boolean isOver() {
        return over;
    }

    @Override
    public synchronized void close() {
        closed = true;
        alarm.cancel(false);
        if (over) {
            Thread.interrupted();
        }
    }
}
