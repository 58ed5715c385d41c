package dev.flowstone.server.trigger;

import java.time.Duration;

/** Time as it passes for those who wait between attempts. Thread-safe. */
interface Rest {
    /** As it passes for all. */
    Rest SLEEP = new Rest() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void rest(Duration time) throws InterruptedException {
            Thread.sleep(time);
        }
    };

    /** A clock that only goes on, as {@link System#nanoTime}. */
    long nanos();

    void rest(Duration time) throws InterruptedException;
}
