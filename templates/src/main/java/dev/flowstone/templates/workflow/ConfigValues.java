package dev.flowstone.templates.workflow;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.templates.fields.FieldFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a config puts into the placeholders of one definition, and what is wrong with that. A value is measured before anything is made
 * of it, and none is looked at once they are too much together: a config costs no more than what it may put in.
 */
final class ConfigValues {
    /** How a definition names a secret: only its author does. */
    static final String SECRET = "$secret";

    private static final String OPEN = "{{";

    /** Two braces as the language of templates writes them. */
    private static final String LITERAL_OPEN = "{{ '{{' }}";

    private final JsonObject config;
    private final List<FieldFault> faults = new ArrayList<>();
    private long bytes;

    ConfigValues(JsonObject config) {
        this.config = config;
    }

    /** Every fault of the config, with pointers into it. */
    List<FieldFault> faults() {
        if (!isTooMuch()) {
            return List.copyOf(faults);
        }
        List<FieldFault> all = new ArrayList<>(faults);
        all.add(wrong(
                "",
                "the config puts more than " + Blueprint.MOST_BOUND_BYTES + " bytes into the definition",
                "send less"));
        return all;
    }

    private boolean isTooMuch() {
        return bytes > Blueprint.MOST_BOUND_BYTES;
    }

    /** What goes into a place; null, and a fault, if nothing can. */
    JsonValue value(Placeholder placeholder) {
        if (isTooMuch()) {
            return JsonNull.NULL;
        }
        Optional<JsonValue> found = placeholder.pointer().find(config);
        if (found.isEmpty()) {
            faults.add(wrong(placeholder.pointer().toString(), "the template needs a value here", "send one"));
            return JsonNull.NULL;
        }
        JsonValue value = found.get();
        long raw = CanonicalJson.exactLength(value);
        bytes += raw;
        if (isTooMuch() || !fits(placeholder, value)) {
            return JsonNull.NULL;
        }
        JsonValue written = placeholder.role().hasTemplates() ? literal(value) : value;
        bytes += CanonicalJson.exactLength(written) - raw;
        return isTooMuch() ? JsonNull.NULL : written;
    }

    private boolean fits(Placeholder placeholder, JsonValue value) {
        String pointer = placeholder.pointer().toString();
        if (!placeholder.role().takesAnything() && !isPlain(value)) {
            faults.add(wrong(
                    pointer,
                    "what the template makes of this takes a text, a number, true, false or null, or a list of such",
                    "send one of these"));
            return false;
        }
        Optional<String> secret = secret(value, pointer);
        secret.ifPresent(at -> faults.add(wrong(
                at,
                "a config names no secret, and has no member '" + SECRET + "'",
                "leave it out: the template's author writes {\"" + SECRET + "\": NAME} into the definition")));
        return secret.isEmpty();
    }

    private static FieldFault wrong(String pointer, String message, String remedy) {
        return new FieldFault(ConfigSchema.CONFIG_INVALID, pointer, message, remedy);
    }

    private static boolean isPlain(JsonValue value) {
        return switch (value) {
            case JsonObject _ -> false;
            case JsonArray(List<JsonValue> items) ->
                items.stream().noneMatch(it -> it instanceof JsonObject || it instanceof JsonArray);
            default -> true;
        };
    }

    /** Where in a value an object would be taken for the name of a secret. */
    private static Optional<String> secret(JsonValue value, String at) {
        return switch (value) {
            case JsonObject object when object.get(SECRET) != null -> Optional.of(at + "/" + SECRET);
            case JsonObject object -> {
                for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                    Optional<String> found = secret(member.getValue(), at + "/" + JsonPointer.escape(member.getKey()));
                    if (found.isPresent()) {
                        yield found;
                    }
                }
                yield Optional.empty();
            }
            case JsonArray(List<JsonValue> items) -> {
                for (int i = 0; i < items.size(); i++) {
                    Optional<String> found = secret(items.get(i), at + "/" + i);
                    if (found.isPresent()) {
                        yield found;
                    }
                }
                yield Optional.empty();
            }
            default -> Optional.empty();
        };
    }

    /** The same value where texts are templates: two braces stay two braces. */
    private static JsonValue literal(JsonValue value) {
        return switch (value) {
            case JsonString(String text) when text.contains(OPEN) -> new JsonString(text.replace(OPEN, LITERAL_OPEN));
            case JsonArray(List<JsonValue> items) ->
                new JsonArray(items.stream().map(ConfigValues::literal).toList());
            case JsonObject object -> {
                JsonObject.Builder literal = JsonObject.builder();
                object.members().forEach((name, member) -> literal.put(name, literal(member)));
                yield literal.build();
            }
            default -> value;
        };
    }
}
