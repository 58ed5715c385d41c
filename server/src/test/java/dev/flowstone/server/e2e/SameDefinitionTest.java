package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.e2e.House.Answer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Key order and white space make no other definition: no new version, the same program. */
@ExtendWith(SharedHouse.class)
final class SameDefinitionTest {
    private static final String DEFINITION = """
            {"id": "same", "displayName": "Same", "description": "d", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "parameters": {"z": 1.50, "y": {"b": "{{ trigger.b }}", "a": [1, 2]}},
               "policies": {"timeoutMs": 1000, "retry": {"maxAttempts": 3, "baseDelayMs": 5}},
               "edges": [{"targetNode": "b", "condition": "trigger.ok", "when": "success"}, {"targetNode": "c"}]},
              {"id": "b", "actionType": "core.echo"}, {"id": "c", "actionType": "core.delay",
               "parameters": {"duration": "PT1S"}}]}
            """;

    @Test
    void publishingTheSameDefinitionInOtherWordsGivesTheSameVersion(House house) throws Exception {
        house.publish(DEFINITION);
        JsonObject first = house.get("/workflows/same").expect(200).object();
        long seed = System.nanoTime();
        Random random = new Random(seed);

        for (int i = 0; i < 10; i++) {
            String other = written(House.value(DEFINITION), random);
            assertNotEquals(DEFINITION, other);
            house.post("/workflows/same/draft", other);
            Answer published = house.post("/workflows/same/publish", "").expect(200);
            assertEquals(
                    House.value("{\"created\": false, \"status\": \"Active\", \"version\": 1, \"warnings\": [],"
                            + " \"workflowId\": \"same\"}"),
                    published.object(),
                    () -> "seed " + seed + ": " + other);
        }

        JsonObject last = house.get("/workflows/same").expect(200).object();
        assertEquals(first.get("programHash"), last.get("programHash"));
        assertEquals(first.get("checksum"), last.get("checksum"));
        assertEquals(House.value("1"), last.get("latestVersion"));
    }

    @Test
    void publishingAnotherDefinitionGivesAnotherVersion(House house) throws Exception {
        house.publish(DEFINITION.replace("\"same\"", "\"other\""));
        JsonObject first = house.get("/workflows/other").expect(200).object();

        house.post(
                "/workflows/other/draft",
                DEFINITION.replace("\"same\"", "\"other\"").replace("1.50", "1.51"));
        Answer published = house.post("/workflows/other/publish", "").expect(200);

        assertEquals(House.value("2"), published.object().get("version"));
        JsonObject last = house.get("/workflows/other").expect(200).object();
        assertNotEquals(first.get("programHash"), last.get("programHash"));
    }

    /** The same value with its members in any order, and white space wherever it may stand. */
    private static String written(JsonValue value, Random random) {
        return switch (value) {
            case JsonObject object -> {
                List<Map.Entry<String, JsonValue>> members =
                        new ArrayList<>(object.members().entrySet());
                Collections.shuffle(members, random);
                yield members.stream()
                        .map(it -> space(random) + "\"" + it.getKey() + "\"" + space(random) + ":" + space(random)
                                + written(it.getValue(), random) + space(random))
                        .collect(Collectors.joining(",", "{", "}"));
            }
            case JsonArray array ->
                array.items().stream()
                        .map(it -> space(random) + written(it, random) + space(random))
                        .collect(Collectors.joining(",", "[", "]"));
            default -> new String(CanonicalJson.exact(value), StandardCharsets.UTF_8);
        };
    }

    private static String space(Random random) {
        return List.of("", " ", "\n", "\t", "\r\n  ").get(random.nextInt(5));
    }
}
