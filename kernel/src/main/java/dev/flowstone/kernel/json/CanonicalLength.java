package dev.flowstone.kernel.json;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/** Measures what {@link CanonicalWriter} would write in the exact form; allocates next to nothing. */
final class CanonicalLength {
    private CanonicalLength() {}

    static long of(JsonValue document) {
        long bytes = 0;
        Deque<JsonValue> open = new ArrayDeque<>();
        open.push(document);
        while (!open.isEmpty()) {
            bytes += switch (open.pop()) {
                case JsonString string -> quoted(string.value());
                case JsonNumber number -> number(number);
                case JsonBoolean bool -> bool.value() ? 4 : 5;
                case JsonNull _ -> 4;
                case JsonArray array -> {
                    array.items().forEach(open::push);
                    yield framed(array.items().size());
                }
                case JsonObject object -> members(object, open);
            };
        }
        return bytes;
    }

    /** Brackets and commas. */
    private static long framed(int elements) {
        return 2L + Math.max(0, elements - 1);
    }

    private static long members(JsonObject object, Deque<JsonValue> open) {
        long bytes = framed(object.members().size());
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            bytes += quoted(member.getKey()) + 1;
            open.push(member.getValue());
        }
        return bytes;
    }

    private static long number(JsonNumber number) {
        if (!number.isLong()) {
            JsonOutput out = new JsonOutput();
            NumberForm.write(number, out);
            return out.toByteArray().length;
        }
        long value = number.longValue();
        int digits = value < 0 ? 2 : 1;
        for (long left = value / 10; left != 0; left /= 10) {
            digits++;
        }
        return digits;
    }

    private static long quoted(String text) {
        long bytes = 2L + text.length();
        for (int i = 0; i < text.length(); i++) {
            bytes += beyondOne(text.charAt(i));
        }
        return bytes;
    }

    /** What a character takes besides its first byte; each half of a pair takes two. */
    private static int beyondOne(char c) {
        if (c < ' ') {
            return c == '\b' || c == '\t' || c == '\n' || c == '\f' || c == '\r' ? 1 : 5;
        }
        if (c < 0x80) {
            return c == '"' || c == '\\' ? 1 : 0;
        }
        return c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
    }
}
