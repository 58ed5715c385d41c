package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stream of one execution, from any of its events to its end (dataflow.md §13.2). */
final class ExecutionStreamTest {
    private static final String EXECUTIONS = "/api/v1/executions/";
    private static final String TENANT = "streamed";
    private static RestFixture rest;
    private static RestFixture stored;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void serve(@TempDir Path data) throws Exception {
        rest = new RestFixture();
        stored = RestFixture.onPostgres(data);
    }

    @AfterAll
    static void stop() {
        rest.close();
        stored.close();
    }

    /** What a client has heard: data under ids, and the last thing, which has none. */
    private record Heard(List<String> ids, List<JsonObject> events, String end) {
        static Heard of(Answer answer) throws Exception {
            assertEquals(200, answer.status(), answer::toString);
            assertEquals("text/event-stream", answer.header("Content-Type").orElseThrow());
            return in(answer.response().body());
        }

        static Heard in(String text) throws Exception {
            List<String> ids = new ArrayList<>();
            List<JsonObject> events = new ArrayList<>();
            String end = "";
            for (String block : text.split("\n\n", -1)) {
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

    private static String asked(RestFixture server, String id) throws Exception {
        String run = server.start(HumanPrograms.review(id, new Quorum.One(), "user:anna"), TENANT);
        server.until(
                EXECUTIONS + run + "/tasks",
                answer -> answer.response().body().contains("review#1"),
                LoopbackCallers.TENANT,
                TENANT);
        return run;
    }

    private static void decide(RestFixture server, String run) throws Exception {
        Answer decided = server.post(
                EXECUTIONS + run + "/tasks/review%231/decide",
                "{\"outcome\": \"approved\"}",
                LoopbackCallers.TENANT,
                TENANT,
                LoopbackCallers.PRINCIPAL,
                "user:anna");
        assertEquals(200, decided.status(), decided::toString);
    }

    private static List<JsonValue> log(RestFixture server, String run) throws Exception {
        return ((JsonArray) server.get(EXECUTIONS + run + "?include=events", LoopbackCallers.TENANT, TENANT)
                        .at("/events/items"))
                .items();
    }

    /** What follows comes at once, and not when the stream looks by itself and says that it is still there. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(120)
    void itTellsWhatWasAndWhatComesAndEndsWithTheExecution(boolean onPostgres) throws Exception {
        RestFixture server = onPostgres ? stored : rest;
        String run = asked(server, "living");
        int before = log(server, run).size();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + EXECUTIONS + run + "/stream"))
                .header(LoopbackCallers.TENANT, TENANT)
                .build();
        HttpResponse<InputStream> stream = client.send(request, BodyHandlers.ofInputStream());
        assertEquals(200, stream.statusCode());
        StringBuilder text = new StringBuilder();
        int asked;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            for (String line = ""; !line.equals("id: " + before); ) {
                line = lines.readLine();
                assertNotNull(line, text::toString);
                text.append(line).append('\n');
            }
            asked = text.length();
            decide(server, run);
            lines.lines().forEach(line -> text.append(line).append('\n'));
        }

        assertFalse(text.substring(asked).contains(": still here"), text::toString);
        Heard heard = Heard.in(text.toString());
        List<JsonValue> log = log(server, run);
        assertTrue(log.size() > before);
        assertEquals(log, List.copyOf(heard.events()));
        assertEquals(log.size(), heard.ids().size());
        assertEquals("1", heard.ids().getFirst());
        assertEquals("{\"status\":\"Succeeded\"}", heard.end());
    }

    @Test
    void itGoesOnBehindTheEventThatCameLastAndIsOverBehindTheEnd() throws Exception {
        String run = asked(rest, "over");
        decide(rest, run);
        rest.until(
                EXECUTIONS + run, answer -> answer.text("/status").equals("Succeeded"), LoopbackCallers.TENANT, TENANT);
        int last = log(rest, run).size();

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
        String run = asked(rest, "refused");
        String path = EXECUTIONS + run + "/stream";

        assertEquals(404, rest.get(path).status(), "another tenant's");
        for (String id : List.of("x", "-1", "1.5", "1.damage", ".damaged", "99999999999999999999")) {
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
