package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.trace.Tracing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Metrics that dataflow.md §14.3 names, and those of dead letters, where something has to go wrong, or wait, to see them. */
final class NamedMetricsTest {
    private final CountDownLatch release = new CountDownLatch(1);
    private final RestFixture rest;

    NamedMetricsTest() throws Exception {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(new ActionDescription(new HandlerName("test.hangs"), "For a test.", List.of()), call -> {
                    release.await();
                    return TaskResult.ok(JsonNull.NULL);
                })
                .build();
        rest = new RestFixture(
                Map.of("engine.handlerConcurrency", "1"), UnaryOperator.identity(), handlers, Tracing.off(), Map.of());
    }

    @AfterEach
    void close() {
        release.countDown();
        rest.close();
    }

    private void publish(String id, String node) throws Exception {
        rest.publish("{\"id\": \"" + id
                + "\", \"displayName\": \"T\", \"startNode\": \"a\", \"nodes\": [{\"id\": \"a\", " + node + "}]}");
    }

    private String start(String id) throws Exception {
        return rest.post("/api/v1/workflows/" + id + "/execute", "{}").text("/executionId");
    }

    private void untilMetrics(String... lines) throws Exception {
        rest.until(
                "/metrics", answer -> answer.response().body().lines().toList().containsAll(List.of(lines)));
    }

    private static String failed(String workflow, String reason) {
        return "workflow_failure_total{reason=\"" + reason + "\",workflowId=\"" + workflow + "\"} 1.0";
    }

    @Test
    void eachFailureCountsUnderItsReason() throws Exception {
        publish("fails", "\"actionType\": \"core.fail\", \"parameters\": {\"code\": \"NO\", \"message\": \"no\"}");
        publish(
                "invalid",
                "\"actionType\": \"core.echo\", \"parameters\": {\"v\": \"{{ trigger.nothing.there }}\"}, \"policies\": {\"retry\": {\"maxAttempts\": 1}}");
        publish("waits", "\"actionType\": \"core.delay\", \"parameters\": {\"duration\": \"PT1H\"}");
        publish(
                "late",
                "\"actionType\": \"test.hangs\", \"parameters\": {}, \"policies\": {\"timeoutMs\": 100, \"retry\": {\"maxAttempts\": 1}}");
        start("fails");
        start("invalid");
        String waits = start("waits");
        assertTrue(rest.post("/api/v1/executions/" + waits + "/cancel", "").status() < 300);
        start("late");

        untilMetrics(
                failed("fails", "action_failed"),
                failed("invalid", "validation_error"),
                failed("waits", "cancelled"),
                failed("late", "timeout"),
                "workflow_duration_seconds_count{status=\"Cancelled\",workflowId=\"waits\"} 1",
                "workflow_duration_seconds_count{status=\"Failed\",workflowId=\"late\"} 1");
    }

    @Test
    void theQueueIsAsDeepAsAttemptsWaitForAPlace() throws Exception {
        publish("busy", "\"actionType\": \"test.hangs\", \"parameters\": {}");
        for (int i = 0; i < 3; i++) {
            start("busy");
        }
        untilMetrics("queue_depth{workflowId=\"busy\"} 2.0");
        release.countDown();
        rest.until("/metrics", answer -> !answer.response().body().contains("queue_depth{workflowId=\"busy\"}"));
    }

    @Test
    void childrenCountForTheirParent() throws Exception {
        publish("child", "\"actionType\": \"core.echo\", \"parameters\": {}");
        publish("parent", "\"nodeType\": \"subworkflow\", \"workflowId\": \"child\"");
        start("parent");
        start("parent");
        untilMetrics(
                "subworkflow_invocation_total{parentWorkflowId=\"parent\"} 2.0",
                "workflow_success_total{workflowId=\"child\"} 2.0");
    }

    private void letter(DeadSource source, String key, int retries) throws Exception {
        PoisonMessage poison = new PoisonMessage(
                new TenantId("default"),
                source,
                key,
                new Slot(7),
                Optional.empty(),
                DeadReason.POISON,
                JsonObject.EMPTY,
                "no");
        DeadLetterConfig config = new DeadLetterConfig(true, "q", retries, Duration.ofHours(1));
        assertTrue(rest.ports().deadLetters().failed(poison, config).fresh());
    }

    @Test
    void deadLettersAreCountedBySourceAndWhatPeopleDoToThem() throws Exception {
        DeadSource trigger = new DeadSource("trigger");
        letter(trigger, "one", 0);
        letter(trigger, "two", 3);
        letter(DeadSource.EXECUTION, "three", 0);
        untilMetrics(
                "flowstone_dead_letters{source=\"trigger\",state=\"dead\"} 1.0",
                "flowstone_dead_letters{source=\"trigger\",state=\"waiting\"} 1.0",
                "flowstone_dead_letters{source=\"execution\",state=\"dead\"} 1.0",
                "flowstone_dead_letter_changes_total{change=\"enqueued\"} 0.0");
        assertTrue(rest.get("/metrics")
                .response()
                .body()
                .contains("flowstone_dead_letters_oldest_seconds{source=\"trigger\"}"));

        assertEquals(
                200,
                rest.post("/api/v1/dead-letters/requeue", "{\"source\": \"trigger\", \"state\": \"dead\"}")
                        .status());
        assertEquals(
                200,
                rest.post("/api/v1/dead-letters/purge", "{\"source\": \"trigger\"}")
                        .status());
        untilMetrics(
                "flowstone_dead_letter_changes_total{change=\"requeued\"} 1.0",
                "flowstone_dead_letter_changes_total{change=\"purged\"} 2.0");
    }
}
