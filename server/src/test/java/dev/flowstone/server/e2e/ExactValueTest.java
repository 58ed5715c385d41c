package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.testkit.suite.SharedSuites;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller sends comes back as it was: over HTTP, through templates, handlers, events, the payload store and back. */
@ExtendWith(SharedHouse.class)
final class ExactValueTest {
    /** Each as it is sent, in its canonical spelling. */
    private static final List<String> NUMBERS = List.of(
            "7615917337495251231",
            "-7615917337495251231",
            "0.1000000000000000055",
            "9007199254740993",
            "1e+400",
            "1.5e-400",
            "123456789012345678901.5",
            "1e-7",
            "0");

    @Test
    void numbersAreExactThroughTheWholeWayAndBack(House house) throws Exception {
        String list = "[" + String.join(",", NUMBERS) + "]";
        house.publish("""
                {"id": "numbers", "displayName": "Numbers", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "core.echo", "edges": [{"targetNode": "b"}],
                   "parameters": {"first": "{{ trigger.n[0] }}", "all": "{{ trigger.n }}", "own": LIST}},
                  {"id": "b", "actionType": "core.echo", "parameters": {"again": "{{ context.data.a.all }}",
                   "text": "n = {{ context.data.a.first }}"}}]}
                """.replace("LIST", list));

        RunRow row = house.run("numbers", "{\"trigger\": {\"n\": " + list + "}}");

        String text = shown(house, row);
        String a = "{\"all\":" + list + ",\"first\":7615917337495251231,\"own\":" + list + "}";
        String b = "{\"again\":" + list + ",\"text\":\"n = 7615917337495251231\"}";
        assertTrue(text.contains("\"trigger\":{\"n\":" + list + "}"), text);
        assertEquals(2, count(text, "\"parameters\":" + a) + count(text, "\"outputs\":" + a), text);
        assertEquals(2, count(text, "\"parameters\":" + b) + count(text, "\"outputs\":" + b), text);
        // The action of each, its TaskScheduled and TaskCompleted.
        assertEquals(4, count(text, a), text);
        // And of the last node also the run's output, and that of RunCompleted.
        assertEquals(6, count(text, b), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e1001", "1e999999999", "-1e-1001"})
    void numbersBeyondTheDeclaredRangeAreRefusedAtTheirPlace(String number, House house) throws Exception {
        house.draft(echo("far"));
        Answer answer = house.post("/workflows/far/execute", "{\"trigger\":\n  {\"n\": " + number + "}}");

        assertEquals("MALFORMED_JSON", answer.expect(400).text("code"));
        assertTrue(answer.text("detail").contains("line 2"), answer.text());
    }

    @Test
    void naughtyStringsComeBackFromTriggerParametersAndTemplates(House house) throws Exception {
        Optional<Path> suite = SharedSuites.suite("text");
        Assumptions.assumeTrue(suite.isPresent(), "no ../shared/suites/text");
        JsonArray strings = (JsonArray) House.value(Files.readString(suite.get().resolve("naughty-strings.json")));
        // A parameter with braces is a template, and one of them holds an attack in braces: as a trigger value it is
        // text.
        JsonArray own = new JsonArray(strings.items().stream()
                .filter(it -> !((JsonString) it).value().contains("{{"))
                .toList());
        assertEquals(strings.items().size() - 1, own.items().size());
        house.publish("""
                {"id": "naughty", "displayName": "Naughty", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "core.echo", "parameters": {"given": "{{ trigger.s }}", "own": OWN},
                   "edges": [{"targetNode": "b", "condition": "context.data.a.given.length === trigger.s.length"}]},
                  {"id": "b", "actionType": "core.echo", "parameters": {"again": "{{ context.data.a }}"}}]}
                """.replace("OWN", exact(own)));

        RunRow row = house.run("naughty", "{\"trigger\": {\"s\": " + exact(strings) + "}}");

        assertEquals(RunStatus.SUCCEEDED, row.status());
        JsonObject execution = (JsonObject) House.value(shown(house, row));
        String a = "{\"given\":" + exact(strings) + ",\"own\":" + exact(own) + "}";
        assertEquals(
                "{\"s\":" + exact(strings) + "}",
                exact(execution.find("trigger").orElseThrow()));
        assertEquals(a, exact(action(execution, 0).find("outputs").orElseThrow()));
        assertEquals("{\"again\":" + a + "}", exact(execution.find("output").orElseThrow()));
    }

    @Test
    void nulIsKeptInValues(House house) throws Exception {
        house.publish(echo("nul"));

        RunRow row = house.run("nul", "{\"trigger\": {\"a\\u0000b\": \"\\u0000\"}}");

        assertEquals(RunStatus.SUCCEEDED, row.status());
        assertTrue(shown(house, row).contains("\"output\":{\"v\":{\"a\\u0000b\":\"\\u0000\"}}"));
    }

    @Test
    void nulIsRefusedInNames(House house) throws Exception {
        house.publish(echo("nul-name"));

        Answer request = house.post("/workflows/nul-name/execute", "{\"requestId\": \"a\\u0000b\"}");
        Answer principal = house.post("/workflows/nul-name/execute", "{\"principal\": {\"userId\": \"a\\u0000b\"}}");

        assertTrue(request.expect(400).text().contains("\"pointer\":\"/requestId\""), request.text());
        assertTrue(principal.expect(400).text().contains("\"pointer\":\"/principal/userId\""), principal.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"displayName", "description"})
    void nulInAWorkflowsTextsIsRefusedWithItsPointer(String property, House house) throws Exception {
        String definition =
                "{\"id\": \"nul-text\", \"displayName\": \"x\", \"description\": \"x\", \"startNode\": \"a\","
                        + " \"nodes\": [{\"id\": \"a\", \"actionType\": \"core.echo\"}]}";

        Answer answer = house.post(
                "/workflows", definition.replace("\"" + property + "\": \"x\"", "\"" + property + "\": \"a\\u0000b\""));

        assertTrue(answer.expect(400).text().contains("\"pointer\":\"/" + property + "\""), answer.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\udc00x", "x\\ud83d", "\\ude00\\ud83d"})
    void loneSurrogatesAreRefusedAtTheirPlace(String text, House house) throws Exception {
        house.draft(echo("lone"));

        Answer start = house.post("/workflows/lone/execute", "{\"trigger\":\n {\"s\": \"" + text + "\"}}");
        Answer definition = house.post("/workflows", echo("lone-too").replace("A workflow", text));

        assertEquals("MALFORMED_JSON", start.expect(400).text("code"));
        assertTrue(start.text("detail").contains("line 2"), start.text());
        assertTrue(definition.expect(400).text().contains("JSON_SYNTAX"), definition.text());
    }

    @Test
    void duplicateKeysAreRefusedAtTheirPlace(House house) throws Exception {
        house.draft(echo("twice"));

        Answer start = house.post("/workflows/twice/execute", "{\"trigger\":\n  {\"a\": 1, \"a\": 2}}");
        Answer escaped = house.post("/workflows/twice/execute", "{\"trigger\": {\"a\": 1, \"\\u0061\": 2}}");
        Answer definition =
                house.post("/workflows", "{\"id\": \"x\",\n \"id\": \"y\", \"displayName\": \"A workflow\"}");

        assertEquals("MALFORMED_JSON", start.expect(400).text("code"));
        assertEquals(House.value("[2, 12]"), place(start));
        assertEquals("MALFORMED_JSON", escaped.expect(400).text("code"));
        assertTrue(definition.expect(400).text().contains("JSON_SYNTAX"), definition.text());
        assertEquals(House.value("[2, 2]"), place(definition));
    }

    /** It can be read by those that follow, and handed on whole: what an event shouldn't hold stands in the payload store. */
    @ParameterizedTest
    @ValueSource(ints = {1 << 20, 2 << 20, 4 << 20})
    void aLargeAnswerGoesToThePayloadStoreAndComesBackExactly(int bytes, House house) throws Exception {
        String id = "large-" + bytes;
        house.publish("""
                {"id": "ID", "displayName": "Large", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "test.large", "parameters": {"bytes": BYTES},
                   "edges": [{"targetNode": "whole", "condition": "context.data.a.text.length === BYTES"}]},
                  {"id": "whole", "actionType": "core.echo", "parameters": {"all": "{{ context.data.a }}"},
                   "edges": [{"targetNode": "end"}]},
                  {"id": "end", "actionType": "core.echo", "parameters": {
                   "length": "{{ context.data.whole.all.text.length }}", "text": "{{ context.data.a.text.slice(-16) }}"}}]}
                """.replace("ID", id).replace("BYTES", "" + bytes));
        byte[] expected = CanonicalJson.exact(
                JsonObject.builder().put("text", SharedHouse.large(bytes)).build());

        RunRow row = house.run(id, "{}");

        assertEquals(RunStatus.SUCCEEDED, row.status());
        EventBody.TaskCompleted completed =
                house.history(row).all(EventBody.TaskCompleted.class).getFirst();
        assertTrue(Arrays.equals(expected, stored(house, completed.output())));
        Payload input = house.history(row).all(EventBody.TaskScheduled.class).stream()
                .filter(it -> it.activation().node().value().equals("whole"))
                .findFirst()
                .flatMap(EventBody.TaskScheduled::input)
                .orElseThrow();
        byte[] whole = CanonicalJson.exact(JsonObject.builder()
                .put("all", House.value(new String(expected, StandardCharsets.UTF_8)))
                .build());
        assertTrue(Arrays.equals(whole, stored(house, input)));
        JsonObject execution = (JsonObject) House.value(shown(house, row));
        if (bytes <= 2 << 20) {
            assertTrue(Arrays.equals(
                    whole,
                    CanonicalJson.exact(action(execution, 1).find("parameters").orElseThrow())));
        }
        assertTrue(Arrays.equals(
                expected,
                CanonicalJson.exact(action(execution, 0).find("outputs").orElseThrow())));
        assertEquals(
                "{\"length\":" + bytes + ",\"text\":\"0123456789abcdef\"}",
                exact(execution.find("output").orElseThrow()));
    }

    @Test
    void aLargeTriggerComesBackExactly(House house) throws Exception {
        house.publish(echo("large-trigger").replace("{{ trigger }}", "{{ trigger.text.length }}"));
        String trigger = "{\"text\":\"" + SharedHouse.large(3 << 20) + "\"}";

        RunRow row = house.run("large-trigger", "{\"trigger\": " + trigger + "}");

        JsonObject execution = (JsonObject) House.value(shown(house, row));
        assertTrue(trigger.equals(exact(execution.find("trigger").orElseThrow())));
        assertEquals("{\"v\":" + (3 << 20) + "}", exact(execution.find("output").orElseThrow()));
    }

    @Test
    void aLargeTriggerIsHandedOnWhole(House house) throws Exception {
        house.publish(echo("whole-trigger"));
        String trigger = "{\"text\":\"" + SharedHouse.large(2 << 20) + "\"}";

        RunRow row = house.run("whole-trigger", "{\"trigger\": " + trigger + "}");

        JsonObject execution = (JsonObject) House.value(shown(house, row));
        assertEquals(RunStatus.SUCCEEDED, row.status());
        assertTrue(("{\"v\":" + trigger + "}")
                .equals(exact(action(execution, 0).find("parameters").orElseThrow())));
        assertTrue(("{\"v\":" + trigger + "}")
                .equals(exact(execution.find("output").orElseThrow())));
    }

    /** Ten MiB of results: the third of four MiB doesn't fit any more, whatever payload store there is. */
    @Test
    void aRunsContextIsBounded(House house) throws Exception {
        house.publish("""
                {"id": "context", "displayName": "Context", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "test.large", "parameters": {"bytes": 4194304},
                   "edges": [{"targetNode": "b"}]},
                  {"id": "b", "actionType": "test.large", "parameters": {"bytes": 4194304},
                   "edges": [{"targetNode": "c"}]},
                  {"id": "c", "actionType": "test.large", "parameters": {"bytes": 4194304}}]}
                """);

        RunRow row = house.run("context", "{}");

        EventBody.RunFailed failed =
                house.history(row).all(EventBody.RunFailed.class).getFirst();
        assertEquals("CONTEXT_TOO_LARGE", failed.error().code());
        assertEquals("c", failed.node().orElseThrow().value());
    }

    @ParameterizedTest
    @ValueSource(strings = {"test.verbose-error", "test.verbose-throw"})
    void aMegabyteOfErrorMessageIsCutAndTheRunGoesOn(String action, House house) throws Exception {
        String id = action.substring("test.".length());
        house.publish("""
                {"id": "ID", "displayName": "Verbose", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "ACTION", "parameters": {"bytes": 1048576},
                   "policies": {"retry": {"maxAttempts": 1}}, "edges": [{"targetNode": "b", "when": "failure"}]},
                  {"id": "b", "actionType": "core.echo",
                   "parameters": {"length": "{{ context.data.a.error.message.length }}"}}]}
                """.replace("ID", id).replace("ACTION", action));

        RunRow row = house.run(id, "{}");

        assertEquals(RunStatus.SUCCEEDED, row.status());
        EventBody.TaskFailed failed =
                house.history(row).all(EventBody.TaskFailed.class).getFirst();
        assertEquals(2_001, failed.error().message().length());
        assertTrue(failed.error().message().endsWith("…"));
        assertTrue(shown(house, row).contains("\"output\":{\"length\":2001}"));
    }

    private static String echo(String id) {
        return "{\"id\": \"" + id
                + "\", \"displayName\": \"A workflow\", \"startNode\": \"a\", \"nodes\": [{\"id\": \"a\","
                + " \"actionType\": \"core.echo\", \"parameters\": {\"v\": \"{{ trigger }}\"}}]}";
    }

    /** What REST shows of an execution with everything in it. */
    private static String shown(House house, RunRow row) throws Exception {
        return house.get("/executions/" + row.key().run() + "?include=actions,events")
                .expect(200)
                .text();
    }

    private static JsonObject action(JsonObject execution, int index) {
        JsonObject page = (JsonObject) execution.find("actions").orElseThrow();
        return (JsonObject)
                ((JsonArray) page.find("items").orElseThrow()).items().get(index);
    }

    private static byte[] stored(House house, Payload payload) throws Exception {
        Sha256 hash = assertInstanceOf(Payload.Stored.class, payload).hash();
        Map<Sha256, byte[]> found = house.flowstone().ports().runs().payloads(House.TENANT, List.of(hash));
        byte[] bytes = found.get(hash);
        assertTrue(bytes != null && Sha256.digest(bytes).equals(hash));
        return bytes;
    }

    /** Line and column of the only fault. */
    private static JsonValue place(Answer answer) {
        JsonArray faults = (JsonArray) answer.object().find("faults").orElseThrow();
        JsonObject fault = (JsonObject) faults.items().getFirst();
        return new JsonArray(List.of((JsonNumber) fault.find("line").orElseThrow(), (JsonNumber)
                fault.find("column").orElseThrow()));
    }

    private static String exact(JsonValue value) {
        return new String(CanonicalJson.exact(value), StandardCharsets.UTF_8);
    }

    private static int count(String text, String part) {
        return (text.length() - text.replace(part, "").length()) / part.length();
    }
}
