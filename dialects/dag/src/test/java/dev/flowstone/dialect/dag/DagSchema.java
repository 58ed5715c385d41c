package dev.flowstone.dialect.dag;

import static java.util.Objects.requireNonNull;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The published schema, {@code docs/schema/dag-1.json}. Beside the words of JSON Schema its properties have {@code x-codes}, the
 * faults that only the reader finds; {@code x-limit}, the setting that bounds the value, which a schema for every installation can't;
 * and {@code x-setting}, the setting that the default comes from.
 */
final class DagSchema {
    private static final JsonObject DOCUMENT = (JsonObject) json(read());
    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
            .getSchema(CanonicalJson.exactText(DOCUMENT), InputFormat.JSON);

    /** Where a definition has an object of each kind. */
    private static final Map<String, String> PLACES = Map.of(
            "workflow", "",
            "node", "/nodes/0",
            "edge", "/nodes/0/edges/0",
            "policies", "/nodes/0/policies",
            "retry", "/nodes/0/policies/retry",
            "settings", "/settings",
            "context", "/settings/context");

    private static final JsonValue WHOLE = json("""
        {"id": "w", "displayName": "W", "startNode": "a", "settings": {"context": {}}, "nodes": [
          {"id": "a", "actionType": "core.echo", "policies": {"retry": {}}, "edges": [{"targetNode": "b"}]},
          {"id": "b", "actionType": "core.echo"}]}\
        """);

    /**
     * One property of a kind of object.
     *
     * @param schema as it is published
     */
    record Property(String kind, String name, boolean required, JsonObject schema) {
        Property {
            requireNonNull(kind, "kind");
            requireNonNull(name, "name");
            requireNonNull(schema, "schema");
        }

        /** {@code object} where it is one of the format's own kinds. */
        String type() {
            return text("type").orElse("object");
        }

        Optional<String> text(String word) {
            return schema.find(word).map(it -> ((JsonString) it).value());
        }

        /** Its texts under a word; none if it isn't there. */
        List<String> texts(String word) {
            return DagSchema.texts(schema, word);
        }

        /** The kind that its value is of, if it is one of the format's own. */
        Optional<String> refersTo() {
            return schema.find("allOf")
                    .or(() -> schema.find("items").map(JsonArray::of))
                    .map(it -> (JsonObject) ((JsonArray) it).items().getFirst())
                    .flatMap(it -> it.find("$ref"))
                    .map(it -> ((JsonString) it).value().replaceFirst(".*/", ""));
        }

        String pointer() {
            return place(kind) + "/" + name;
        }

        /** A definition in which it has this value, and all else is in order. */
        String with(JsonValue value) {
            return CanonicalJson.exactText(
                    put(WHOLE, JsonPointer.parse(pointer()).tokens(), Optional.of(value)));
        }

        /** The same definition without it. */
        String without() {
            return CanonicalJson.exactText(
                    put(WHOLE, JsonPointer.parse(pointer()).tokens(), Optional.empty()));
        }

        @Override
        public String toString() {
            return kind + "." + name;
        }
    }

    private DagSchema() {}

    static String place(String kind) {
        return requireNonNull(PLACES.get(kind), kind);
    }

    /** Each kind of object, in the order of the schema. */
    static List<String> kinds() {
        return List.copyOf(definitions().members().keySet());
    }

    static List<Property> properties() {
        return kinds().stream().flatMap(kind -> properties(kind).stream()).toList();
    }

    static List<Property> properties(String kind) {
        JsonObject object = (JsonObject) requireNonNull(definitions().get(kind), kind);
        List<String> required = texts(object, "required");
        List<Property> properties = new ArrayList<>();
        ((JsonObject) requireNonNull(object.get("properties")))
                .members()
                .forEach((name, schema) ->
                        properties.add(new Property(kind, name, required.contains(name), (JsonObject) schema)));
        return properties;
    }

    /** What a validator says of a definition; nothing if it fits. */
    static List<String> errors(String definition) {
        return SCHEMA.validate(definition, InputFormat.JSON).stream()
                .map(Object::toString)
                .toList();
    }

    static JsonValue json(String text) {
        try {
            return JsonParser.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static String read() {
        try {
            return Files.readString(Dags.ROOT.resolve("docs/schema/dag-1.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonObject definitions() {
        return (JsonObject) requireNonNull(DOCUMENT.get("definitions"));
    }

    private static List<String> texts(JsonObject object, String word) {
        return object.get(word) instanceof JsonArray array
                ? array.items().stream().map(it -> ((JsonString) it).value()).toList()
                : List.of();
    }

    private static JsonValue put(JsonValue in, List<String> path, Optional<JsonValue> value) {
        if (path.isEmpty()) {
            return value.orElseThrow();
        }
        String step = path.getFirst();
        List<String> rest = path.subList(1, path.size());
        if (in instanceof JsonArray(List<JsonValue> items)) {
            List<JsonValue> copy = new ArrayList<>(items);
            int at = Integer.parseInt(step);
            copy.set(at, put(copy.get(at), rest, value));
            return new JsonArray(copy);
        }
        Map<String, JsonValue> members = new LinkedHashMap<>(((JsonObject) in).members());
        if (rest.isEmpty() && value.isEmpty()) {
            members.remove(step);
        } else {
            members.put(step, put(members.getOrDefault(step, JsonObject.EMPTY), rest, value));
        }
        return JsonObject.of(members);
    }
}
