package dev.flowstone.bench.torture.fault;

import java.time.Duration;

/** Waits for what a fault has to bring about: one that did nothing would prove nothing. */
final class Proof {
    private static final Duration GLANCE = Duration.ofMillis(100);

    private Proof() {}

    /** Something outside. */
    @FunctionalInterface
    interface Sign {
        boolean isThere() throws Exception;
    }

    /**
     * Returns as soon as it is there.
     *
     * @param otherwise what is to be said if it never is
     * @throws IllegalStateException if it isn't there in time: the torture is worth nothing then
     */
    static void await(Sign sign, Duration patience, String otherwise) throws Exception {
        long end = System.nanoTime() + patience.toNanos();
        while (!sign.isThere()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(otherwise + " within " + patience.toSeconds() + " s");
            }
            Thread.sleep(GLANCE);
        }
    }
}
