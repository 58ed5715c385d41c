package dev.flowstone.server.effect;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Takes secrets out of what came back, in whatever form they stand there; the longest first, so that nothing is left of one that has another in it. */
final class Hidden {
    private static final String MARK = "[hidden]";

    private final List<String> forms;

    private Hidden(List<String> forms) {
        this.forms = forms;
    }

    static Hidden of(Stream<String> secrets) {
        return new Hidden(secrets.flatMap(SecretForms::of)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    String in(String text) {
        String clean = text;
        for (String form : forms) {
            clean = clean.replace(form, MARK);
        }
        return clean;
    }

    /** In all texts and names of members. */
    JsonValue in(JsonValue value) {
        if (forms.isEmpty()) {
            return value;
        }
        return switch (value) {
            case JsonString(String text) -> new JsonString(in(text));
            case JsonArray(List<JsonValue> items) ->
                new JsonArray(items.stream().map(this::in).toList());
            case JsonObject object -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                object.members().forEach((name, member) -> members.put(in(name), in(member)));
                yield JsonObject.of(members);
            }
            default -> value;
        };
    }
}
