package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.program.Retry;
import java.time.Duration;

/** The pause before a task's next attempt (R11). Plain double arithmetic, which is the same on every machine. */
final class Backoff {
    private static final long MICROS = 1_000_000;
    private static final double HALF = 0.5;

    private Backoff() {}

    /**
     * {@code base × factor^(failed-1)}, at most the cap; with jitter a point between half of it and all of it.
     *
     * @param failed number of the attempt that failed, from 1
     */
    static Duration after(int failed, Retry retry, long random) {
        double cap = micros(retry.cap());
        double pause = Math.min(micros(retry.base()), cap);
        for (int i = 1; i < failed && pause > 0 && pause < cap && retry.factor() > 1; i++) {
            pause = Math.min(pause * retry.factor(), cap);
        }
        if (retry.jitter()) {
            pause *= HALF + HALF * unit(random);
        }
        long micros = (long) pause;
        return Duration.ofSeconds(micros / MICROS, (micros % MICROS) * 1_000);
    }

    private static double micros(Duration duration) {
        int micros = duration.getNano() / 1_000;
        return (double) duration.getSeconds() * MICROS + micros;
    }

    /** A number in [0, 1) out of 64 random bits, stirred so that neighbouring seeds part (SplitMix64). */
    private static double unit(long random) {
        long z = random + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        z ^= z >>> 31;
        return (z >>> 11) * 0x1.0p-53;
    }
}
