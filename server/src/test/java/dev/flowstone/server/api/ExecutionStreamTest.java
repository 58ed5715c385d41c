package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The stream of one execution, from any of its events to its end (dataflow.md §13.2). */
final class ExecutionStreamTest {
    private static final String EXECUTIONS = "/api/v1/executions/";
    private static final String TENANT = "streamed";
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    /** What a client has heard: data under ids, and the last thing, which has none. */
    private record Heard(List<String> ids, List<JsonObject> events, String end) {
        static Heard of(Answer answer) throws Exception {
            assertEquals(200, answer.status(), answer::toString);
            assertEquals("text/event-stream", answer.header("Content-Type").orElseThrow());
            List<String> ids = new ArrayList<>();
            List<JsonObject> events = new ArrayList<>();
            String end = "";
            for (String block : answer.response().body().split("\n\n", -1)) {
                if (block.startsWith("event: end\ndata: ")) {
                    end = block.substring("event: end\ndata: ".length());
                } else if (block.startsWith("id: ")) {
                    assertTrue(end.isEmpty(), "something comes behind the end");
                    ids.add(block.substring(4, block.indexOf('\n')));
                    events.add((JsonObject) JsonParser.parse(
                            block.substring(block.indexOf("data: ") + 6).getBytes(StandardCharsets.UTF_8)));
                }
            }
            return new Heard(ids, events, end);
        }
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

    private static void decide(String run) throws Exception {
        Answer decided = rest.post(
                EXECUTIONS + run + "/tasks/review%231/decide",
                "{\"outcome\": \"approved\"}",
                LoopbackCallers.TENANT,
                TENANT,
                LoopbackCallers.PRINCIPAL,
                "user:anna");
        assertEquals(200, decided.status(), decided::toString);
    }

    private static List<JsonValue> log(String run) throws Exception {
        return ((JsonArray) rest.get(EXECUTIONS + run + "?include=events", LoopbackCallers.TENANT, TENANT)
                        .at("/events/items"))
                .items();
    }

    @Test
    void itTellsWhatWasAndWhatComesAndEndsWithTheExecution() throws Exception {
        String run = asked("living");
        CompletableFuture<Answer> stream = CompletableFuture.supplyAsync(() -> {
            try {
                return rest.get(EXECUTIONS + run + "/stream", LoopbackCallers.TENANT, TENANT);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        decide(run);

        Heard heard = Heard.of(stream.get(30, TimeUnit.SECONDS));
        List<JsonValue> log = log(run);

        assertEquals(log, List.copyOf(heard.events()));
        assertEquals(log.size(), heard.ids().size());
        assertEquals("1", heard.ids().getFirst());
        assertEquals("{\"status\":\"Succeeded\"}", heard.end());
    }

    @Test
    void itGoesOnBehindTheEventThatCameLastAndIsOverBehindTheEnd() throws Exception {
        String run = asked("over");
        decide(run);
        rest.until(
                EXECUTIONS + run, answer -> answer.text("/status").equals("Succeeded"), LoopbackCallers.TENANT, TENANT);
        int last = log(run).size();

        Heard behind = heard(run, "", "Last-Event-ID", "2");
        assertEquals("3", behind.ids().getFirst());
        assertEquals(last - 2, behind.events().size());
        assertEquals(behind.ids(), heard(run, "?from=3").ids());
        Answer none = rest.get(
                EXECUTIONS + run + "/stream", LoopbackCallers.TENANT, TENANT, "Last-Event-ID", Integer.toString(last));
        assertEquals(204, none.status(), none::toString);
    }

    private static Heard heard(String run, String query, String... headers) throws Exception {
        List<String> all = new ArrayList<>(List.of(LoopbackCallers.TENANT, TENANT));
        all.addAll(List.of(headers));
        return Heard.of(rest.get(EXECUTIONS + run + "/stream" + query, all.toArray(String[]::new)));
    }

    @Test
    void whatItDoesNotUnderstandAndWhatIsAnothersIsRefused() throws Exception {
        String run = asked("refused");
        String path = EXECUTIONS + run + "/stream";

        assertEquals(404, rest.get(path).status(), "another tenant's");
        for (String id : List.of("x", "-1", "1.5", "99999999999999999999")) {
            Answer answer = rest.get(path, LoopbackCallers.TENANT, TENANT, "Last-Event-ID", id);
            assertEquals(400, answer.status(), answer::toString);
        }
        for (String query : List.of("?from=0", "?from=now", "?limit=1")) {
            Answer answer = rest.get(path + query, LoopbackCallers.TENANT, TENANT);
            assertEquals(400, answer.status(), answer::toString);
            assertFalse(answer.text("/detail").isEmpty());
        }
    }
}
