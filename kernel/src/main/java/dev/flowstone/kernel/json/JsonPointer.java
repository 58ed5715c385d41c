package dev.flowstone.kernel.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A JSON pointer (RFC 6901): the path from a document's root to one value. Written as {@code /nodes/0/name}; in a name
 * {@code ~} stands as {@code ~0} and {@code /} as {@code ~1}. The root's pointer is the empty text.
 *
 * @param tokens names and indexes from the root, unescaped
 */
public record JsonPointer(List<String> tokens) {
    public static final JsonPointer ROOT = new JsonPointer(List.of());

    public JsonPointer {
        tokens = List.copyOf(tokens);
    }

    /** Reads the written form; refuses one that is neither empty nor begins with a slash, or escapes wrongly. */
    public static JsonPointer parse(String text) {
        if (text.isEmpty()) {
            return ROOT;
        }
        if (text.charAt(0) != '/') {
            throw new IllegalArgumentException("a JSON pointer is empty or begins with '/': " + Hints.quoted(text));
        }
        List<String> tokens = new ArrayList<>();
        for (String token : text.substring(1).split("/", -1)) {
            tokens.add(unescape(token));
        }
        return new JsonPointer(tokens);
    }

    public JsonPointer child(String name) {
        List<String> longer = new ArrayList<>(tokens);
        longer.add(name);
        return new JsonPointer(longer);
    }

    public JsonPointer child(int index) {
        return child(Integer.toString(index));
    }

    /** The value that this pointer names in the document, if there is one. */
    public Optional<JsonValue> find(JsonValue root) {
        JsonValue at = root;
        for (String token : tokens) {
            at = step(at, token);
            if (at == null) {
                return Optional.empty();
            }
        }
        return Optional.of(at);
    }

    /** A name as it stands between two slashes. */
    public static String escape(String name) {
        return name.indexOf('~') < 0 && name.indexOf('/') < 0
                ? name
                : name.replace("~", "~0").replace("/", "~1");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (String token : tokens) {
            text.append('/').append(escape(token));
        }
        return text.toString();
    }

    static @Nullable JsonValue step(JsonValue parent, String token) {
        return switch (parent) {
            case JsonObject object -> object.get(token);
            case JsonArray array -> {
                int index = index(array, token);
                yield index < 0 ? null : array.items().get(index);
            }
            default -> null;
        };
    }

    /** The index that a token names in this array, or -1: no sign, no leading zeros, within bounds. */
    static int index(JsonArray array, String token) {
        boolean digits =
                !token.isEmpty() && token.length() <= 10 && token.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!digits || (token.length() > 1 && token.charAt(0) == '0')) {
            return -1;
        }
        long index = Long.parseLong(token);
        return index < array.items().size() ? (int) index : -1;
    }

    private static String unescape(String token) {
        for (int i = token.indexOf('~'); i >= 0; i = token.indexOf('~', i + 1)) {
            boolean known = i + 1 < token.length() && (token.charAt(i + 1) == '0' || token.charAt(i + 1) == '1');
            if (!known) {
                throw new IllegalArgumentException(
                        "in a JSON pointer '~' is followed by 0 or 1: " + Hints.quoted(token));
            }
        }
        return token.replace("~1", "/").replace("~0", "~");
    }
}
