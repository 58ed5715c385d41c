package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A worker is stopped at once where it waits, and never amid a statement. */
final class StopTest {
    private final Stop stop = new Stop();
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
}
