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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many actions run at once, of one run and of a process, over REST: never more than is said, and as many as that really do. */
final class ParallelActionsTest {
    private static final int MOST = 3;
    private static final int WIDE = 12;

    private final Map<RunId, AtomicInteger> now = new ConcurrentHashMap<>();
    private final AtomicInteger highest = new AtomicInteger();
    private final AtomicInteger nowOfAll = new AtomicInteger();
    private final AtomicInteger highestOfAll = new AtomicInteger();

    /** So many are there together, or none gets on. */
    private CyclicBarrier meeting = new CyclicBarrier(1);

    private @Nullable RestFixture served;

    private RestFixture serve(Map<String, String> settings, int together) throws Exception {
        meeting = new CyclicBarrier(together);
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(action("test.together"), this::together)
                .action(action("test.later"), _ -> TaskResult.retryable("NOT_NOW", "come again"))
                .build();
        RestFixture rest = new RestFixture(settings, UnaryOperator.identity(), handlers, Tracing.off(), Map.of());
        served = rest;
        return rest;
    }

    @AfterEach
    void stop() {
        if (served != null) {
            served.close();
        }
    }

    private static ActionDescription action(String name) {
        return new ActionDescription(new HandlerName(name), "For a test.", List.of());
    }

    private TaskResult together(TaskCall call) throws InterruptedException {
        AtomicInteger ofRun = now.computeIfAbsent(call.run(), _ -> new AtomicInteger());
        highest.accumulateAndGet(ofRun.incrementAndGet(), Math::max);
        highestOfAll.accumulateAndGet(nowOfAll.incrementAndGet(), Math::max);
        try {
            meeting.await(30, TimeUnit.SECONDS);
            return TaskResult.ok(JsonNull.NULL);
        } catch (BrokenBarrierException | TimeoutException e) {
            return TaskResult.permanent("TOO_FEW", "never so many at once: " + e);
        } finally {
            ofRun.decrementAndGet();
            nowOfAll.decrementAndGet();
        }
    }

    private static String start(RestFixture rest, String workflow) throws Exception {
        Answer started = rest.post("/api/v1/workflows/" + workflow + "/execute", "{}");
        assertEquals(202, started.status(), started::toString);
        return started.text("/executionId");
    }

    private static void publishWide(RestFixture rest, String settings) throws Exception {
        String edges = IntStream.range(0, WIDE)
                .mapToObj(i -> "{\"targetNode\":\"n" + i + "\"}")
                .collect(Collectors.joining(","));
        String wide = IntStream.range(0, WIDE)
                .mapToObj(i -> ",{\"id\":\"n" + i
                        + "\",\"actionType\":\"test.together\",\"policies\":{\"retry\":{\"maxAttempts\":1}}}")
                .collect(Collectors.joining());
        rest.publish("{\"id\":\"wide\",\"displayName\":\"Wide\",\"startNode\":\"first\",\"settings\":" + settings
                + ",\"nodes\":[{\"id\":\"first\",\"actionType\":\"core.echo\",\"edges\":[" + edges + "]}" + wide
                + "]}");
    }

    private static void twoRuns(RestFixture rest) throws Exception {
        String one = start(rest, "wide");
        String other = start(rest, "wide");

        assertEquals("Succeeded", rest.finished(one, "").text("/status"));
        assertEquals("Succeeded", rest.finished(other, "").text("/status"));
    }

    /** Three of each of two runs meet. */
    @Test
    void aRunHasAsManyActionsAtOnceAsItsDefinitionAllowsAndNoMore() throws Exception {
        RestFixture rest = serve(Map.of(), 2 * MOST);
        publishWide(rest, "{\"maxParallelActions\":" + MOST + "}");

        twoRuns(rest);

        assertEquals(MOST, highest.get());
    }

    /** {@code engine.handlerConcurrency}, dataflow.md's MaxParallelActions. */
    @Test
    void aProcessHasAsManyActionsAtOnceAsItsSettingAllowsAndNoMore() throws Exception {
        RestFixture rest = serve(Map.of("engine.handlerConcurrency", "4"), 4);
        publishWide(rest, "{}");

        twoRuns(rest);

        assertEquals(4, highestOfAll.get());
    }

    /** dataflow.md §9.3: what waits for its next attempt takes nobody's place. */
    @Test
    void theDelayBeforeARetryTakesNoPlace() throws Exception {
        RestFixture rest = serve(Map.of(), 1);
        rest.publish("""
                {"id":"later","displayName":"Later","startNode":"first","settings":{"maxParallelActions":1},"nodes":[
                 {"id":"first","actionType":"core.echo","edges":[{"targetNode":"again"},{"targetNode":"beside"}]},
                 {"id":"again","actionType":"test.later","policies":{"retry":{"maxAttempts":2,"baseDelayMs":1800000}}},
                 {"id":"beside","actionType":"core.echo","edges":[{"targetNode":"after"}]},
                 {"id":"after","actionType":"core.echo"}]}""");

        String run = start(rest, "later");

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
