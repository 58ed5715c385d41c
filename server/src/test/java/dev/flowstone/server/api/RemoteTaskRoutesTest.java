package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What workers say over HTTP, well and badly. */
final class RemoteTaskRoutesTest {
    private static final String CLAIM = "/api/v1/tasks/claim";
    private static final String COMPLETE = "/api/v1/tasks/complete";
    private static final String HEARTBEAT = "/api/v1/tasks/heartbeat";
    private static final String RETURN = "/api/v1/tasks/return";
    private static final String ANY =
            "{\"worker\": \"w\", \"actions\": [\"remote.work\"], \"max\": 10, \"waitSeconds\": 20}";

    private final RestFixture rest;

    RemoteTaskRoutesTest() throws Exception {
        rest = new RestFixture(Map.of("worker.actions", "remote.work,remote.idle"));
        rest.publish("""
                {"id": "w", "displayName": "W", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "remote.work", "parameters": {"n": 1}}]}""");
    }

    @AfterEach
    void close() {
        rest.close();
    }

    private String start() throws Exception {
        return rest.post("/api/v1/workflows/w/execute", "").text("/executionId");
    }

    private static JsonArray tasks(Answer answer) {
        assertEquals(200, answer.status(), answer::toString);
        return (JsonArray) answer.at("/tasks");
    }

    private static String named(String execution) {
        return "\"executionId\": \"" + execution + "\", \"activation\": \"a#1\", \"attempt\": 1";
    }

    private static String batch(String... items) {
        return "{\"tasks\": [" + String.join(", ", items) + "]}";
    }

