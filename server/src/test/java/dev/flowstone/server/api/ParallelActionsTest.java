package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.trace.Tracing;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code settings.maxParallelActions}, over REST: never more of one run at once, and as many as allowed really run. */
final class ParallelActionsTest {
    private static final int MOST = 3;
    private static final int WIDE = 12;

    /** Six are there together, or none gets on: three of each of two runs. */
    private final CyclicBarrier six = new CyclicBarrier(2 * MOST);

    private final Map<RunId, AtomicInteger> now = new ConcurrentHashMap<>();
    private final AtomicInteger highest = new AtomicInteger();
    private RestFixture rest;

    @BeforeEach
    void serve() throws Exception {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(action("test.together"), this::together)
                .action(action("test.later"), _ -> TaskResult.retryable("NOT_NOW", "come again"))
                .build();
        rest = new RestFixture(Map.of(), UnaryOperator.identity(), handlers, Tracing.off(), Map.of());
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    private static ActionDescription action(String name) {
        return new ActionDescription(new HandlerName(name), "For a test.", List.of());
    }

    private TaskResult together(TaskCall call) throws InterruptedException {
        AtomicInteger ofRun = now.computeIfAbsent(call.run(), _ -> new AtomicInteger());
        highest.accumulateAndGet(ofRun.incrementAndGet(), Math::max);
        try {
            six.await(30, TimeUnit.SECONDS);
            return TaskResult.ok(JsonNull.NULL);
        } catch (BrokenBarrierException | TimeoutException e) {
            return TaskResult.permanent("TOO_FEW", "never so many at once: " + e);
        } finally {
            ofRun.decrementAndGet();
        }
    }

    private String start(String workflow) throws Exception {
        Answer started = rest.post("/api/v1/workflows/" + workflow + "/execute", "{}");
        assertEquals(202, started.status(), started::toString);
        return started.text("/executionId");
    }

    @Test
    void aRunHasAsManyActionsAtOnceAsItsDefinitionAllowsAndNoMore() throws Exception {
        String edges = IntStream.range(0, WIDE)
                .mapToObj(i -> "{\"targetNode\":\"n" + i + "\"}")
                .collect(Collectors.joining(","));
        String wide = IntStream.range(0, WIDE)
                .mapToObj(i -> ",{\"id\":\"n" + i
                        + "\",\"actionType\":\"test.together\",\"policies\":{\"retry\":{\"maxAttempts\":1}}}")
                .collect(Collectors.joining());
        rest.publish(
                "{\"id\":\"wide\",\"displayName\":\"Wide\",\"startNode\":\"first\",\"settings\":{\"maxParallelActions\":"
                        + MOST + "},\"nodes\":[{\"id\":\"first\",\"actionType\":\"core.echo\",\"edges\":[" + edges
                        + "]}" + wide
                        + "]}");

        String one = start("wide");
        String other = start("wide");

        assertEquals("Succeeded", rest.finished(one, "").text("/status"));
        assertEquals("Succeeded", rest.finished(other, "").text("/status"));
        assertEquals(MOST, highest.get());
    }

    /** dataflow.md §9.3: what waits for its next attempt takes nobody's place. */
    @Test
    void theDelayBeforeARetryTakesNoPlace() throws Exception {
        rest.publish("""
                {"id":"later","displayName":"Later","startNode":"first","settings":{"maxParallelActions":1},"nodes":[
                 {"id":"first","actionType":"core.echo","edges":[{"targetNode":"again"},{"targetNode":"beside"}]},
                 {"id":"again","actionType":"test.later","policies":{"retry":{"maxAttempts":2,"baseDelayMs":1800000}}},
                 {"id":"beside","actionType":"core.echo","edges":[{"targetNode":"after"}]},
                 {"id":"after","actionType":"core.echo"}]}""");

        String run = start("later");

        rest.until(
                "/api/v1/executions/" + run + "?include=actions",
                answer -> answer.response().body().contains("NOT_NOW")
                        && succeeded(answer, "beside")
                        && succeeded(answer, "after"));
        assertEquals("Running", rest.get("/api/v1/executions/" + run).text("/status"));
    }

    private static boolean succeeded(Answer answer, String node) {
        return ((JsonArray) answer.at("/actions/items"))
                .items().stream()
                        .map(JsonObject.class::cast)
                        .anyMatch(action -> action.get("nodeId") instanceof JsonString(String id)
                                && id.equals(node)
                                && action.get("status") instanceof JsonString(String status)
                                && status.equals("Succeeded"));
    }
}
