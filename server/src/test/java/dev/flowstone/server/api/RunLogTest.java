package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.server.log.JsonLines;
import dev.flowstone.server.trace.Tracing;
import dev.flowstone.testkit.scenario.History;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log of a real run, read back as JSON: each line names tenant, run and event, and the event is the one that is stored. */
final class RunLogTest {
    private static final String SECRET = "a-secret-that-runs-carry";
    private static final Logger ROOT = Logger.getLogger("");

    private final Catching catching = new Catching();
    private final Level before = ROOT.getLevel();

    /** Formats on the thread that logs, as a handler of the console does. */
    private static final class Catching extends Handler {
        final LinkedBlockingQueue<JsonObject> lines = new LinkedBlockingQueue<>();
        private final JsonLines format = new JsonLines();

        @Override
        public void publish(LogRecord record) {
            try {
                lines.add((JsonObject) JsonParser.parse(format.format(record).getBytes(StandardCharsets.UTF_8)));
            } catch (JsonSyntaxException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}

        JsonObject await(Predicate<JsonObject> wanted) throws InterruptedException {
            while (true) {
                JsonObject line = lines.poll(30, TimeUnit.SECONDS);
                if (line == null) {
                    throw new AssertionError("no such line");
                }
                if (wanted.test(line)) {
                    return line;
                }
            }
        }
    }

    @BeforeEach
    void listen() {
        ROOT.setLevel(Level.INFO);
        ROOT.addHandler(catching);
    }

    @AfterEach
    void stop() {
        ROOT.removeHandler(catching);
        ROOT.setLevel(before);
    }

    private static String text(JsonObject line, String member) {
        JsonValue value = line.find(member).orElse(JsonNull.NULL);
        return value instanceof JsonString string ? string.value() : "";
    }

    private static HandlerRegistry logging() {
        return HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(new ActionDescription(new HandlerName("test.logs"), "For a test.", List.of()), call -> {
                    System.getLogger("somebody.elses").log(System.Logger.Level.WARNING, "from inside a handler");
                    return TaskResult.permanent("NO", SECRET);
                })
                .build();
    }

    @Test
    void linesNameTenantRunAndEvent() throws Exception {
        try (RestFixture rest =
                new RestFixture(Map.of(), UnaryOperator.identity(), logging(), Tracing.off(), Map.of())) {
            String definition = """
                    {"id": "told", "displayName": "Told", "startNode": "a", "nodes": [
                      {"id": "a", "actionType": "test.logs", "parameters": {"secret": "%s"}}]}
                    """.formatted(SECRET);
            rest.post("/api/v1/workflows", definition, LoopbackCallers.TENANT, "acme");
            rest.post("/api/v1/workflows/told/publish", "", LoopbackCallers.TENANT, "acme");
            String run = rest.post(
                            "/api/v1/workflows/told/execute",
                            "{\"trigger\": {\"secret\": \"" + SECRET + "\"}}",
                            LoopbackCallers.TENANT,
                            "acme",
                            "Correlation-Id",
                            "order-7")
                    .text("/executionId");

            JsonObject inside = catching.await(line -> text(line, "logger").equals("somebody.elses"));
            JsonObject failed = catching.await(line -> text(line, "kind").equals("RunFailed"));

            assertEquals("acme", text(inside, "tenant"));
            assertEquals(run, text(inside, "run"));
            assertEquals("a", text(inside, "node"));
            assertEquals("test.logs", text(inside, "action"));
            assertEquals("order-7", text(inside, "correlation"));
            assertEquals("acme", text(failed, "tenant"));
            assertEquals(run, text(failed, "run"));
            assertEquals("told", text(failed, "workflow"));
            Event stored = History.of(rest.ports().runs(), new TenantId("acme"), RunId.parse(run))
                    .events()
                    .get(Integer.parseInt(text(failed, "event")) - 1);
            assertEquals("RunFailed", stored.body().kind());
            assertTrue(text(failed, "message").contains("NO"), failed.toString());
            assertFalse(failed.toString().contains(SECRET), failed.toString());
        }
    }

    @Test
    void linesNameTheVersionAndForWhomTheRunWasStarted() throws Exception {
        Map<String, Optional<String>> wanted =
                Map.of("false", Optional.empty(), "true", Optional.of("ann@example.com"));
        for (Map.Entry<String, Optional<String>> email : wanted.entrySet()) {
            try (RestFixture rest = new RestFixture(
                    Map.of("log.requesterEmail", email.getKey()),
                    UnaryOperator.identity(),
                    logging(),
                    Tracing.off(),
                    Map.of())) {
                rest.publish("""
                        {"id": "child", "displayName": "C", "startNode": "x", "nodes": [
                          {"id": "x", "actionType": "test.logs", "parameters": {}}]}""");
                rest.publish("""
                        {"id": "told", "displayName": "Told", "startNode": "a", "nodes": [
                          {"id": "a", "nodeType": "subworkflow", "workflowId": "child"}]}""");
                String run = rest.post("/api/v1/workflows/told/execute", """
                                {"principal": {"userId": "ann", "email": "ann@example.com", "displayName": "Ann"}}""").text("/executionId");

                List<JsonObject> lines = List.of(
                        catching.await(line -> text(line, "logger").equals("somebody.elses")),
                        catching.await(line -> text(line, "kind").equals("RunFailed")
                                && text(line, "workflow").equals("child")),
                        catching.await(line -> text(line, "kind").equals("RunFailed")
                                && text(line, "run").equals(run)));

                for (JsonObject line : lines) {
                    assertEquals("1", text(line, "version"), line::toString);
                    assertEquals("ann", text(line, "requester"), line::toString);
                    assertEquals(email.getValue().orElse(""), text(line, "requesterEmail"), line::toString);
                    assertFalse(line.toString().contains("Ann"), line::toString);
                }
            }
        }
    }
}
