package dev.flowstone.sdk.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.sdk.http.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What becomes of a worker's answers until they are heard. */
final class WorkerAnswersTest extends PaperWorkerTest {
    WorkerAnswersTest() throws IOException {}

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
}
