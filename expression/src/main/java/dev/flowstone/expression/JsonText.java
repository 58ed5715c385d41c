package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A value as compact JSON, members sorted by name, every piece charged before it is written. */
final class JsonText {
    private static final HexFormat HEX = HexFormat.of();

    private final MeteredText text;
    private final Meter meter;

    private JsonText(Meter meter) {
        this.text = new MeteredText(meter);
        this.meter = meter;
    }

    static String of(JsonValue value, Meter meter) {
        JsonText json = new JsonText(meter);
        json.write(value, 0);
        return json.text.toString();
    }

    private void write(JsonValue value, int depth) {
        meter.step();
        switch (value) {
            case JsonNull none -> text.append("null");
            case JsonBoolean truth -> text.append(truth.value() ? "true" : "false");
            case JsonNumber number -> text.append(Coercion.digits(number, meter));
            case JsonString string -> string(string.value());
            case JsonArray array -> array(array, depth);
            case JsonObject object -> object(object, depth);
        }
    }

    private void array(JsonArray array, int depth) {
        meter.depth(depth);
        text.append('[');
        for (int i = 0; i < array.items().size(); i++) {
            if (i > 0) {
                text.append(',');
            }
            write(array.items().get(i), depth + 1);
        }
        text.append(']');
    }

    private void object(JsonObject object, int depth) {
        meter.depth(depth);
        text.append('{');
        boolean first = true;
        for (String name : MemberNames.sorted(object.members(), meter)) {
            @Nullable JsonValue value = object.get(name);
            if (value == null) {
                continue;
            }
            if (!first) {
                text.append(',');
            }
            first = false;
            string(name);
            text.append(':');
            write(value, depth + 1);
        }
        text.append('}');
    }

    private void string(String string) {
        text.append('"');
        int written = 0;
        for (int i = 0; i < string.length(); i++) {
            char next = string.charAt(i);
            if (next < ' ' || next == '"' || next == '\\' || isLone(string, i)) {
                text.append(string, written, i);
                text.append(escape(next));
                written = i + 1;
            }
        }
        text.append(string, written, string.length());
        text.append('"');
    }

    /** Half of a surrogate pair, which UTF-8 cannot carry. */
    private static boolean isLone(String string, int at) {
        char half = string.charAt(at);
        if (Character.isHighSurrogate(half)) {
            return at + 1 == string.length() || !Character.isLowSurrogate(string.charAt(at + 1));
        }
        return Character.isLowSurrogate(half) && (at == 0 || !Character.isHighSurrogate(string.charAt(at - 1)));
    }

    private static String escape(char character) {
        return switch (character) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\b' -> "\\b";
            case '\f' -> "\\f";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> "\\u" + HEX.toHexDigits(character);
        };
    }
}
