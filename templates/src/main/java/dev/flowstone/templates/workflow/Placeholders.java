package dev.flowstone.templates.workflow;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.templates.fields.FieldFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Walks a definition, as deep as the parser has let it be, and puts a value into the place of each placeholder. */
final class Placeholders {
    static final String INVALID = "PLACEHOLDER_INVALID";

    /** So many in a definition. */
    static final int MOST = 1_000;

    private final Function<Placeholder, JsonValue> values;
    private final List<Placeholder> found = new ArrayList<>();
    private final List<FieldFault> faults = new ArrayList<>();

    private Placeholders(Function<Placeholder, JsonValue> values) {
        this.values = values;
    }

    /**
     * What became of a definition.
     *
     * @param faults of the definition itself, with pointers into it
     */
    record Filled(JsonObject definition, List<Placeholder> found, List<FieldFault> faults) {
        Filled {
            found = List.copyOf(found);
            faults = List.copyOf(faults);
        }
    }

    static Filled fill(JsonObject definition, Function<Placeholder, JsonValue> values) {
        Placeholders walk = new Placeholders(values);
        JsonValue filled = walk.value(definition, "", Role.FORMAT);
        if (walk.found.size() > MOST) {
            walk.wrong("", "the definition has more than " + MOST + " placeholders", "leave some out");
        }
        return new Filled(filled instanceof JsonObject object ? object : definition, walk.found, walk.faults);
    }

    private JsonValue value(JsonValue value, String at, Role role) {
        return switch (value) {
            case JsonObject object when Placeholder.isMeant(object) -> placeholder(object, at, role);
            case JsonObject object -> {
                JsonObject.Builder filled = JsonObject.builder();
                for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                    String name = member.getKey();
                    filled.put(name, value(member.getValue(), at + "/" + JsonPointer.escape(name), role.of(name)));
                }
                yield filled.build();
            }
            case JsonArray(List<JsonValue> items) -> {
                List<JsonValue> filled = new ArrayList<>(items.size());
                for (int i = 0; i < items.size(); i++) {
                    filled.add(value(items.get(i), at + "/" + i, role));
                }
                yield new JsonArray(filled);
            }
            default -> value;
        };
    }

    private JsonValue placeholder(JsonObject object, String at, Role role) {
        Optional<JsonPointer> pointer = Placeholder.pointer(object);
        if (pointer.isEmpty() || at.isEmpty()) {
            wrong(
                    at,
                    "an object with '" + Placeholder.KEY + "' has nothing else, and a JSON pointer as its value",
                    "write {\"" + Placeholder.KEY + "\": \"/name\"}");
            return object;
        }
        if (role == Role.CODE) {
            wrong(
                    at,
                    "no config goes into an expression, or what an edge is followed on",
                    "put it into the parameters of a node, such as one of core.transform, and read what that gave");
            return object;
        }
        Placeholder placeholder = new Placeholder(at, pointer.get(), role);
        found.add(placeholder);
        return found.size() > MOST ? object : values.apply(placeholder);
    }

    private void wrong(String at, String message, String remedy) {
        faults.add(new FieldFault(INVALID, at, message, remedy));
    }
}
