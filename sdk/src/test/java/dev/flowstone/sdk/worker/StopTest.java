package dev.flowstone.sdk.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.sdk.worker.Stopped.Left;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A worker that stops, within a bound, and says what it leaves. */
final class StopTest extends PaperWorkerTest {
    StopTest() throws IOException {}

    @Test
    void oneThatHasDoneEverythingSaysSo() {
        try (Worker worker = echo().start()) {
            server.tasks.add(PaperServer.task("echo", 1, "1"));
            until("it is heard", () -> worker.counts().heard() == 1);

            Stopped stopped = worker.stop(Duration.ofSeconds(30));

            assertTrue(stopped.isInOrder(), stopped::toString);
            assertSame(stopped, worker.stop(Duration.ZERO));
        }
    }

    @Test
    void handlersThatEndWithinTheGraceAreDone() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Worker worker = Worker.of(config())
                .handleJson("echo", (input, task) -> {
                    begun.countDown();
                    mayEnd.await();
                    return input;
                })
                .start();
        server.tasks.add(PaperServer.task("echo", 1, "1"));
        until("it has begun", () -> begun.getCount() == 0);
        server.whole = call -> {
            if (call.is("leave")) {
                mayEnd.countDown();
            }
            return Optional.empty();
        };

        assertTrue(worker.stop(Duration.ofMinutes(1)).isInOrder());
        assertEquals(1, worker.counts().heard());
    }

    @Test
    void whatDoesNotEndIsNamedAndGivenBack() {
        CountDownLatch stubborn = new CountDownLatch(1);
        Worker worker = Worker.of(config())
                .handleJson("echo", (input, task) -> {
                    while (stubborn.getCount() > 0) {
                        try {
                            stubborn.await();
                        } catch (InterruptedException e) {
                            // It doesn't heed that.
                        }
                    }
                    return input;
                })
                .start();
        server.tasks.add(PaperServer.task("echo", 7, "1"));
        until("it has begun", () -> worker.metrics().actions().getFirst().running() == 1);

        Stopped stopped = worker.stop(Duration.ofMillis(50));

        assertEquals(List.of(new Left("echo", "e7", "a#1", 1, true)), stopped.left());
        assertEquals(0, stopped.untold());
        assertEquals(1, worker.counts().returned());
        stubborn.countDown();
    }

    @Test
    void aServerThatIsAwayIsNotWaitedForAndWhatItHasNotHeardIsCounted() {
        CountDownLatch begun = new CountDownLatch(1);
        Worker worker = Worker.of(config().withPoll(Duration.ofMinutes(1)))
                .handleJson("echo", (input, task) -> {
                    if (input.asInt() == 2) {
                        begun.countDown();
                        new CountDownLatch(1).await();
                    }
                    return input;
                })
                .start();
        // Claims wait on; all else is cut off.
        server.whole = call -> call.is("claim") ? Optional.empty() : Optional.of(new PaperServer.Answer(0, ""));
        server.tasks.add(PaperServer.task("echo", 1, "1") + "," + PaperServer.task("echo", 2, "2"));
        until("both have begun", () -> begun.getCount() == 0 && worker.counts().worked() == 1);

        long from = System.nanoTime();
        Stopped stopped = worker.stop(Duration.ofMillis(50));

        assertTrue(System.nanoTime() - from < TimeUnit.SECONDS.toNanos(40), "claims that wait a minute are given up");
        assertFalse(stopped.isInOrder());
        assertEquals(List.of(new Left("echo", "e2", "a#1", 1, false)), stopped.left());
        assertEquals(1, stopped.untold());
    }
}
