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
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a worker makes of what it is told. */
final class WorkerTest {
    private final PaperServer server;

    WorkerTest() throws IOException {
        server = new PaperServer();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private WorkerConfig config() {
        return WorkerConfig.of(server.address())
                .withName("paper")
                .withLease(Duration.ofSeconds(1))
                .withBackoff(new Backoff(Duration.ofMillis(5), Duration.ofMillis(20)));
    }

    private Worker.Builder echo() {
        return Worker.of(config()).handleJson("echo", (input, task) -> input);
    }

    private static void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private JsonNode only() {
        List<JsonNode> said = server.said("complete");
        assertEquals(1, said.size(), said::toString);
        return said.getFirst();
    }

    private void answers(int status, String body) {
        server.completions.add(new PaperServer.Answer(status, body));
    }

    @Test
    void whatCameOfATaskIsSaidUntilTheServerHasHeardIt() {
        answers(503, "{\"code\": \"BUSY\", \"category\": \"external_limit\", \"detail\": \"later\"}");
        answers(0, "");
        answers(500, "no JSON at all");
        answers(200, "{\"tasks\": [{\"state\": \"refused\", \"category\": \"external_limit\", \"code\": \"BUSY\"}]}");
        answers(200, "{\"tasks\": []}");
        try (Worker worker = echo().start()) {
            server.tasks.add(PaperServer.task("echo", 1, "{\"n\": 0.12345678901234567890123}"));

            until("it is heard", () -> worker.counts().heard() == 1);

            assertTrue(server.called("complete") >= 6, () -> "calls: " + server.called("complete"));
            server.said("complete")
                    .forEach(said -> assertEquals(
                            "{\"n\":0.12345678901234567890123}",
                            said.path("output").toString()));
            assertEquals(new WorkerCounts(0, 1, 0, 1, 0, 0), worker.counts());
        }
    }

    /** As many as there are senders, and more. */
    @ParameterizedTest
    @CsvSource({"409, SUSPENDED, suspended", "500, INTERNAL, retryable", "503, BUSY, external_limit"})
    void whatARunCannotHearNowIsKeptAndDelaysNoOther(int status, String code, String category) {
        AtomicBoolean held = new AtomicBoolean(true);
        server.heard =
                task -> held.get() && !task.path("executionId").asString().equals("e9")
                        ? "{\"state\": \"refused\", \"status\": %d, \"code\": \"%s\", \"category\": \"%s\"}"
                                .formatted(status, code, category)
                        : "{\"state\": \"accepted\"}";
        try (Worker worker = echo().start()) {
            for (int i = 1; i <= 4; i++) {
                int each = i;
                server.tasks.add(PaperServer.task("echo", i, "1"));
                until(
                        "it is refused",
                        () -> server.said("complete").stream()
                                .anyMatch(said ->
                                        said.path("executionId").asString().equals("e" + each)));
            }
            server.tasks.add(PaperServer.task("echo", 9, "1"));

            until("the other is heard", () -> worker.counts().heard() == 1);
            held.set(false);
            until("all are heard", () -> worker.counts().heard() == 5);

            server.said("complete").forEach(said -> assertTrue(said.has("output"), said::toString));
        }
    }

    /** Such as a proxy's, or of a server that is no Flowstone yet. */
    @ParameterizedTest
    @CsvSource({
        "404, 'no such page'",
        "429, ''",
        "403, '{}'",
        "413, <html/>",
        "400, '{\"code\": 400}'",
        // A Flowstone's, of a body that was cut off or came too slowly.
        "400, '{\"code\": \"INVALID_REQUEST\", \"category\": \"permanent\", \"detail\": \"the body is cut off\"}'"
    })
    void whatSaysNothingAboutTheAnswerReplacesNone(int status, String body) {
        answers(status, body);
        answers(status, body);
        try (Worker worker = echo().start()) {
            server.tasks.add(PaperServer.task("echo", 1, "1"));

            until("it is heard", () -> worker.counts().heard() == 1);

            assertEquals(3, server.said("complete").size());
            server.said("complete").forEach(said -> assertTrue(said.has("output"), said::toString));
        }
    }

    private static String tasks(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> PaperServer.task("echo", i, String.valueOf(i)))
                .collect(Collectors.joining(","));
    }

    /** One is tried with now and then; of a thousand that would take minutes. */
    @Test
    void whatAServerThatIsAwayHandedOutIsToldToTheOthersAtOnce() throws IOException {
        Semaphore mayEnd = new Semaphore(0);
        PaperServer other = new PaperServer();
        try (other;
                Worker worker = Worker.of(WorkerConfig.of(server.address(), other.address())
                                .withConcurrency(4_000)
                                .withBackoff(new Backoff(Duration.ofMillis(200), Duration.ofMillis(200))))
                        .handleJson("echo", (input, task) -> {
                            mayEnd.acquire();
                            return input;
                        })
                        .start()) {
            for (int i = 0; i < 4; i++) {
                server.tasks.add(tasks(i * 255, (i + 1) * 255));
            }
            until("all are begun", () -> worker.counts().held() == 1_020);
            server.close();
            // So that it has been away for long.
            for (int i = 1; i <= 20; i++) {
                int each = i;
                mayEnd.release();
                until("it is heard", () -> worker.counts().heard() == each);
            }

            long from = System.nanoTime();
            mayEnd.release(1_000);
            until("all are heard", () -> worker.counts().heard() == 1_020);

            Duration took = Duration.ofNanos(System.nanoTime() - from);
            assertTrue(took.compareTo(Duration.ofSeconds(15)) < 0, took::toString);
            assertEquals(1_020, Set.copyOf(other.said("complete")).size());
        }
    }

