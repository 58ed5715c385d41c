package dev.flowstone.expression;

import dev.flowstone.kernel.expression.OmittedException;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a value has under a name: an object its own members, an array or string its {@code length} and its elements.
 * There are no prototypes: {@code constructor} and {@code __proto__} are names like any other.
 */
final class Member {
    private static final int MOST_INDEX_DIGITS = 9;

    private Member() {}

    static Object of(Object target, String name, int position) {
        return switch (target) {
            case JsonObject object -> member(object, name, position);
            case JsonArray array ->
                name.equals("length") ? JsonNumber.of(array.items().size()) : element(array.items(), index(name));
            case JsonString text ->
                name.equals("length")
                        ? JsonNumber.of(text.value().length())
                        : character(text.value(), index(name), position);
            case JsonNull none -> throw absent("null", name, position);
            case Undefined nothing -> throw absent("undefined", name, position);
            default -> Undefined.UNDEFINED;
        };
    }

    private static Object member(JsonObject object, String name, int position) {
        try {
            @Nullable JsonValue value = object.get(name);
            return value == null ? Undefined.UNDEFINED : value;
        } catch (OmittedException omitted) {
            throw Fault.omitted(omitted, position);
        }
    }

    static Object at(Object target, int index, int position) {
        return switch (target) {
            case JsonArray array -> element(array.items(), index);
            case JsonString text -> character(text.value(), index, position);
            default -> of(target, Integer.toString(index), position);
        };
    }

    private static Object element(List<JsonValue> items, int index) {
        return index >= 0 && index < items.size() ? items.get(index) : Undefined.UNDEFINED;
    }

    private static Object character(String text, int index, int position) {
        return index >= 0 && index < text.length()
                ? WellFormed.string(text.substring(index, index + 1), position)
                : Undefined.UNDEFINED;
    }

    /** The index that a name is the usual text of; -1 if none. */
    private static int index(String name) {
        if (name.isEmpty() || name.length() > MOST_INDEX_DIGITS || (name.length() > 1 && name.charAt(0) == '0')) {
            return -1;
        }
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) < '0' || name.charAt(i) > '9') {
                return -1;
            }
        }
        return Integer.parseInt(name);
    }

    private static Fault absent(String what, String name, int position) {
        return Fault.type(
                "Cannot read " + Fault.quote(name) + " of " + what + "; write ?. where a value may be missing.",
                position);
    }
}
