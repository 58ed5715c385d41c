package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A worker is stopped at once where it waits, and never amid a statement. */
final class StopTest {
    private final Semaphore turns = new Semaphore(2, true);
    private final Stop stop = new Stop(turns);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final AtomicReference<String> ended = new AtomicReference<>("not at all");

    @Test
    void whoWaitsIsInterrupted() throws Exception {
        Thread worker = Thread.ofVirtual().start(() -> {
            begun.countDown();
            try {
                assertFalse(asked.await(30, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                ended.set("interrupted");
            }
        });
        begun.await();

        stop.ask(worker);

        worker.join();
        assertTrue(stop.isAsked());
        assertEquals("interrupted", ended.get());
    }

    @Test
    void aStatementIsFinishedFirst() throws Exception {
        Thread worker = Thread.ofVirtual().start(() -> {
            try {
                boolean whole = stop.whole(() -> {
                    begun.countDown();
                    return waitsUndisturbed();
                });
                stop.check();
                ended.set("not stopped, whole: " + whole);
            } catch (InterruptedException e) {
                ended.set("after the statement");
            } catch (Exception e) {
                ended.set(e.toString());
            }
        });
        begun.await();
        stop.ask(worker);
        asked.countDown();

        worker.join();
        assertEquals("after the statement", ended.get());
    }

    private boolean waitsUndisturbed() {
        try {
            return asked.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("disturbed", e);
        }
    }

    @Test
    void whoWasStoppedMayRecordWhatItHasDone() throws Exception {
        stop.ask(Thread.currentThread());

        boolean clean = stop.whole(() -> !Thread.currentThread().isInterrupted());

        assertTrue(clean);
        assertThrows(InterruptedException.class, stop::check);
    }

    @Test
    void whoWasStoppedAmidAStatementDoesNotSleepAfterIt() throws Exception {
        boolean _ = stop.whole(() -> {
            stop.ask(Thread.currentThread());
            return Thread.interrupted();
        });

        assertThrows(InterruptedException.class, () -> stop.sleep(Duration.ofHours(1)));
    }

    @Test
    void ofAllWorkersFewAreAtTheDatabaseAtOnce() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            workers.add(Thread.ofVirtual().start(() -> {
                try {
                    boolean _ = new Stop(turns).whole(() -> {
                        most.accumulateAndGet(now.incrementAndGet(), Math::max);
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
                        return now.decrementAndGet() == 0;
                    });
                } catch (Exception e) {
                    ended.set(e.toString());
                }
            }));
        }
        for (Thread worker : workers) {
            worker.join();
        }
        assertEquals("not at all", ended.get());
        assertTrue(most.get() <= 2, most::toString);
        assertEquals(2, turns.availablePermits());
    }
}
