package dev.flowstone.sdk.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.sdk.http.Backoff;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a worker makes of what it is told. */
final class WorkerTest extends PaperWorkerTest {
    WorkerTest() throws IOException {}

    @Test
    void aHeartbeatThatIsNotAnsweredIsSaidAgainBeforeTheLeaseIsOver() {
        Duration lease = Duration.ofSeconds(6);
        CountDownLatch mayEnd = new CountDownLatch(1);
        ConcurrentLinkedQueue<Long> beats = new ConcurrentLinkedQueue<>();
        server.beat = task -> {
            beats.add(System.nanoTime());
            if (beats.size() == 1) {
                try {
                    mayEnd.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return "{\"state\": \"held\", \"lease\": \"l\"}";
        };
        try (Worker worker = Worker.of(config().withLease(lease))
                .handleJson("echo", (input, task) -> {
                    mayEnd.await();
                    return input;
                })
                .start()) {
            server.tasks.add(PaperServer.task("echo", 1, "1"));

            until("it is said again", () -> beats.size() > 1);
            mayEnd.countDown();

            List<Long> times = List.copyOf(beats);
            assertTrue(times.get(1) - times.get(0)
                    < lease.multipliedBy(2).dividedBy(3).toNanos());
            until("it is heard", () -> worker.counts().heard() == 1);
        }
    }

    @Test
    void onlyHeartbeatsThatWereNotHeardAreSaidAgainAndNotBeforeTheServerWantsThem() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        ConcurrentLinkedQueue<Integer> sizes = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Long> times = new ConcurrentLinkedQueue<>();
        server.whole = call -> {
            if (!call.is("heartbeat")) {
                return Optional.empty();
            }
            sizes.add(call.tasks().size());
            times.add(System.nanoTime());
            return sizes.size() == 2
                    ? Optional.of(new PaperServer.Answer(
                            503, "{\"code\": \"BUSY\", \"category\": \"external_limit\", \"retryAfterSeconds\": 1}"))
                    : Optional.empty();
        };
        try (Worker worker = Worker.of(config().withConcurrency(2_000).withLease(Duration.ofSeconds(9)))
                .handleJson("echo", (input, task) -> {
                    mayEnd.await();
                    return input;
                })
                .start()) {
            server.tasks.add(tasks(0, 500));
            server.tasks.add(tasks(500, 510));
            until("all are begun", () -> worker.counts().held() == 510);

            until("what wasn't heard is said again", () -> sizes.size() >= 3);
            mayEnd.countDown();

            assertEquals(List.of(500, 10, 10), List.copyOf(sizes).subList(0, 3));
            assertTrue(List.copyOf(times).get(2) - List.copyOf(times).get(1) >= TimeUnit.MILLISECONDS.toNanos(950));
        }
    }

    @Test
    void oneThatIsSettledByOthersIsOver() {
        answers(200, "{\"tasks\": [{\"state\": \"refused\", \"category\": \"conflict\", \"code\": \"CONFLICT\"}]}");
        answers(
                200,
                "{\"tasks\": [{\"state\": \"refused\", \"category\": \"permanent\", \"status\": 404, \"code\": \"NOT_FOUND\"}]}");
        try (Worker worker = echo().start()) {
            server.tasks.add(PaperServer.task("echo", 1, "1"));
            until("the first is over", () -> worker.counts().unwanted() == 1);
            server.tasks.add(PaperServer.task("echo", 2, "2"));
            until("the second is over", () -> worker.counts().unwanted() == 2);

            assertEquals(2, server.called("complete"));
            assertEquals(0, worker.counts().held());
        }
    }

    @Test
    void failuresAreToldWithTheirClassCodeDetailsAndPause() {
        try (Worker worker = Worker.of(config())
                .handleJson("echo", (input, task) -> {
                    throw TaskFailure.externalLimit("SLOW_DOWN", "enough \ud800 for now", Duration.ofMillis(1_500))
                            .with(Map.of("left", 0));
                })
                .start()) {
            server.tasks.add(PaperServer.task("echo", 1, "1"));
            until("it is heard", () -> worker.counts().heard() == 1);

            JsonNode said = only();
            assertEquals("external_limit", said.path("errorClass").asString());
            assertEquals(2, said.path("retryAfterSeconds").asInt());
            assertEquals("SLOW_DOWN", said.at("/error/code").asString());
            assertEquals("enough \ufffd for now", said.at("/error/message").asString());
            assertEquals(0, said.at("/error/details/left").asInt());
            assertFalse(said.has("output"));
        }
    }

    @Test
    void whateverAHandlerThrowsOrReturnsBecomesAnAnswer() {
        Map<String, Object> circle = new HashMap<>();
        circle.put("self", circle);
        AtomicInteger next = new AtomicInteger();
        try (Worker worker = Worker.of(config())
                .handleJson("echo", (input, task) -> switch (next.getAndIncrement()) {
                    case 0 -> throw new StackOverflowError("deep");
                    case 1 -> throw new NoClassDefFoundError("x".repeat(100_000));
                    case 2 -> circle;
                    case 3 -> throw new TaskSkipped("nothing");
                    default -> null;
                })
                .start()) {
            for (int i = 0; i < 5; i++) {
                int before = i;
                server.tasks.add(PaperServer.task("echo", i, "1"));
                until("it is heard", () -> worker.counts().heard() == before + 1);
            }

            List<JsonNode> said = server.said("complete");
            assertEquals("HANDLER_THREW", said.get(0).at("/error/code").asString());
            assertEquals("retryable", said.get(0).path("errorClass").asString());
            assertTrue(said.get(1).at("/error/message").asString().length() <= 2_000);
            assertEquals("OUTPUT_NOT_JSON", said.get(2).at("/error/code").asString());
            assertEquals("nothing", said.get(3).path("skipped").asString());
            assertTrue(said.get(4).path("output").isNull());
        }
    }

    @Test
    void moreThanItHasRoomForIsNotAskedFor() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (Worker worker = Worker.of(config().withConcurrency(2))
                .handleJson("echo", (input, task) -> {
                    mayEnd.await();
                    return input;
                })
                .start()) {
            // More than the two that it has room for: it begins two, and the others' leases run out.
            server.tasks.add(PaperServer.task("echo", 1, "1") + "," + PaperServer.task("echo", 2, "2") + ","
                    + PaperServer.task("echo", 3, "3"));
            until("it has two", () -> worker.counts().held() == 2);
            assertEquals(1, server.called("claim"));
            mayEnd.countDown();
            until("both are heard", () -> worker.counts().heard() == 2);
            until("it asks again", () -> server.called("claim") == 2);
        }
    }

