package dev.flowstone.engine.time;

import java.time.Duration;

/** What is left of a time that several waits have in all; real time, whatever the clock is set to. Immutable. */
public final class TimeLeft {
    private final long end;

    private TimeLeft(long end) {
        this.end = end;
    }

    /** Beginning now. */
    public static TimeLeft of(Duration all) {
        return new TimeLeft(System.nanoTime() + all.toNanos());
    }

    /** Zero once it is over. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    }

    public boolean isOver() {
        return left().isZero();
    }

    /**
     * Waits for a thread; whether it has ended. One that has is noticed though the time is over; one that isn't started yet isn't
     * waited for.
     */
    public boolean join(Thread thread) throws InterruptedException {
        return thread.getState() != Thread.State.NEW && thread.join(left());
    }
}
