package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever is sent to a route that changes something, in whatever state: it is refused as a problem, never a fault of ours,
 * and the execution stays as it was.
 */
final class HostileMutationTest {
    private static final String TENANT = "hostile";
    private static final String OTHER = "01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d";
    private static final String EXECUTIONS = "/api/v1/executions/";

    private static RestFixture rest;
    private static String living = "";
    private static String over = "";

    /**
     * A route of executions, behind the execution's id.
     *
     * @param sound a body that the route understands
     * @param needed whether it must have one
     */
    record Mutation(String method, String path, String sound, boolean needed) {
        Answer send(String execution, String body) throws Exception {
            return rest.call(
                    method,
                    EXECUTIONS + execution + path,
                    Optional.of(body),
                    LoopbackCallers.TENANT,
                    TENANT,
                    LoopbackCallers.PRINCIPAL,
                    "user:anna");
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    private static Mutation post(String path, String sound) {
        return new Mutation("POST", path, sound.replace('\'', '"'), !sound.isEmpty());
    }

    static Stream<Mutation> mutations() {
        String task = "/tasks/review%231";
        return Stream.of(
                new Mutation("PATCH", "/variables", "{\"variables\": {\"n\": 1}, \"reason\": \"x\"}", true),
                post("/suspend", "{'reason':'x'}"),
                post("/resume", "{'reason':'x'}"),
                post("/drain", "{'reason':'x'}"),
                new Mutation("POST", "/cancel", "{\"reason\": \"x\"}", false),
                post("/terminate", "{'reason':'x'}"),
                post("/rebuild", "{'reason':'x'}"),
                post("/reenqueue", "{'reason':'x'}"),
                post("/force-fail", "{'reason':'x'}"),
                post("/rollback", "{'nodeId':'review','reason':'x'}"),
                post("/timers/none/fire", ""),
                post("/incidents/9/retry", ""),
                post("/incidents/9/skip", ""),
                post("/incidents/9/fail", "{'code':'X','message':'x'}"),
                new Mutation("POST", "/migrate", "{\"version\": 7}", false),
                post("/reset", "{'sequence':999}"),
                post(task + "/claim", ""),
                post(task + "/heartbeat", ""),
                post(task + "/release", ""),
                post(task + "/decide", "{'outcome':'approved'}"),
                post(task + "/delegate", "{'to':'user:bob','reason':'x'}"),
                post(task + "/reassign", "{'to':['user:bob'],'reason':'x'}"),
                post(task + "/resolve", "{'outcome':'approved','reason':'x'}"),
                post("/attestations/none", "{'statement':'x'}"),
                post(task + "/complete", "{'attempt':1}"),
                post(task + "/fail", "{'attempt':1,'error':{'code':'X','message':'x'}}"),
                post(task + "/links", "{'attempt':1,'links':[{'type':'a','key':'b'}]}"));
    }

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
        living = asked("living");
        over = asked("over");
        Answer ended = post("/terminate", "{'reason':'x'}").send(over, "{\"reason\": \"x\"}");
        assertEquals(200, ended.status(), ended::toString);
    }

    private static String asked(String id) throws Exception {
        String run = rest.start(HumanPrograms.review(id, new Quorum.One(), "user:anna"), TENANT);
        rest.until(
                EXECUTIONS + run + "/tasks",
                answer -> answer.response().body().contains("review#1"),
                LoopbackCallers.TENANT,
                TENANT);
        return run;
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static void refused(String what, Answer answer, int... statuses) {
        assertTrue(
                answer.status() >= 400 && answer.status() < 500,
                () -> what + " was not refused by its fault: " + answer);
        if (statuses.length > 0) {
            assertTrue(
                    Arrays.stream(statuses).anyMatch(status -> status == answer.status()), () -> what + ": " + answer);
        }
        assertEquals("application/problem+json", answer.header("Content-Type").orElseThrow(), what);
        assertFalse(answer.text("/code").isEmpty(), what);
        assertFalse(answer.text("/detail").isEmpty(), what);
        assertFalse(answer.response().body().matches("(?s).*(Exception|\\.java:|dev\\.flowstone).*"), answer::toString);
    }

    private static String last(String execution) throws Exception {
        return rest.get(EXECUTIONS + execution, LoopbackCallers.TENANT, TENANT)
                .at("/lastSeq")
                .toString();
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void whatIsNotUnderstoodIsRefusedAndChangesNothing(Mutation mutation) throws Exception {
        String before = last(living);
        for (String body : List.of("[]", "\"x\"", "7", "null", "{", "{\"a\":1,\"a\":2}", "{\"unknown\":1}", "\0")) {
            refused(mutation + " with " + body, mutation.send(living, body), 400);
        }
        if (mutation.needed()) {
            refused(mutation + " with nothing", mutation.send(living, ""), 400);
            for (String wrong : List.of("null", "[]", "{}", "-1", "\"\"", "1e999", "\"" + "x".repeat(9_000) + "\"")) {
                String body = mutation.sound()
                        .replaceAll(
                                ":\\s*(\"[^\"]*\"|[0-9]+|\\[.*\\]|\\{.*\\})(?=\\s*[,}])",
                                ": " + wrong.replace("\\", ""));
                refused(mutation + " with " + body, mutation.send(living, body));
            }
        }
        String huge = "{\"x\": \"" + "x".repeat(RestFixture.MAX_BODY) + "\"}";
        assertEquals("BODY_TOO_LARGE", mutation.send(living, huge).text("/code"));

        assertEquals(before, last(living), "nothing happened");
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void anExecutionThatIsOverOrNotThereIsLeftAlone(Mutation mutation) throws Exception {
        String before = last(over);

        Answer late = mutation.send(over, mutation.sound());
        if (mutation.path().endsWith("/release")) {
            // Nobody holds it: what is asked for is so already.
            assertEquals(0, ((JsonArray) late.at("/events")).items().size(), late::toString);
        } else if (mutation.path().equals("/rebuild")) {
            // Rows of what is over can be wrong, too.
            assertTrue(late.response().body().contains("\"mended\":0"), late::toString);
        } else {
            refused(mutation.toString(), late, 400, 404, 409);
        }
        Answer missing = mutation.send(OTHER, mutation.sound());

        refused(mutation.toString(), missing, 404);
        assertEquals("EXECUTION_NOT_FOUND", missing.text("/code"));
        assertEquals(before, last(over), "nothing happened");
    }

    @Test
    void everyMutationOfAnExecutionIsAmongThem() throws Exception {
        List<String> known = mutations()
                .map(it -> it.method() + " " + EXECUTIONS + "{id}"
                        + it.path()
                                .replace("review%231", "{activation}")
                                .replace("timers/none", "timers/{timer}")
                                .replace("incidents/9", "incidents/{incident}")
                                .replace("attestations/none", "attestations/{attestation}"))
                .sorted()
                .toList();

        List<String> routes = RoutesTest.ROUTES.stream()
                .map(route -> route.substring(0, route.lastIndexOf(' ')))
                .filter(route -> !route.startsWith("GET ") && route.contains(EXECUTIONS + "{id}"))
                .sorted()
                .toList();

        assertEquals(routes, known);
    }
}
