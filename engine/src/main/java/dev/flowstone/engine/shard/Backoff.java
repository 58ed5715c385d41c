package dev.flowstone.engine.shard;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Pauses that double up to a cap, each a random point between its half and itself. */
public final class Backoff {
    private final Duration base;
    private final Duration cap;
    private final RandomGenerator random;
    private Duration next;

    public Backoff(Duration base, Duration cap, RandomGenerator random) {
        this.base = base;
        this.cap = cap;
        this.random = random;
        this.next = base;
    }

    public Duration pause() {
        Duration whole = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(cap) < 0 ? doubled : cap;
        long half = Math.max(1, whole.toNanos() / 2);
        return Duration.ofNanos(half + random.nextLong(half));
    }

    public void reset() {
        next = base;
    }
}
