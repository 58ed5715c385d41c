package dev.flowstone.sdk.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.sdk.client.PaperApi.Asked;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent again, what isn't, and when. */
final class RetryTest {
    private static final String STARTED = "{\"executionId\": \"e-1\", \"status\": \"Running\", \"statusUrl\": \"/x\"}";
    private static final String LIVE = "{\"status\": \"live\"}";

    private final PaperApi server;

    RetryTest() throws IOException {
        server = new PaperApi();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Set<String> keys() {
        return server.asked().stream().map(it -> it.header("Idempotency-Key")).collect(Collectors.toSet());
    }

    @Test
    void aStartWhoseAnswerIsCutOffIsSentUnderItsKeyAgainAndStartsOne() {
        Map<String, String> executions = new ConcurrentHashMap<>();
        server.breaksOff(call -> executions.put(call.header("Idempotency-Key"), "e-1"))
                .says((call, exchange) -> {
                    boolean known = executions.putIfAbsent(call.header("Idempotency-Key"), "e-2") != null;
                    PaperApi.answer(exchange, known ? 200 : 202, STARTED);
                });
        try (FlowstoneClient client = server.client().build()) {
            StartedExecution started =
                    client.executions().start(Start.of("order").withTrigger(Map.of("amount", 7)));

            assertEquals("e-1", started.executionId());
            assertFalse(started.created(), "the first attempt did");
            assertEquals(Map.of(started.requestId(), "e-1"), executions);
            assertEquals(2, server.asked().size());
            assertEquals(
                    "{\"trigger\":{\"amount\":7}}", server.asked().getLast().body());
        }
    }

    @Test
    void theCallersRequestIdIsTheKeyAndEachStartHasOneOfItsOwn() {
        server.says(202, STARTED);
        try (FlowstoneClient client = server.client().build()) {
            assertEquals(
                    "mine",
                    client.executions()
                            .start(Start.of("order").withRequestId("mine"))
                            .requestId());
            String first = client.executions().start(Start.of("order")).requestId();
            String second = client.executions().start(Start.of("order")).requestId();

            assertNotEquals(first, second);
            assertEquals(Set.of("mine", first, second), keys());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 502, 503, 504})
    void whatPassesIsTriedAgain(int status) {
        server.says(status, "come back").says(202, STARTED);
        try (FlowstoneClient client = server.client().build()) {
            assertTrue(client.executions().start(Start.of("order")).created());
            assertEquals(1, keys().size());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 409, 410, 412, 413, 500})
    void whatStaysIsNot(int status) {
        server.says(status, PaperApi.problem(status, "CODE", "permanent", ""));
        try (FlowstoneClient client = server.client().build()) {
            RefusedException refused = assertThrows(
                    RefusedException.class, () -> client.executions().get("e-1"));

            assertEquals(status, refused.status());
            assertEquals(1, refused.attempts());
            assertEquals(1, server.asked().size());
        }
    }

    @Test
    void aPauseThatIsAskedForIsKept() {
        server.says(429, "", "Retry-After", "1").says(200, "{\"items\": [], \"next\": null}");
        try (FlowstoneClient client = server.client().build()) {
            long begin = System.nanoTime();
            assertEquals(
                    List.of(),
                    client.executions().list(ExecutionFilter.ALL).stream().toList());
            assertTrue(System.nanoTime() - begin >= TimeUnit.MILLISECONDS.toNanos(950));
        }
    }

    @Test
    void aPauseThatThereIsNoTimeForIsSaidAtOnce() {
        server.says(
                503,
                PaperApi.problem(503, "BUSY", "external_limit", ", \"retryAfterSeconds\": 120"),
                "Retry-After",
                "1");
        try (FlowstoneClient client = server.client().build()) {
            RefusedException refused = assertThrows(
                    RefusedException.class, () -> client.executions().start(Start.of("order")));

            assertEquals("BUSY", refused.code());
            assertEquals(Optional.of(Duration.ofMinutes(2)), refused.retryAfter());
            assertEquals("call again in 120 s", refused.remedy());
            assertTrue(refused.isRetryable());
            assertEquals(1, server.asked().size());
        }
    }

    @Test
    void attemptsAndTimeAreBounded() {
        server.says(503, "");
        try (FlowstoneClient client = server.client().build()) {
            assertEquals(
                    4,
                    assertThrows(
                                    RefusedException.class,
                                    () -> client.executions().get("e"))
                            .attempts());
            assertEquals(4, server.asked().size());
        }
        RetryPolicy brief = RetryPolicy.DEFAULT.withAttempts(1_000).withDeadline(Duration.ofMillis(300));
        try (FlowstoneClient client = server.client().retry(brief).build()) {
            assertTrue(assertThrows(
                                    FlowstoneException.class,
                                    () -> client.executions().get("e"))
                            .attempts()
                    < 10);
        }
    }

    @Test
    void aServerThatIsSilentIsAskedAgain() {
        server.isSilent().says(200, LIVE);
        try (FlowstoneClient client =
                server.client().attemptTimeout(Duration.ofMillis(200)).build()) {
            // Any object will do for a call that reads nothing of it.
            client.triggers().delete("t");
            assertEquals(2, server.asked().size());
        }
    }

    @Test
    void oneThatSaysAByteNowAndThenIsNotWaitedForEither() {
        server.says((_, exchange) -> {
            exchange.sendResponseHeaders(200, 0);
            for (int i = 0; i < 3_000; i++) {
                exchange.getResponseBody().write(' ');
                exchange.getResponseBody().flush();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        });
        try (FlowstoneClient client = server.client()
                .attemptTimeout(Duration.ofMillis(200))
                .retry(RetryPolicy.none())
                .build()) {
            UnreachableException lost = assertThrows(
                    UnreachableException.class, () -> client.executions().get("e-1"));

            assertEquals("TIMED_OUT", lost.code());
            assertTrue(lost.mayBeDone());
            assertTrue(lost.isRetryable());
        }
    }

    @Test
    void whereThereIsNoServerNothingIsDone() throws IOException {
        URI nowhere;
        try (ServerSocket free = new ServerSocket(0)) {
            nowhere = URI.create("http://127.0.0.1:" + free.getLocalPort());
        }
        try (FlowstoneClient client = FlowstoneClient.of(nowhere)
                .retry(RetryPolicy.DEFAULT.withAttempts(2))
                .build()) {
            UnreachableException lost = assertThrows(
                    UnreachableException.class,
                    () -> client.executions().start(Start.of("order").withRequestId("mine")));

            assertEquals("UNREACHABLE", lost.code());
            assertEquals(0, lost.status());
            assertEquals(2, lost.attempts());
            assertFalse(lost.mayBeDone());
            assertEquals(Optional.of("mine"), lost.idempotencyKey());
            assertFalse(client.health().isLive());
        }
    }

    @Test
    void whatWouldDoMoreIsSentAgainOnlyIfItWasNotDone() {
        server.says(429, "").says(200, "{\"requeued\": 3, \"more\": true}").breaksOff(_ -> {});
        try (FlowstoneClient client = server.client().build()) {
            assertEquals(
                    new DeadLetters.Swept(3, true),
                    client.deadLetters().requeueAll(DeadLetterFilter.ALL.withReason("POISON"), 3, "whole again"));
            assertEquals(
                    "{\"reason\":\"POISON\",\"limit\":3,\"comment\":\"whole again\"}",
                    server.asked().getLast().body());

            UnreachableException lost = assertThrows(
                    UnreachableException.class, () -> client.deadLetters().discardAll(DeadLetterFilter.ALL, 3, "old"));
            assertTrue(lost.mayBeDone());
            assertEquals(3, server.asked().size());
        }
    }

    @Test
    void whatIsGoneAfterAnAttemptThatMayHaveWorkedIsDone() {
        String gone = PaperApi.problem(404, "WORKFLOW_NOT_FOUND", "permanent", "");
        server.breaksOff(_ -> {}).says(404, gone);
        try (FlowstoneClient client = server.client().build()) {
            client.workflows().delete("order");
            assertEquals(
                    List.of("DELETE", "DELETE"),
                    server.asked().stream().map(Asked::method).toList());

            // This one was never there.
            assertThrows(FlowstoneException.class, () -> client.workflows().delete("order"));
        }
    }

    @Test
    void aTokenIsAskedForAtEachAttempt() {
        AtomicInteger asked = new AtomicInteger();
        server.says(503, "").says(200, LIVE);
        try (FlowstoneClient client =
                server.client().token(() -> "secret-" + asked.incrementAndGet()).build()) {
            client.triggers().delete("t");
            assertEquals(
                    List.of("Bearer secret-1", "Bearer secret-2"),
                    server.asked().stream()
                            .map(it -> it.header("Authorization"))
                            .toList());
            assertEquals(
                    1,
                    server.asked().stream()
                            .map(it -> it.header("Correlation-id"))
                            .distinct()
                            .count());
        }
    }

    @Test
    void whoIsInterruptedIsToldSoAndStaysInterrupted() {
        server.isSilent();
        try (FlowstoneClient client = server.client().build()) {
            Thread.currentThread().interrupt();
            FlowstoneException thrown = assertThrows(
                    FlowstoneException.class, () -> client.executions().get("e-1"));

            assertInstanceOf(InterruptedCallException.class, thrown);
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void aClosedClientCallsNobody() {
        FlowstoneClient client = server.client().build();
        FlowstoneClient other = client.as("user:anna");
        client.close();
        assertThrows(IllegalStateException.class, () -> other.executions().get("e-1"));
        assertEquals(List.of(), server.asked());
    }
}
