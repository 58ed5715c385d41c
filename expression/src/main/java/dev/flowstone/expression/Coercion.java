package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;

/** One kind of value taken as another, as ECMAScript does it; where that would be nonsense, a TYPE fault. */
final class Coercion {
    private static final int DIGITS_PER_STEP = 32;
    private static final JsonNumber ZERO = JsonNumber.of(0);
    private static final JsonNumber ONE = JsonNumber.of(1);

    private Coercion() {}

    static boolean truthy(Object value) {
        return switch (value) {
            case JsonBoolean truth -> truth.value();
            case JsonNull none -> false;
            case Undefined nothing -> false;
            case JsonString text -> !text.value().isEmpty();
            case JsonNumber exact -> !exact.equals(ZERO);
            case Double computed -> computed != 0 && !computed.isNaN();
            default -> true;
        };
    }

    /** A number as it is, exact or computed; other scalars as JavaScript's {@code Number()} has them. */
    static Object number(Object value, int position) {
        return switch (value) {
            case JsonNumber exact -> exact;
            case Double computed -> computed;
            case JsonBoolean truth -> truth.value() ? ONE : ZERO;
            case JsonNull none -> ZERO;
            case Undefined nothing -> Double.NaN;
            case JsonString text -> Numbers.parse(text.value());
            default -> throw Fault.type("A number is needed here, not " + Kind.of(value) + ".", position);
        };
    }

    static double toDouble(Object value, int position) {
        return Numbers.toDouble(number(value, position));
    }

    /** The text of a scalar, or of an array of them joined by commas; an object has none. */
    static String text(Object value, Meter meter, int position) {
        return text(value, meter, position, 0);
    }

    private static String text(Object value, Meter meter, int position, int depth) {
        return switch (value) {
            case JsonString text -> text.value();
            case JsonBoolean truth -> truth.value() ? "true" : "false";
            case JsonNull none -> "null";
            case Undefined nothing -> "undefined";
            case JsonArray array -> join(array.items(), ",", meter, position, depth);
            case JsonObject object ->
                throw Fault.type("An object has no text of its own; name a member or use JSON.stringify().", position);
            case JsonNumber exact -> digits(exact, meter);
            default -> Numbers.text(value);
        };
    }

    /** A number's text; a number of many digits pays for them. */
    static String digits(JsonNumber number, Meter meter) {
        if (!number.isLong()) {
            meter.steps(number.decimalValue().precision() / DIGITS_PER_STEP);
        }
        return Numbers.text(number);
    }

    static String join(List<JsonValue> items, String separator, Meter meter, int position) {
        return join(items, separator, meter, position, 0);
    }

    private static String join(List<JsonValue> items, String separator, Meter meter, int position, int depth) {
        meter.depth(depth);
        MeteredText text = new MeteredText(meter);
        for (int i = 0; i < items.size(); i++) {
            meter.step();
            if (i > 0) {
                text.append(separator);
            }
            if (items.get(i) != JsonNull.NULL) {
                text.append(text(items.get(i), meter, position, depth + 1));
            }
        }
        return text.toString();
    }

    /** What stands in an array or object: undefined becomes null, as in JSON. */
    static JsonValue element(Object value, int position) {
        return value == Undefined.UNDEFINED ? JsonNull.NULL : json(value, position);
    }

    /** A value that may leave the expression. */
    static JsonValue json(Object value, int position) {
        return switch (value) {
            case JsonValue json -> json;
            case Double computed when Double.isFinite(computed) -> JsonNumber.of(computed);
            case Double endless -> throw Fault.type("JSON has no number for " + Numbers.text(endless) + ".", position);
            default -> throw Fault.type("JSON has no value for undefined.", position);
        };
    }

    /** A member's name: numbers count as their text. */
    static String name(Object value, Meter meter, int position) {
        if (value instanceof JsonObject || value instanceof JsonArray) {
            throw Fault.type("A member's name must be a string or a number, not " + Kind.of(value) + ".", position);
        }
        return text(value, meter, position);
    }

    /** Truncated; NaN counts as 0; beyond the range of int as the nearest int. */
    static int integer(Object value, int position) {
        return (int) toDouble(value, position);
    }
}
