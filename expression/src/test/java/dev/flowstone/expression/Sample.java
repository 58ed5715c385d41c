package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** The data that tests evaluate over. */
final class Sample {
    static final JsonObject DATA = object("""
            {
              "trigger": {
                "boardId": 7, "channelId": "C456", "itemId": "i-1", "n": 7615917337495251231,
                "d": 0.1000000000000000055, "price": 12.5, "big": 1e30, "zero": 0, "empty": "", "none": null,
                "yes": true, "no": false, "data": {"a": [1, 2]}, "payload": [1, {"x": null}], "timestamp": "2026-01-01",
                "tags": ["red", "green", "blue"], "text": "Hello, World", "numbers": [3, 1, 2],
                "nested": {"b": 2, "a": {"c": [[1, 2], [3]]}}, "constructor": "data", "length": 9,
                "spec": {"answers": {"title": "T"}}, "emoji": "a😀b", "list": [{"s": "x", "n": 1}, {"s": "y", "n": 2}]
              },
              "spec": {
                "templateSetId": "project-briefs", "templateId": "mobile-app", "templateVersion": 1,
                "answers": {"title": "Recommendation Engine Redesign", "stakeholders": ["@doug", "@alice"]}
              },
              "context": {
                "data": {
                  "get-item": {"items": [{"Status": "Approved", "Name": "Apollo"}], "errorNode": null},
                  "fetch-items": {"items": [1, 2, 3]},
                  "invoke-child": {"outputs": {"result": "fine"}},
                  "render-template": {"body": "<p>body</p>"},
                  "create-confluence": {"url": "https://example.org/1"},
                  "failed": {"error": {"code": "E1"}, "errorNode": "failed"}
                }
              },
              "vars": {}
            }
            """);

    static final Roots ROOTS = DATA::get;

    static final ScriptExpressions EXPRESSIONS = new ScriptExpressions();

    private Sample() {}

    static JsonObject object(String json) {
        return (JsonObject) json(json);
    }

    static JsonValue json(String json) {
        try {
            return JsonParser.parse(json.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException wrong) {
            throw new IllegalArgumentException(json, wrong);
        }
    }

    /** The value of one expression as canonical JSON, or the code of its error. */
    static String value(String source) {
        return switch (EXPRESSIONS.render(new JsonString("{{" + source + "}}"), ROOTS)) {
            case Rendering.Rendered rendered -> CanonicalJson.exactText(rendered.value());
            case Rendering.Failed failed -> failed.error().code();
        };
    }

    /** A test for each line {@code expression → value}. */
    static Stream<DynamicTest> table(String table) {
        return table.lines().map(line -> {
            int arrow = line.lastIndexOf(" → ");
            String source = line.substring(0, arrow);
            return dynamicTest(source, () -> assertEquals(line.substring(arrow + 3), value(source)));
        });
    }
}
