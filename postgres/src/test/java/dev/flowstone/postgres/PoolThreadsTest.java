package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PoolThreadsTest {
    private final PoolThreads threads = new PoolThreads("role");

    /** As a pool's thread does between two tries to connect, and in each of them. */
    @Test
    void whoWaitsWhileThePoolIsClosedIsWokenUntilItHasEnded() throws Exception {
        CountDownLatch woken = new CountDownLatch(3);
        Thread thread = threads.newThread(() -> {
            while (woken.getCount() > 0) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    woken.countDown();
                }
            }
        });
        thread.start();

        try (PoolThreads.Waking _ = threads.waking()) {
            assertTrue(woken.await(60, TimeUnit.SECONDS));
        }

        thread.join();
        assertEquals("role-pool-1", thread.getName());
        assertTrue(thread.isDaemon());
    }

    @Test
    void nobodyIsWokenOnceItIsClosed() throws Exception {
        PoolThreads.Waking waking = threads.waking();
        waking.close();
        assertTrue(waking.thread().join(Duration.ofSeconds(60)));
    }
}
