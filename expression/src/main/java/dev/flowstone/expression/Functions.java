package dev.flowstone.expression;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The functions that have names of their own. All pure; a clock or a die is not among them. */
final class Functions {
    private static final int ANY_NUMBER = Integer.MAX_VALUE;
    private static final BigDecimal HALF = new BigDecimal("0.5");

    /** A function's work and how many arguments it takes at most. */
    record Function(int most, java.util.function.Function<Arguments, Object> body) {}

    /** Objects whose functions are known; nothing else about them is. */
    static final Set<String> NAMESPACES = Set.of("Math", "Object", "Array", "JSON", "Number", "String", "Boolean");

    static final Map<String, Function> ALL = Map.ofEntries(
            Map.entry("Number", new Function(1, Functions::number)),
            Map.entry("String", new Function(1, given -> new JsonString(given.count() == 0 ? "" : given.text(0)))),
            Map.entry("Boolean", new Function(1, given -> JsonBoolean.of(Coercion.truthy(given.value(0))))),
            Map.entry("Math.min", new Function(ANY_NUMBER, given -> extreme(given, -1, Double.POSITIVE_INFINITY))),
            Map.entry("Math.max", new Function(ANY_NUMBER, given -> extreme(given, 1, Double.NEGATIVE_INFINITY))),
            Map.entry("Math.abs", new Function(1, given -> rounded(given, BigDecimal::abs, Math::abs))),
            Map.entry("Math.floor", new Function(1, given -> rounded(given, Functions::floor, Math::floor))),
            Map.entry("Math.ceil", new Function(1, given -> rounded(given, Functions::ceiling, Math::ceil))),
            Map.entry(
                    "Math.trunc", new Function(1, given -> rounded(given, Functions::truncated, Functions::truncated))),
            Map.entry("Math.round", new Function(1, given -> rounded(given, Functions::nearest, Functions::nearest))),
            Map.entry("Object.keys", new Function(1, Functions::keys)),
            Map.entry("Object.values", new Function(1, given -> members(given, (name, value) -> value))),
            Map.entry("Object.entries", new Function(1, Functions::entries)),
            Map.entry("Array.isArray", new Function(1, given -> JsonBoolean.of(given.value(0) instanceof JsonArray))),
            Map.entry("JSON.stringify", new Function(1, Functions::stringify)));

    private Functions() {}

    /** Null if there is no function of this name. */
    static @Nullable Function named(String name) {
        return ALL.get(name);
    }

    private static Object number(Arguments given) {
        return given.count() == 0 ? JsonNumber.of(0) : Coercion.number(given.value(0), given.position());
    }

    /** The smallest or greatest argument itself, so that an exact number stays exact. */
    private static Object extreme(Arguments given, int sign, double ofNone) {
        Object extreme = ofNone;
        for (int i = 0; i < given.count(); i++) {
            given.meter().step();
            Object next = Coercion.number(given.value(i), given.position());
            if (Numbers.isNaN(next) || Numbers.isNaN(extreme)) {
                extreme = Double.NaN;
            } else if (Numbers.compare(next, extreme) * sign > 0) {
                extreme = next;
            }
        }
        return extreme;
    }

    private static Object rounded(Arguments given, UnaryOperator<BigDecimal> exact, DoubleUnaryOperator computed) {
        Object number = Coercion.number(given.value(0), given.position());
        return number instanceof JsonNumber json && Numbers.isModest(json.decimalValue())
                ? JsonNumber.of(exact.apply(json.decimalValue()))
                : (Object) computed.applyAsDouble(Numbers.toDouble(number));
    }

    private static BigDecimal floor(BigDecimal number) {
        return number.scale() <= 0 ? number : number.setScale(0, RoundingMode.FLOOR);
    }

    private static BigDecimal ceiling(BigDecimal number) {
        return number.scale() <= 0 ? number : number.setScale(0, RoundingMode.CEILING);
    }

    private static BigDecimal truncated(BigDecimal number) {
        return number.scale() <= 0 ? number : number.setScale(0, RoundingMode.DOWN);
    }

    private static double truncated(double number) {
        return number < 0 ? Math.ceil(number) : Math.floor(number);
    }

    /** JavaScript's rounding: a half goes up, towards positive infinity. */
    private static BigDecimal nearest(BigDecimal number) {
        return number.scale() <= 0 ? number : floor(number.add(HALF));
    }

    private static double nearest(double number) {
        double below = Math.floor(number);
        return number - below >= 0.5 ? below + 1 : below;
    }

    @FunctionalInterface
    private interface MemberFunction {
        JsonValue apply(String name, JsonValue value);
    }

    private static Object entries(Arguments given) {
        return members(given, (name, value) -> {
            given.meter().elements(2);
            return JsonArray.of(new JsonString(name), value);
        });
    }

    /** Looks at no value: a name may be there whose value was left out. */
    private static Object keys(Arguments given) {
        String[] names = names(given, object(given));
        given.meter().steps(names.length);
        List<JsonValue> items = new ArrayList<>(names.length);
        for (String name : names) {
            items.add(new JsonString(name));
        }
        return new JsonArray(items);
    }

    private static JsonObject object(Arguments given) {
        if (given.value(0) instanceof JsonObject object) {
            return object;
        }
        throw Fault.type("An object is needed here, not " + Kind.of(given.value(0)) + ".", given.position());
    }

    private static String[] names(Arguments given, JsonObject object) {
        String[] names = MemberNames.sorted(object.members(), given.meter());
        given.meter().elements(3L * names.length);
        return names;
    }

    private static Object members(Arguments given, MemberFunction function) {
        JsonObject object = object(given);
        String[] names = names(given, object);
        List<JsonValue> items = new ArrayList<>(names.length);
        for (String name : names) {
            given.meter().step();
            @Nullable JsonValue value = object.get(name);
            if (value != null) {
                items.add(function.apply(name, value));
            }
        }
        return new JsonArray(items);
    }

    private static Object stringify(Arguments given) {
        return given.isGiven(0)
                ? new JsonString(JsonText.of(Coercion.json(given.value(0), given.position()), given.meter()))
                : Undefined.UNDEFINED;
    }
}
