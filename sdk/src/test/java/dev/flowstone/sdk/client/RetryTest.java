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
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

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
            assertTrue(started.created(), "the first attempt did, of this call");
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
            assertTrue(refused.mayBeDone(), "5xx: who knows");
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
            assertTrue(server.asked().size() >= 2);
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
            assertFalse(thrown.mayBeDone());
            assertEquals(List.of(), server.asked(), "nothing is sent any more");
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

    /** Runs it in a thread of its own, and does this as soon as it waits. */
    private static Optional<FlowstoneException> whileItWaits(Runnable call, Consumer<Thread> does) throws Exception {
        AtomicReference<FlowstoneException> thrown = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                call.run();
            } catch (FlowstoneException e) {
                thrown.set(e);
            }
        });
        while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        does.accept(thread);
        assertTrue(thread.join(Duration.ofSeconds(30)), "it ends");
        return Optional.ofNullable(thrown.get());
    }

    private void untilAsked(int times) {
        while (server.asked().size() < times) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    @Test
    @Timeout(60)
    void whoIsInterruptedInAnExchangeOrInAPauseIsToldWhatMayBeDone() throws Exception {
        server.isSilent().says(429, "", "Retry-After", "40");
        try (FlowstoneClient client = server.client().build()) {
            FlowstoneException exchange = whileItWaits(() -> client.executions().cancel("e-1", "x"), thread -> {
                        untilAsked(1);
                        thread.interrupt();
                    })
                    .orElseThrow();
            assertEquals("INTERRUPTED", exchange.code());
            assertTrue(exchange.mayBeDone());
            assertEquals(Optional.of(server.asked().getLast().header("Idempotency-Key")), exchange.idempotencyKey());
        }
        try (FlowstoneClient client = server.client().build()) {
            FlowstoneException pause = whileItWaits(() -> client.executions().cancel("e-1", "x"), thread -> {
                        untilAsked(2);
                        // Then it reads the answer, and pauses; it is told the same if it doesn't yet.
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
                        thread.interrupt();
                    })
                    .orElseThrow();
            assertEquals("INTERRUPTED", pause.code());
        }
    }

    @Test
    @Timeout(60)
    void toCloseTheClientEndsAPauseWithWhyItPauses() throws Exception {
        server.breaksOff(_ -> {}).says(503, "", "Retry-After", "50");
        FlowstoneClient client = server.client().build();
        FlowstoneException thrown = whileItWaits(
                        () -> client.executions().start(Start.of("order").withRequestId("mine")), _ -> {
                            untilAsked(2);
                            client.close();
                        })
                .orElseThrow();
        assertTrue(thrown.mayBeDone());
        assertEquals(Optional.of("mine"), thrown.idempotencyKey());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bestellung-Müller", "with blank", "", "\u0100", "a\nb"})
    void aKeyThatNoHeaderCanHaveIsRefusedBeforeAnythingIsSent(String key) {
        try (FlowstoneClient client = server.client().build()) {
            for (Executable call : List.<Executable>of(
                    () -> client.signals().send(Signal.of("paid", "o-7"), key),
                    () -> client.triggers().fire("t", Optional.empty(), key),
                    () -> client.underKey(key))) {
                assertThrows(IllegalArgumentException.class, call);
            }
            assertEquals(List.of(), server.asked());
        }
    }

    @Test
    void requestIdsThatDifferInAnUmlautStayTwo() {
        server.says(202, STARTED);
        try (FlowstoneClient client = server.client().build()) {
            for (String id : List.of("Bestellung-Müller", "Bestellung-Möller")) {
                assertEquals(
                        id,
                        client.executions()
                                .start(Start.of("order").withRequestId(id))
                                .requestId());
                assertEquals(
                        "{\"requestId\":\"" + id + "\"}",
                        server.asked().getLast().body());
            }
            assertEquals(Set.of(""), keys());
        }
    }

    @Test
    void aRefusalBehindALostAnswerSaysThatItMayBeDone() {
        server.breaksOff(_ -> {}).says(429, PaperApi.problem(429, "RATE_LIMITED", "external_limit", ""));
        try (FlowstoneClient client = server.client().build()) {
            RefusedException refused = assertThrows(
                    RefusedException.class, () -> client.executions().start(Start.of("order")));

            assertTrue(refused.mayBeDone());
            assertTrue(refused.remedy().contains("may have worked: call again under the same key"), refused.remedy());
            assertFalse(assertThrows(
                            RefusedException.class, () -> client.executions().start(Start.of("order")))
                    .mayBeDone());
        }
    }

    @Test
    void anotherAnswerThanWasAskedForMayBeDone() {
        server.says(200, "[]");
        try (FlowstoneClient client = server.client().build()) {
            assertTrue(assertThrows(
                            UnreadableAnswerException.class,
                            () -> client.executions().cancel("e", "x"))
                    .mayBeDone());
        }
    }

    private static List<Consumer<Workflows>> onWhatOthersDo() {
        return List.of(it -> it.publish("w"), it -> it.stage("w"), it -> it.discardDraft("w"));
    }

    @Test
    void whatCouldActOnOthersWorkIsRepeatedOnlyAtARevision() {
        server.breaksOff(_ -> {});
        try (FlowstoneClient client = server.client().build()) {
            for (Consumer<Workflows> change : onWhatOthersDo()) {
                FlowstoneException lost =
                        assertThrows(UnreachableException.class, () -> change.accept(client.workflows()));
                assertEquals(1, lost.attempts());
                assertTrue(lost.mayBeDone());
                FlowstoneException again = assertThrows(
                        UnreachableException.class,
                        () -> change.accept(client.workflows().atRevision(3)));
                assertEquals(4, again.attempts());
                assertEquals("\"r3\"", server.asked().getLast().header("If-Match"));
            }
        }
    }

    @Test
    void eachChangeOfATriggerOrWorkflowIsAtTheRevision() {
        server.says(412, PaperApi.problem(412, "REVISION_CHANGED", "conflict", ""));
        try (FlowstoneClient client = server.client().build()) {
            Triggers triggers = client.triggers().atRevision(7);
            Workflows workflows = client.workflows().atRevision(7);
            List<Executable> changes = List.of(
                    () -> triggers.change("t", TriggerSpec.schedule("0 9 * * *", "UTC")),
                    () -> triggers.enable("t"),
                    () -> triggers.disable("t"),
                    () -> triggers.delete("t"),
                    () -> workflows.save(JsonNodeFactory.instance.objectNode()),
                    () -> workflows.openDraft("w"),
                    () -> workflows.openDraft("w", JsonNodeFactory.instance.objectNode()),
                    () -> workflows.archive("w"),
                    () -> workflows.reactivate("w"),
                    () -> workflows.delete("w"));
            for (Executable change : changes) {
                assertEquals(412, assertThrows(RefusedException.class, change).status());
                assertEquals("\"r7\"", server.asked().getLast().header("If-Match"));
            }
            server.breaksOff(_ -> {}).says(412, "");
            assertThrows(RefusedException.class, () -> triggers.enable("t"));
            assertTrue(
                    assertThrows(RefusedException.class, () -> triggers.enable("t"))
                            .mayBeDone(),
                    "the attempt before may have made the new revision");
        }
    }

    @Test
    void repeatedAnswersClaimNothing() {
        String acted = "{\"executionId\": \"e-1\", \"lastSeq\": 9, \"events\": [], \"repeated\": %s,"
                + " \"buffered\": false, \"activation\": \"a\", \"settled\": false}";
        server.breaksOff(_ -> {})
                .says(200, acted.formatted(true))
                .says(200, acted.formatted(false))
                .says(200, "{\"executionId\": \"e-1\"}")
                .says(200, "{\"executionId\": \"e-1\"}")
                .says(200, "{\"executionId\": null, \"reason\": \"its condition is false\"}");
        try (FlowstoneClient client = server.client().build()) {
            TaskName task = new TaskName("e-1", "a");
            assertEquals(
                    Optional.empty(),
                    client.tasks().decide(task, Decision.of("approve")).settled());
            assertEquals(
                    Optional.of(false),
                    client.tasks().decide(task, Decision.of("approve")).settled());
            assertTrue(client.triggers().fire("t", Optional.empty()).created(), "nobody else has its key");
            assertFalse(client.triggers().fire("t", Optional.empty(), "mine").created());
            assertFalse(client.triggers().fire("t", Optional.empty()).created());
        }
    }

    @Test
    void anAttemptThatHasNoTimeIsNotMade() {
        server.says(503, "");
        RetryPolicy brief = RetryPolicy.DEFAULT.withDeadline(Duration.ofMillis(900));
        try (FlowstoneClient client = server.client().retry(brief).build()) {
            FlowstoneException thrown = assertThrows(
                    FlowstoneException.class, () -> client.executions().get("e"));
            assertEquals("HTTP_503", thrown.code());
            assertEquals(1, thrown.attempts());
        }
    }

    @Test
    void theDefaultLastsAsLongAsItsDeadline() {
        RetryPolicy policy = RetryPolicy.DEFAULT;
        Duration shortest = Duration.ZERO;
        for (int failures = 1; failures < policy.attempts(); failures++) {
            long longest = Math.min(10_000, 100L << Math.min(failures - 1, 20));
            shortest = shortest.plusMillis(longest / 2);
        }
        assertTrue(shortest.compareTo(policy.deadline()) >= 0, shortest + " of pauses, at least");
        assertTrue(policy.deadline().compareTo(Duration.ofSeconds(80)) >= 0, "two attempts of 40 s");
    }

    @Test
    void whatIsCalledUnderAKeyHasIt() {
        server.says(
                200,
                "{\"executionId\": \"e-1\", \"status\": \"Running\", \"lastSeq\": 9, \"events\": [],"
                        + " \"repeated\": true, \"buffered\": false, \"activation\": \"a\", \"settled\": true}");
        try (FlowstoneClient client = server.client().build();
                FlowstoneClient mine = client.underKey("mine")) {
            mine.executions().cancel("e-1", "x");
            mine.tasks().claim(new TaskName("e-1", "a"), Duration.ofMinutes(1));
            mine.as("user:anna").tasks().decide(new TaskName("e-1", "a"), Decision.of("approve"));
            assertFalse(mine.executions().start(Start.of("order")).created());
            assertFalse(mine.triggers().fire("t", Optional.empty()).created());
            assertEquals(Set.of("mine"), keys());
            client.executions().cancel("e-1", "x");
            assertNotEquals("mine", server.asked().getLast().header("Idempotency-Key"));
        }
    }
}