    @Test
    void itSaysThatItIsStillAtItAndIsInterruptedWhenNobodyWaits() {
        CountDownLatch begun = new CountDownLatch(2);
        AtomicInteger interrupted = new AtomicInteger();
        server.beat = task -> task.path("executionId").asString().equals("e1")
                ? "{\"state\": \"canceled\", \"lease\": \"l\"}"
                : "{\"state\": \"gone\"}";
        try (Worker worker = Worker.of(config())
                .handleJson("echo", (input, task) -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        assertTrue(task.isCanceled());
                        interrupted.incrementAndGet();
                        throw e;
                    }
                    return input;
                })
                .start()) {
            server.tasks.add(PaperServer.task("echo", 1, "1") + "," + PaperServer.task("echo", 2, "2"));

            until("both are interrupted", () -> interrupted.get() == 2);
            until("both are over", () -> worker.counts().held() == 0);

            assertEquals("e1", only().path("executionId").asString(), "a failure of one that is gone is no news");
            assertEquals(1, worker.counts().unwanted());
        }
    }

    @Test
    void nonsenseFromAServerIsLeftAside() {
        try (Worker worker = echo().start()) {
            server.tasks.add("5, {}, {\"executionId\": 7}, null, " + PaperServer.task("echo", 1, "{\"deep\": [[[]]]}"));
            server.tasks.add("this is no JSON");
            server.tasks.add(PaperServer.task("other", 2, "1"));

            until("both tasks are heard", () -> worker.counts().heard() == 2);

            assertEquals(
                    "NOT_THIS_WORKER",
                    server.said("complete").get(1).at("/error/code").asString());
        }
    }

    @Test
    void aWorkerMayBeStartedBeforeItsServer() throws IOException {
        URI address = server.address();
        server.close();
        try (Worker worker = Worker.of(
                        WorkerConfig.of(address).withBackoff(new Backoff(Duration.ofMillis(5), Duration.ofMillis(20))))
                .handleJson("echo", (input, task) -> input)
                .start()) {
            assertEquals(0, worker.counts().held());
        }
    }

    @Test
    void refusesWhatIsNoWorker() {
        assertThrows(IllegalStateException.class, () -> Worker.of(config()).start());
        assertThrows(IllegalArgumentException.class, () -> echo().handleJson("echo", (input, task) -> input));
        assertThrows(IllegalArgumentException.class, WorkerConfig::of);
        assertThrows(IllegalArgumentException.class, () -> config().withConcurrency(0));
        assertThrows(IllegalArgumentException.class, () -> config().withLease(Duration.ofMillis(10)));
        assertThrows(IllegalArgumentException.class, () -> config().withBatch(501));
    }
}
