package dev.flowstone.templates.fields;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a field asks for, and what its answer is in JSON. */
enum FieldType {
    TEXT("string"),
    /** Of several lines. */
    PROSE("string"),
    NUMBER("number"),
    BOOLEAN("boolean"),
    /** A day, such as {@code 2026-11-30}. */
    DATE("string"),
    /** One of its options. */
    CHOICE("string"),
    /** Some of its options. */
    CHOICES("array"),
    /** Of texts. */
    LIST("array");

    private static final JsonString NULL = new JsonString("null");
    private static final String DAY = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";

    private final String json;

    FieldType(String json) {
        this.json = json;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> words() {
        return Arrays.stream(values()).map(FieldType::word).toList();
    }

    static Optional<FieldType> of(String word) {
        return Arrays.stream(values()).filter(it -> it.word().equals(word)).findFirst();
    }

    boolean hasOptions() {
        return this == CHOICE || this == CHOICES;
    }

    /** The schema of its answer; null is one where it may be left out. */
    JsonObject schema(boolean required, JsonArray options) {
        JsonObject.Builder schema = JsonObject.builder();
        if (this == CHOICE) {
            return schema.put("enum", required ? options : withNull(options)).build();
        }
        schema.put("type", required ? new JsonString(json) : new JsonArray(List.of(new JsonString(json), NULL)));
        return switch (this) {
            case CHOICES ->
                schema.put("items", JsonObject.builder().put("enum", options).build())
                        .build();
            case LIST ->
                schema.put("items", JsonObject.builder().put("type", "string").build())
                        .build();
            case DATE -> schema.put("pattern", DAY).build();
            case TEXT, PROSE, NUMBER, BOOLEAN, CHOICE -> schema.build();
        };
    }

    private static JsonArray withNull(JsonArray options) {
        List<JsonValue> all = new ArrayList<>(options.items());
        all.add(JsonNull.NULL);
        return new JsonArray(all);
    }
}
