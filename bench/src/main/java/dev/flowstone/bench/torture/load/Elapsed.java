package dev.flowstone.bench.torture.load;

import java.time.Duration;

/** Time since something began, by a clock that is never set. */
public final class Elapsed {
    private final long beginNanos = System.nanoTime();
    private final long beginMillis = System.currentTimeMillis();

    public double seconds() {
        return (System.nanoTime() - beginNanos) / 1e9;
    }

    /** Where that lies which another process on this machine wrote down, in milliseconds since the epoch. */
    public double secondsAt(long epochMillis) {
        return (epochMillis - beginMillis) / 1e3;
    }

    public boolean isBeyond(Duration time) {
        return System.nanoTime() - beginNanos > time.toNanos();
    }
}
