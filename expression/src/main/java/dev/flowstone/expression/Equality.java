package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When two values are the same. Numbers by their exact value; arrays and objects by their content, since JSON data has no
 * identity to compare.
 */
final class Equality {
    private Equality() {}

    /** {@code ===}. */
    static boolean strict(Object left, Object right, Meter meter) {
        return same(left, right, meter, 0);
    }

    /** As {@code includes} has it: like {@code ===}, and NaN is itself. */
    static boolean sameValue(Object left, Object right, Meter meter) {
        return (Numbers.isNaN(left) && Numbers.isNaN(right)) || same(left, right, meter, 0);
    }

    /** {@code ==}. */
    static boolean loose(Object left, Object right, Meter meter, int position) {
        if (isNullish(left) || isNullish(right)) {
            return isNullish(left) && isNullish(right);
        }
        if (isContainer(left) && isContainer(right)) {
            return same(left, right, meter, 0);
        }
        if (left instanceof JsonObject || right instanceof JsonObject) {
            return false;
        }
        Object one = left instanceof JsonArray ? new JsonString(Coercion.text(left, meter, position)) : left;
        Object other = right instanceof JsonArray ? new JsonString(Coercion.text(right, meter, position)) : right;
        if (one.getClass() == other.getClass() && !(one instanceof JsonBoolean)) {
            return same(one, other, meter, 0);
        }
        Object first = Coercion.number(one, position);
        Object second = Coercion.number(other, position);
        return !Numbers.isNaN(first) && !Numbers.isNaN(second) && Numbers.compare(first, second) == 0;
    }

    private static boolean isNullish(Object value) {
        return value == JsonNull.NULL || value == Undefined.UNDEFINED;
    }

    private static boolean isContainer(Object value) {
        return value instanceof JsonArray || value instanceof JsonObject;
    }

    private static boolean same(Object left, Object right, Meter meter, int depth) {
        if (left instanceof JsonString one && right instanceof JsonString other) {
            String text = one.value();
            if (text.length() != other.value().length()) {
                return false;
            }
            meter.scan(text.length());
            return text.equals(other.value());
        }
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return !Numbers.isNaN(left) && !Numbers.isNaN(right) && Numbers.compare(left, right) == 0;
        }
        if (left instanceof JsonArray one && right instanceof JsonArray other) {
            return sameItems(one.items(), other.items(), meter, depth);
        }
        if (left instanceof JsonObject one && right instanceof JsonObject other) {
            return sameMembers(one.members(), other.members(), meter, depth);
        }
        return left instanceof Enum<?> && left.equals(right);
    }

    private static boolean sameItems(List<JsonValue> one, List<JsonValue> other, Meter meter, int depth) {
        meter.depth(depth);
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            meter.step();
            if (!same(one.get(i), other.get(i), meter, depth + 1)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameMembers(
            Map<String, JsonValue> one, Map<String, JsonValue> other, Meter meter, int depth) {
        meter.depth(depth);
        if (one.size() != other.size()) {
            return false;
        }
        // In the order of the names, because the charges must not depend on the order in which members were written.
        for (String name : MemberNames.sorted(one, meter)) {
            meter.step();
            @Nullable JsonValue mine = one.get(name);
            @Nullable JsonValue its = other.get(name);
            if (mine == null || its == null || !same(mine, its, meter, depth + 1)) {
                return false;
            }
        }
        return true;
    }
}
