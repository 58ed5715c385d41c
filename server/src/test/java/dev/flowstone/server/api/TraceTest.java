package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.trace.Tracing;
import dev.flowstone.testkit.memory.FaultyJournal;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One trace shows a call, the decisions that it led to, their attempts, and what left by the outbox. */
final class TraceTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";
    private static final String TRACEPARENT = "00-" + TRACE + "-" + CALLER + "-01";

    private final LinkedBlockingQueue<Optional<String>> handed = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Optional<String>> delivered = new LinkedBlockingQueue<>();
    private final Kept spans = new Kept();

    /** Keeps what it is given. */
    private static final class Kept implements SpanExporter {
        final LinkedBlockingQueue<SpanData> all = new LinkedBlockingQueue<>();

        @Override
        public CompletableResultCode export(Collection<SpanData> some) {
            all.addAll(some);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    private HandlerRegistry handlers() {
        return HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(new ActionDescription(new HandlerName("test.outside"), "For a test.", List.of()), call -> {
                    handed.add(call.traceparent());
                    return TaskResult.ok(JsonNull.NULL);
                })
                .build();
    }

    private RestFixture served(Tracing tracing) throws Exception {
        return served(Map.of(), tracing);
    }

    private RestFixture served(Map<String, String> settings, Tracing tracing) throws Exception {
        return new RestFixture(settings, TraceTest::mailing, handlers(), tracing, Map.of("mail", delivery -> {
            delivered.add(delivery.traceparent());
            return Publisher.Receipt.NONE;
        }));
    }

    /** The end of each run sends a message here. */
    private static Ports mailing(Ports ports) {
        FaultyJournal journal = new FaultyJournal(ports.journal());
        journal.on((commit, to) -> to.commit(new Commit(
                commit.lease(),
                commit.moves().stream().map(TraceTest::mailing).toList(),
                commit.consumed(),
                commit.delivered())));
        return FaultyJournal.in(ports, journal);
    }

    private static RunMove mailing(RunMove move) {
        if (!move.status().isFinal()) {
            return move;
        }
        return new RunMove(
                move.key(),
                move.workflow(),
                move.version(),
                move.program(),
                move.correlation(),
                move.expectedSequence(),
                move.entries(),
                move.status(),
                move.awake(),
                move.eventTime(),
                move.timersSet(),
                move.timersGone(),
                move.snapshot(),
                move.receipts(),
                move.payloads(),
                List.of(new OutboxMessage(move.newSequence(), 0, "mail", JsonObject.EMPTY)),
                move.letters(),
                move.tasksOpen(),
                move.tasksGone(),
                move.newProgram(),
                move.window());
    }

    private static void publish(RestFixture rest) throws Exception {
        rest.publish("""
                {"id": "traced", "displayName": "Traced", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "core.delay", "parameters": {"duration": "PT0.01S"},
                   "edges": [{"targetNode": "b"}]},
                  {"id": "b", "actionType": "test.outside", "parameters": {}}]}
                """);
    }

    private static Optional<String> next(LinkedBlockingQueue<Optional<String>> queue) throws InterruptedException {
        Optional<String> value = queue.poll(60, TimeUnit.SECONDS);
        if (value == null) {
            throw new AssertionError("nothing came");
        }
        return value;
    }

    @Test
    void oneTraceShowsTheCallItsDecisionsTheAttemptAndTheDelivery() throws Exception {
        try (RestFixture rest = served(Tracing.to(SimpleSpanProcessor.create(spans), 1, "test"))) {
            publish(rest);

            String run = rest.post("/api/v1/workflows/traced/execute", "{}", "traceparent", TRACEPARENT)
                    .text("/executionId");
            Optional<String> toHandler = next(handed);
            Optional<String> toOthers = next(delivered);
            SpanData delivery = span("deliver mail");

            SpanData call = span("POST /api/v1/workflows/{id}/execute");
            SpanData start = span("decide Start");
            SpanData timer = span("decide FireTimer");
            SpanData attempt = span("attempt test.outside");
            SpanData result = span("decide CompleteTask");
            assertEquals(CALLER, call.getParentSpanId());
            assertEquals(call.getSpanId(), start.getParentSpanId());
            assertEquals(start.getSpanId(), timer.getParentSpanId(), "over the wait");
            SpanData node = span("node b");
            assertEquals(node.getSpanId(), attempt.getParentSpanId());
            assertEquals(
                    timer.getSpanId(),
                    attempt.getLinks().getFirst().getSpanContext().getSpanId(),
                    "what handed it out");
            assertEquals(attempt.getSpanId(), result.getParentSpanId());
            assertEquals(result.getSpanId(), delivery.getParentSpanId());
            for (SpanData span : List.of(call, start, timer, attempt, result, delivery)) {
                assertEquals(TRACE, span.getTraceId(), span.getName());
            }
            assertEquals(Optional.of("00-" + TRACE + "-" + attempt.getSpanId() + "-01"), toHandler);
            assertEquals(Optional.of("00-" + TRACE + "-" + delivery.getSpanId() + "-01"), toOthers);
            assertEquals(run, attempt.getAttributes().get(AttributeKey.stringKey("flowstone.run")));
        }
    }

    private static Optional<String> text(SpanData span, String attribute) {
        return Optional.ofNullable(span.getAttributes().get(AttributeKey.stringKey(attribute)));
    }

    private static Instant began(SpanData span) {
        return Instant.EPOCH.plusNanos(span.getStartEpochNanos());
    }

    private static Duration took(SpanData span) {
        return Duration.ofNanos(span.getEndEpochNanos() - span.getStartEpochNanos());
    }

    @Test
    void anExecutionIsASpanWithItsNodesBelowAndTheirAttemptsBelowThese() throws Exception {
        try (RestFixture rest = served(Tracing.to(SimpleSpanProcessor.create(spans), 1, "test"))) {
            rest.publish("""
                    {"id": "tried", "displayName": "Tried", "startNode": "a", "nodes": [
                      {"id": "a", "actionType": "core.delay", "parameters": {"duration": "PT0.05S"},
                       "edges": [{"targetNode": "b"}]},
                      {"id": "b", "actionType": "core.sometimes-fails", "parameters": {"failures": 1},
                       "policies": {"retry": {"maxAttempts": 2, "baseDelayMs": 1, "jitter": false}},
                       "edges": [{"targetNode": "d"}, {"targetNode": "c", "when": "failure"}]},
                      {"id": "c", "actionType": "core.echo", "parameters": {}},
                      {"id": "d", "actionType": "core.fail", "parameters": {"code": "NO", "message": "it can't"}}]}
                    """);
            String run = rest.post("/api/v1/workflows/tried/execute", "{}", "traceparent", TRACEPARENT)
                    .text("/executionId");
            rest.finished(run, "");

            SpanData call = span("POST /api/v1/workflows/{id}/execute");
            SpanData execution = span("execution tried");
            assertEquals(TRACE, execution.getTraceId());
            assertEquals(call.getSpanId(), execution.getParentSpanId());
            assertEquals(Optional.of(run), text(execution, "flowstone.run"));
            assertEquals(Optional.of("tried"), text(execution, "flowstone.workflow"));
            assertEquals(1L, execution.getAttributes().get(AttributeKey.longKey("flowstone.version")));
            assertEquals(Optional.of("Failed"), text(execution, "flowstone.status"));
            assertEquals(Optional.of("NO"), text(execution, "error.type"));
            assertEquals(StatusCode.ERROR, execution.getStatus().getStatusCode());
            Map<String, Optional<String>> fared = new TreeMap<>();
            for (String name : List.of("a", "b", "c", "d")) {
                SpanData node = span("node " + name);
                assertEquals(execution.getSpanId(), node.getParentSpanId(), name);
                assertEquals(TRACE, node.getTraceId(), name);
                fared.put(name, text(node, "flowstone.status"));
                assertFalse(began(node).isBefore(began(execution)), name);
                assertTrue(took(execution).compareTo(took(node)) >= 0, name);
            }
            assertEquals(
                    Map.of(
                            "a", Optional.of("success"),
                            "b", Optional.of("success"),
                            "c", Optional.of("skipped"),
                            "d", Optional.of("failure")),
                    fared);
            SpanData waited = span("node a");
            assertTrue(took(waited).compareTo(Duration.ofMillis(40)) > 0, () -> "the wait lasted " + took(waited));
            SpanData tried = span("node b");
            assertEquals(2L, tried.getAttributes().get(AttributeKey.longKey("flowstone.attempts")));
            assertEquals(Optional.of("core.sometimes-fails"), text(tried, "flowstone.action"));
            Map<Long, Optional<String>> attempts = new TreeMap<>();
            for (SpanData span : spans.all) {
                if (span.getName().equals("attempt core.sometimes-fails")) {
                    assertEquals(tried.getSpanId(), span.getParentSpanId());
                    attempts.put(
                            requireNonNull(span.getAttributes().get(AttributeKey.longKey("flowstone.attempt"))),
                            text(span, "flowstone.status"));
                }
            }
            assertEquals(Map.of(1L, Optional.of("failed"), 2L, Optional.of("succeeded")), attempts);
        }
    }

    @Test
    void aChildsSpanIsLinkedToTheNodeThatCalledIt() throws Exception {
        try (RestFixture rest = served(Tracing.to(SimpleSpanProcessor.create(spans), 1, "test"))) {
            rest.publish("""
                    {"id": "child", "displayName": "C", "startNode": "x", "nodes": [
                      {"id": "x", "actionType": "core.echo", "parameters": {}}]}""");
            rest.publish("""
                    {"id": "parent", "displayName": "P", "startNode": "calls", "nodes": [
                      {"id": "calls", "nodeType": "subworkflow", "workflowId": "child"}]}""");
            String run = rest.post("/api/v1/workflows/parent/execute", "{}", "traceparent", TRACEPARENT)
                    .text("/executionId");
            assertEquals("Succeeded", rest.finished(run, "").text("/status"));

            SpanData caller = span("node calls");
            SpanData child = span("execution child");
            assertEquals(TRACE, child.getTraceId());
            assertEquals(1, child.getLinks().size());
            assertEquals(
                    caller.getSpanContext().getSpanId(),
                    child.getLinks().getFirst().getSpanContext().getSpanId());
            assertEquals(TRACE, child.getLinks().getFirst().getSpanContext().getTraceId());
            assertEquals(child.getSpanId(), span("node x").getParentSpanId());
        }
    }

    /** The end is told of an execution of which not all is read. */
    @Test
    void aLongExecutionEndsWhenItEnded() throws Exception {
        try (RestFixture rest = served(Tracing.to(SimpleSpanProcessor.create(spans), 1, "test", 1))) {
            rest.publish("""
                    {"id": "long", "displayName": "L", "startNode": "a", "nodes": [
                      {"id": "a", "actionType": "core.delay", "parameters": {"duration": "PT0.3S"},
                       "edges": [{"targetNode": "b"}]},
                      {"id": "b", "actionType": "core.fail", "parameters": {"code": "NO", "message": "it can't"}}]}
                    """);
            String run = rest.post("/api/v1/workflows/long/execute", "{}", "traceparent", TRACEPARENT)
                    .text("/executionId");
            rest.finished(run, "");

            SpanData execution = span("execution long");
            assertEquals(Optional.of("NO"), text(execution, "error.type"));
            assertEquals(true, execution.getAttributes().get(AttributeKey.booleanKey("flowstone.truncated")));
            assertTrue(took(execution).compareTo(Duration.ofMillis(250)) > 0, () -> "it lasted " + took(execution));
        }
    }

    @Test
    void whatIsNotSampledMakesNoSpanOfItsExecution() throws Exception {
        try (RestFixture rest = served(Tracing.to(SimpleSpanProcessor.create(spans), 0, "test"))) {
            publish(rest);
            String quiet = rest.post("/api/v1/workflows/traced/execute", "{}").text("/executionId");
            rest.finished(quiet, "");
            String run = rest.post("/api/v1/workflows/traced/execute", "{}", "traceparent", TRACEPARENT)
                    .text("/executionId");

            assertEquals(Optional.of(run), text(span("execution traced"), "flowstone.run"));
            assertTrue(spans.all.stream()
                    .noneMatch(span -> text(span, "flowstone.run").equals(Optional.of(quiet))));
        }
    }

    @Test
    void aSpanOfWhatIsPublicTellsNoTenantThatNobodyHasProved() throws Exception {
        Map<String, String> settings = Map.of("http.token", "0123456789abcdef0123456789abcdef");
        try (RestFixture rest = served(settings, Tracing.to(SimpleSpanProcessor.create(spans), 1, "test"))) {
            assertEquals(
                    200,
                    rest.get("/health/live", "Flowstone-Tenant", "acme", "Flowstone-Principal", "user:root")
                            .status());

            assertEquals("-", span("GET /health/live").getAttributes().get(AttributeKey.stringKey("flowstone.tenant")));
        }
    }

    @Test
    void aCallersTraceReachesHandlersEvenIfNothingIsSent() throws Exception {
        try (RestFixture rest = served(Tracing.off())) {
            publish(rest);

            rest.post("/api/v1/workflows/traced/execute", "{}", "traceparent", TRACEPARENT);

            assertEquals(Optional.of(TRACEPARENT), next(handed));
            assertEquals(Optional.of(TRACEPARENT), next(delivered));
        }
    }

    @Test
    void whereNobodyFollowsHandlersGetNone() throws Exception {
        try (RestFixture rest = served(Tracing.off())) {
            publish(rest);

            rest.post("/api/v1/workflows/traced/execute", "{}");
            assertEquals(Optional.empty(), next(handed));
            rest.post("/api/v1/workflows/traced/execute", "{}", "traceparent", "00-nonsense");

            assertEquals(Optional.empty(), next(handed));
        }
    }

    /** The first of that name that ends, within a while. */
    private SpanData span(String name) throws InterruptedException {
        List<SpanData> seen = new ArrayList<>();
        try {
            while (true) {
                SpanData span = spans.all.poll(30, TimeUnit.SECONDS);
                if (span == null) {
                    throw new AssertionError(name + " is not among "
                            + seen.stream().map(SpanData::getName).toList());
                }
                seen.add(span);
                if (span.getName().equals(name)) {
                    return span;
                }
            }
        } finally {
            spans.all.addAll(seen);
        }
    }
}
