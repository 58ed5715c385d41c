package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an evaluation has read from its roots: the longest member chains with their values, at most {@value #MOST} of
 * them, in the order of reading. Small scalars stand as they are; anything else as a note such as
 * {@code {"kind":"array","length":3}}. What did not fit is counted under {@value #MORE}.
 */
final class Reads {
    static final int MOST = 64;
    static final int MOST_CHARS = 256;
    static final String MORE = "…";
    private static final int MOST_DIGITS = 100;

    private String[] paths = new String[4];
    private Object[] values = new Object[4];
    private int count;
    private long omitted;

    void add(String path, Object value) {
        if (count == MOST) {
            omitted++;
            return;
        }
        if (count == paths.length) {
            paths = Arrays.copyOf(paths, count * 2);
            values = Arrays.copyOf(values, count * 2);
        }
        paths[count] = path;
        values[count++] = value;
    }

    JsonObject toJson() {
        if (count == 0) {
            return JsonObject.EMPTY;
        }
        Map<String, JsonValue> byPath = LinkedHashMap.newLinkedHashMap(count);
        for (int i = 0; i < count; i++) {
            String path = paths[i].length() <= MOST_CHARS ? paths[i] : Fault.cut(paths[i], MOST_CHARS);
            byPath.put(path, brief(values[i]));
        }
        if (omitted > 0) {
            byPath.put(MORE, JsonNumber.of(omitted));
        }
        return JsonObject.view(byPath);
    }

    private static JsonValue brief(Object value) {
        return switch (value) {
            case JsonNull none -> none;
            case JsonBoolean truth -> truth;
            case JsonNumber number -> {
                int digits = number.isLong() ? 1 : number.decimalValue().precision();
                yield digits <= MOST_DIGITS
                        ? number
                        : note("number").put("digits", digits).build();
            }
            case JsonString string -> {
                String text = string.value();
                yield text.length() <= MOST_CHARS
                        ? string
                        : note("string")
                                .put("length", text.length())
                                .put("start", Fault.cut(text, MOST_CHARS))
                                .build();
            }
            case JsonArray array ->
                note("array").put("length", array.items().size()).build();
            case JsonObject object ->
                note("object").put("members", object.members().size()).build();
            default -> note("undefined").build();
        };
    }

    private static JsonObject.Builder note(String kind) {
        return JsonObject.builder().put("kind", kind);
    }
}
