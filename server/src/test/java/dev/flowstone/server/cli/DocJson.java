package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What stands as JSON in a page: definitions, nodes, bodies of calls and of answers. */
final class DocJson {
    private final JsonObject api;

    /**
     * @param api the API's document
     */
    DocJson(JsonObject api) {
        this.api = api;
    }

    /** What it says, where {@code …} stands for more of the same. */
    static JsonValue read(String text) throws JsonSyntaxException {
        String whole = text.replaceAll(",\\s*…\\s*(?=[}\\]])", "").replaceAll("(?<=[{\\[])\\s*…\\s*(?=[}\\]])", "");
        return JsonParser.parse(whole.getBytes(StandardCharsets.UTF_8));
    }

    /** A definition as it stands, a node as the first of a definition whose others are made up, nothing of what is neither. */
    static Optional<JsonObject> definition(JsonValue value) {
        if (!(value instanceof JsonObject object)) {
            return Optional.empty();
        }
        if (object.find("startNode").isPresent() || object.find("states").isPresent()) {
            return Optional.of(object);
        }
        if (object.find("actionType").isEmpty() && object.find("nodeType").isEmpty()) {
            return Optional.empty();
        }
        List<JsonValue> nodes = new ArrayList<>(List.of(object));
        if (object.find("edges").orElse(null) instanceof JsonArray(List<JsonValue> edges)) {
            for (JsonValue edge : edges) {
                nodes.add(JsonObject.builder()
                        .put("id", member((JsonObject) edge, "targetNode"))
                        .put("actionType", "core.echo")
                        .build());
            }
        }
        return Optional.of(JsonObject.builder()
                .put("id", "doc")
                .put("displayName", "A page's node")
                .put("startNode", member(object, "id"))
                .put("nodes", new JsonArray(nodes))
                .build());
    }

    /** Fails unless the API's document takes it as the body of a call. */
    void expectRequest(JsonValue body, String method, String path) {
        fits(body, "/paths/" + escaped(path) + "/" + method.toLowerCase(Locale.ROOT) + "/requestBody");
    }

    /** Fails unless the API's document has it as an answer. */
    void expectAnswer(JsonValue body, String method, String path, String status) {
        fits(body, "/paths/" + escaped(path) + "/" + method.toLowerCase(Locale.ROOT) + "/responses/" + status);
    }

    private void fits(JsonValue body, String pointer) {
        JsonObject described = resolved(at(pointer));
        JsonObject content = (JsonObject) member(described, "content");
        JsonObject first = (JsonObject) content.members().values().iterator().next();
        JsonObject schema = JsonObject.builder()
                .put("allOf", new JsonArray(List.of(member(first, "schema"))))
                .put("components", at("/components"))
                .build();
        List<String> faults = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(text(schema), InputFormat.JSON)
                .validate(text(body), InputFormat.JSON)
                .stream()
                .map(Object::toString)
                .toList();
        assertEquals(List.of(), faults);
    }

    private static JsonValue member(JsonObject object, String name) {
        return object.find(name).orElseThrow(() -> new AssertionError("no " + name));
    }

    private JsonObject resolved(JsonValue value) {
        JsonObject object = (JsonObject) value;
        return object.find("$ref").orElse(null) instanceof JsonString(String ref)
                ? (JsonObject) at(ref.substring(1))
                : object;
    }

    private JsonValue at(String pointer) {
        return JsonPointer.parse(pointer).find(api).orElseThrow(() -> new AssertionError("the API has no " + pointer));
    }

    private static String escaped(String path) {
        return path.replace("~", "~0").replace("/", "~1");
    }

    private static String text(JsonValue value) {
        return new String(CanonicalJson.exact(value), StandardCharsets.UTF_8);
    }
}
