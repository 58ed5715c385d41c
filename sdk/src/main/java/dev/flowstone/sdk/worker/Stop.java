package dev.flowstone.sdk.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Whether the worker stops; what waits for something else is woken by it. */
final class Stop {
    private final CountDownLatch asked = new CountDownLatch(1);

    void ask() {
        asked.countDown();
    }

    /** Lets time pass; true at once if the worker stops. */
    boolean await(Duration time) throws InterruptedException {
        return asked.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