    /** Such as a filter in between that doesn't like a word of it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 403, 500})
    void anAnswerForWhichWholeCallsFailDelaysNoOther(int status) {
        Semaphore mayEnd = new Semaphore(0);
        AtomicBoolean held = new AtomicBoolean(true);
        server.whole = call -> held.get()
                        && call.is("complete")
                        && call.tasks()
                                .valueStream()
                                .anyMatch(task -> task.path("output").asInt() == 50)
                ? Optional.of(new PaperServer.Answer(status, ""))
                : Optional.empty();
        try (Worker worker = Worker.of(config().withConcurrency(200)
                        .withBackoff(new Backoff(Duration.ofMillis(20), Duration.ofSeconds(2))))
                .handleJson("echo", (input, task) -> {
                    mayEnd.acquire();
                    return input;
                })
                .start()) {
            server.tasks.add(tasks(0, 100));
            until("all are begun", () -> worker.counts().held() == 100);
            mayEnd.release(100);
            until("all but that one are heard", () -> worker.counts().heard() == 99);

            // It comes by itself, and not often.
            long calls = server.called("complete");
            for (int i = 100; i < 300; i++) {
                int each = i;
                server.tasks.add(tasks(i, i + 1));
                mayEnd.release();
                until("the next is heard", () -> worker.counts().heard() == each);
            }
            assertTrue(server.called("complete") - calls < 230, () -> "calls: " + (server.called("complete") - calls));
            held.set(false);
            until("it is heard, too", () -> worker.counts().heard() == 300);
        }
    }

    @Test
    void answersThatSuspendedRunsCannotKeepTakeNoPlacesAndAreNotWaitedFor() {
        server.heard = task -> task.path("executionId").asString().compareTo("e3") <= 0
                ? "{\"state\": \"refused\", \"status\": 409, \"code\": \"SUSPENDED\", \"category\": \"suspended\"}"
                : "{\"state\": \"accepted\"}";
        Worker worker = Worker.of(config().withConcurrency(2))
                .handleJson("echo", (input, task) -> input)
                .start();
        server.tasks.add(tasks(1, 3));
        until("both are refused", () -> Set.copyOf(server.said("complete")).size() == 2);
        server.tasks.add(tasks(4, 5));
        until("another is heard", () -> worker.counts().heard() == 1);
        server.tasks.add(tasks(3, 4));
        until("one more is refused", () -> Set.copyOf(server.said("complete")).size() == 4);
        server.tasks.add(tasks(5, 6));
        until("and there is a place", () -> worker.counts().heard() == 2);
        assertEquals(3, worker.counts().held());

        long from = System.nanoTime();
        worker.stop(Duration.ofSeconds(40));

        assertTrue(System.nanoTime() - from < TimeUnit.SECONDS.toNanos(30), "nobody knows how long they would wait");
    }

    @Test
    void anAnswerNamesItsLease() {
        try (Worker worker = echo().start()) {
            server.tasks.add(PaperServer.task("echo", 1, "1"));
            until("it is heard", () -> worker.counts().heard() == 1);

            assertEquals("l", only().path("lease").asString());
        }
    }

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
    void anAnswerThatTheServerCannotTakeFailsItsTaskForGoodAndNoOther() {
        CountDownLatch together = new CountDownLatch(1);
        answers(413, "{\"code\": \"BODY_TOO_LARGE\", \"category\": \"permanent\", \"detail\": \"too large\"}");
        answers(413, "{\"code\": \"BODY_TOO_LARGE\", \"category\": \"permanent\", \"detail\": \"too large\"}");
        try (Worker worker = Worker.of(config())
                .handleJson("echo", (input, task) -> {
                    together.await();
                    return input;
                })
                .start()) {
            server.tasks.add(PaperServer.task("echo", 1, "1") + "," + PaperServer.task("echo", 2, "2"));
            until("both are begun", () -> worker.counts().held() == 2);
            together.countDown();

            until("both are heard", () -> worker.counts().heard() == 2);

            List<JsonNode> failures = server.said("complete").stream()
                    .filter(said -> said.has("error"))
                    .toList();
            assertTrue(!failures.isEmpty(), "at least the one that was sent alone");
            failures.forEach(said -> {
                assertEquals("permanent", said.path("errorClass").asString());
                assertEquals("ANSWER_REFUSED", said.at("/error/code").asString());
                assertTrue(said.at("/error/message").asString().contains("too large"));
            });
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