    @Test
    void aClaimWaitsForWorkAndAnswersWithAllThatAWorkerNeeds() throws Exception {
        CompletableFuture<Answer> claimed = CompletableFuture.supplyAsync(() -> {
            try {
                return rest.post(CLAIM, ANY);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        String execution = start();

        Answer answer = claimed.get();
        assertEquals(1, tasks(answer).items().size());
        assertEquals(execution, answer.text("/tasks/0/executionId"));
        assertEquals("a#1", answer.text("/tasks/0/activation"));
        assertEquals("remote.work", answer.text("/tasks/0/action"));
        assertEquals("{\"n\":1}", text(answer, "/tasks/0/input"));
        assertEquals(64, answer.text("/tasks/0/key").replace("sha256:", "").length());
    }

    private static String text(Answer answer, String pointer) {
        return new String(CanonicalJson.exact(answer.at(pointer)), StandardCharsets.UTF_8);
    }

    @Test
    void whatIsWrongWithOneAnswerIsNoReasonToRefuseAnother() throws Exception {
        String good = start();
        String worse = start();
        rest.post(CLAIM, ANY);

        Answer answer = rest.post(
                COMPLETE,
                batch(
                        "{" + named(good) + ", \"output\": {\"ok\": true}}",
                        "{" + named("01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d") + ", \"output\": 1}",
                        "{" + named(worse) + ", \"output\": 1, \"error\": {\"code\": \"X\", \"message\": \"m\"}}",
                        "{" + named(worse) + ", \"outptu\": 1}",
                        "{" + named("nonsense") + "}",
                        "{" + named(worse).replace("a#1", "a") + "}",
                        "{" + named(worse).replace("a#1", "b#1") + "}",
                        "{" + named(worse).replace("\"attempt\": 1", "\"attempt\": 2") + "}",
                        "{" + named(worse).replace("\"attempt\": 1", "\"attempt\": -1") + "}",
                        "{" + named(worse)
                                + ", \"errorClass\": \"fatal\", \"error\": {\"code\": \"X\", \"message\": \"m\"}}",
                        "{" + named(worse) + ", \"errorClass\": \"permanent\"}",
                        "{" + named(worse)
                                + ", \"errorClass\": \"permanent\", \"error\": {\"code\": \"X\", \"message\": \"m\"}}"));

        String[] codes = {
            "accepted",
            "EXECUTION_NOT_FOUND",
            "INVALID_REQUEST",
            "INVALID_REQUEST",
            "INVALID_REQUEST",
            "INVALID_REQUEST",
            "NOT_FOUND",
            "NOT_FOUND",
            "INVALID_REQUEST",
            "INVALID_REQUEST",
            "INVALID_REQUEST",
            "accepted"
        };
        assertEquals(codes.length, tasks(answer).items().size());
        for (int i = 0; i < codes.length; i++) {
            boolean refused = answer.text("/tasks/" + i + "/state").equals("refused");
            assertEquals(codes[i], answer.text("/tasks/" + i + (refused ? "/code" : "/state")), i + ": " + answer);
        }
        assertEquals("Succeeded", rest.finished(good, "").text("/status"));
        assertEquals("Failed", rest.finished(worse, "").text("/status"));
    }

    @Test
    void howAnAttemptFailsIsSaidByTheWorkerThatHasIt() throws Exception {
        String execution = start();
        String before = rest.post(CLAIM, ANY).text("/tasks/0/lease");
        rest.post(RETURN, batch("{" + named(execution) + ", \"lease\": \"" + before + "\"}"));
        String now = rest.post(CLAIM, ANY).text("/tasks/0/lease");
        String failed =
                ", \"errorClass\": \"permanent\", \"error\": {\"code\": \"X\", \"message\": \"m\"}, \"lease\": ";

        Answer zombie = rest.post(COMPLETE, batch("{" + named(execution) + failed + "\"" + before + "\"}"));
        Answer other = rest.post(COMPLETE, batch("{" + named(execution) + failed + "\"" + now + "\"}"));

        assertEquals("CONFLICT", zombie.text("/tasks/0/code"));
        assertEquals("accepted", other.text("/tasks/0/state"));
        assertEquals("Failed", rest.finished(execution, "").text("/status"));
    }

    @Test
    void aSuccessCountsWhoeverHasMadeIt() throws Exception {
        String execution = start();
        String before = rest.post(CLAIM, ANY).text("/tasks/0/lease");
        rest.post(RETURN, batch("{" + named(execution) + ", \"lease\": \"" + before + "\"}"));
        rest.post(CLAIM, ANY);

        Answer zombie =
                rest.post(COMPLETE, batch("{" + named(execution) + ", \"output\": 1, \"lease\": \"" + before + "\"}"));

        assertEquals("accepted", zombie.text("/tasks/0/state"));
        assertEquals("Succeeded", rest.finished(execution, "").text("/status"));
    }

    @Test
    void theSameAnswerTwiceIsOneAndAnotherOneIsAConflict() throws Exception {
        String execution = start();
        rest.post(CLAIM, ANY);
        String said = "{" + named(execution) + ", \"output\": 5}";

        Answer first = rest.post(COMPLETE, batch(said, said));
        Answer again = rest.post(COMPLETE, batch(said, "{" + named(execution) + ", \"output\": 6}"));

        assertEquals("accepted", first.text("/tasks/0/state"));
        assertEquals("unchanged", first.text("/tasks/1/state"));
        assertEquals("unchanged", again.text("/tasks/0/state"));
        assertEquals("CONFLICT", again.text("/tasks/1/code"));
        assertEquals("conflict", again.text("/tasks/1/category"));
    }

    @Test
    void aReasonToSkipSkips() throws Exception {
        String execution = start();
        rest.post(CLAIM, ANY);

        rest.post(COMPLETE, batch("{" + named(execution) + ", \"skipped\": \"nothing to do\"}"));

        String events = rest.finished(execution, "?include=events").toString();
        assertTrue(events.contains("TaskSkipped"), events);
    }

    @Test
    void aStrangersTasksAreNeitherSeenNorTouched() throws Exception {
        String execution = start();
        String[] stranger = {LoopbackCallers.TENANT, "stranger"};
        assertEquals(
                0,
                tasks(rest.post(CLAIM, ANY.replace("20", "0"), stranger))
                        .items()
                        .size());
        Answer mine = rest.post(CLAIM, ANY);
        String held = "{" + named(execution) + ", \"lease\": \"" + mine.text("/tasks/0/lease") + "\"}";

        assertEquals("gone", rest.post(HEARTBEAT, batch(held), stranger).text("/tasks/0/state"));
        assertEquals("gone", rest.post(RETURN, batch(held), stranger).text("/tasks/0/state"));
        assertEquals(
                "EXECUTION_NOT_FOUND",
                rest.post(COMPLETE, batch("{" + named(execution) + ", \"output\": 1}"), stranger)
                        .text("/tasks/0/code"));

        assertEquals("held", rest.post(HEARTBEAT, batch(held)).text("/tasks/0/state"));
        assertEquals(
                "unknown",
                rest.post(HEARTBEAT, batch(held.replace("a#1", "z#9").replaceAll("\"lease\": \"", "$0x")))
                        .text("/tasks/0/state"));
        assertEquals("returned", rest.post(RETURN, batch(held)).text("/tasks/0/state"));
        assertEquals("gone", rest.post(RETURN, batch(held)).text("/tasks/0/state"));
        assertEquals(1, tasks(rest.post(CLAIM, ANY)).items().size());
    }

    @Test
    void aWorkerThatLeavesWaitsNoMore() throws Exception {
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return rest.post(CLAIM, ANY.replace("20", "60").replace("\"w\"", "\"leaver\""));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        while (!waiting.isDone()) {
            // The claim may not be there yet.
            assertEquals(
                    204,
                    rest.post("/api/v1/tasks/leave", "{\"worker\": \"leaver\"}").status());
        }

        assertEquals(0, tasks(waiting.get()).items().size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            claim     | {"worker": "w", "actions": ["core.echo"]}                     | worker.actions
            claim     | {"worker": "w", "actions": []}                                | 1 to 100
            claim     | {"worker": "w"}                                               | actions
            claim     | {"actions": ["remote.work"]}                                  | worker
            claim     | {"worker": "", "actions": ["remote.work"]}                    | worker
            claim     | {"worker": "w", "actions": ["remote.work"], "max": 0}          | max
            claim     | {"worker": "w", "actions": ["remote.work"], "max": 501}        | max
            claim     | {"worker": "w", "actions": ["remote.work"], "waitSeconds": 61} | waitSeconds
            claim     | {"worker": "w", "actions": ["remote.work"], "leaseSeconds": 0} | leaseSeconds
            claim     | {"worker": "w", "actions": ["remote.work"], "more": 1}         | more
            claim     | [1]                                                           | object
            heartbeat | {"tasks": []}                                                 | tasks
            heartbeat | {"tasks": [1]}                                                | object
            heartbeat | {"tasks": [{"executionId": "x"}]}                             | executionId
            return    | {"tasks": {}}                                                 | tasks
            complete  | {"tasks": []}                                                 | tasks
            complete  | {}                                                            | tasks
            leave     | {}                                                            | worker
            """)
    void whatIsNoCallIsRefusedWithItsReason(String route, String body, String reason) throws Exception {
        Answer answer = rest.post("/api/v1/tasks/" + route, body);

        assertEquals(400, answer.status(), answer::toString);
        assertTrue(answer.text("/detail").contains(reason), answer::toString);
    }

    @Test
    void aBatchHasABound() throws Exception {
        String[] many = new String[501];
        Arrays.fill(many, "{}");

        assertEquals(400, rest.post(COMPLETE, batch(many)).status());
    }
}
