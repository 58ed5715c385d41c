package dev.flowstone.dialect.dag.definition;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One object of the format, read member by member. Each reading answers the value if it is as the format demands; else
 * empty, and the fault is noted.
 */
final class Members {
    private final JsonObject object;
    private final String pointer;
    private final Format format;
    private final Faults faults;

    Members(JsonObject object, String pointer, Format format, Faults faults, Nearest nearest) {
        this.object = object;
        this.pointer = pointer;
        this.format = format;
        this.faults = faults;
        for (String name : object.members().keySet()) {
            if (!format.properties().contains(name)) {
                refuse(name, nearest);
            }
        }
    }

    String pointer(String name) {
        return pointer + "/" + JsonPointer.escape(name);
    }

    /** The member if it is an object; whether it should be one is judged elsewhere. */
    Optional<JsonObject> find(String name) {
        return object.get(name) instanceof JsonObject member ? Optional.of(member) : Optional.empty();
    }

    boolean has(String name) {
        return object.get(name) != null;
    }

    /** Notes the fault if there is no such member. */
    Members require(String name, String title, String remedy) {
        if (!has(name)) {
            faults.add(FaultCode.MISSING_PROPERTY, pointer, title + " has no " + Quoted.text(name), remedy);
        }
        return this;
    }

    Optional<String> string(String name) {
        return read(name, "a string", value -> value instanceof JsonString text ? text.value() : null);
    }

    /** A text for people: of bounded length, and nothing in it that can't be shown, such as a NUL. */
    Optional<String> text(String name, int most) {
        Optional<String> text = string(name);
        text.filter(it -> it.length() > most || it.chars().anyMatch(Members::unshowable))
                .ifPresent(it -> faults.add(
                        FaultCode.BAD_TEXT,
                        pointer(name),
                        Quoted.text(name) + " has at most " + most
                                + " characters, none of them a control character such as U+0000",
                        it.length() > most ? "shorten it: it has " + it.length() : "remove it"));
        return text;
    }

    private static boolean unshowable(int character) {
        return Character.isISOControl(character) && "\t\n\r".indexOf(character) < 0;
    }

    Optional<Boolean> bool(String name) {
        return read(name, "true or false", value -> value instanceof JsonBoolean it ? it.value() : null);
    }

    Optional<JsonObject> object(String name) {
        return read(name, "an object", value -> value instanceof JsonObject it ? it : null);
    }

    Optional<JsonArray> array(String name) {
        return read(name, "an array", value -> value instanceof JsonArray it ? it : null);
    }

    /** A whole number as JSON Schema has it: {@code 3.0} is one. */
    Optional<Long> integer(String name, long least, long most, String limit) {
        return read(name, "a whole number", value -> value instanceof JsonNumber it && whole(it) ? it : null)
                .flatMap(number -> within(name, number, BigDecimal.valueOf(least), BigDecimal.valueOf(most), limit))
                .map(BigDecimal::longValue);
    }

    Optional<Double> number(String name, double least, double most, String limit) {
        return read(name, "a number", value -> value instanceof JsonNumber it ? it : null)
                .flatMap(number -> within(name, number, BigDecimal.valueOf(least), BigDecimal.valueOf(most), limit))
                .map(BigDecimal::doubleValue);
    }

    /** One of a few texts. */
    Optional<String> oneOf(String name, List<String> allowed, Nearest nearest) {
        Optional<String> text = string(name);
        text.filter(it -> !allowed.contains(it))
                .ifPresent(it -> faults.add(
                        FaultCode.NOT_ALLOWED,
                        pointer(name),
                        Quoted.text(name) + " is " + Quoted.choice(allowed) + ", not " + Quoted.text(it),
                        nearest.orElse(
                                it,
                                allowed,
                                "write one of them, or leave the property out for "
                                        + Quoted.text(allowed.getFirst()))));
        return text.filter(allowed::contains);
    }

    /** How messages call the kind of a value. */
    static String kind(JsonValue value) {
        return switch (value) {
            case JsonObject object -> "an object";
            case JsonArray array -> "an array";
            case JsonString string -> "a string";
            case JsonNumber number -> "the number " + Quoted.cut(number.toString(), 30);
            case JsonBoolean bool -> bool.value() ? "true" : "false";
            case JsonNull none -> "null";
        };
    }

    private <T> Optional<T> read(String name, String demanded, Function<JsonValue, @Nullable T> reading) {
        JsonValue value = object.get(name);
        if (value == null) {
            return Optional.empty();
        }
        Optional<T> read = Optional.ofNullable(reading.apply(value));
        if (read.isEmpty()) {
            faults.add(
                    FaultCode.WRONG_TYPE,
                    pointer(name),
                    Quoted.text(name) + " must be " + demanded + ", but is " + kind(value),
                    value == JsonNull.NULL ? "give it a value, or leave it out" : "make it " + demanded);
        }
        return read;
    }

    private Optional<BigDecimal> within(
            String name, JsonNumber number, BigDecimal least, BigDecimal most, String limit) {
        BigDecimal value = number.decimalValue();
        if (value.compareTo(least) < 0) {
            outOfRange(name, number, "at least " + least.toPlainString(), "make it larger");
            return Optional.empty();
        }
        if (value.compareTo(most) > 0) {
            String remedy = limit.isEmpty() ? "make it smaller" : "make it smaller, or raise the limit dag." + limit;
            outOfRange(name, number, "at most " + most.toPlainString(), remedy);
            return Optional.empty();
        }
        return Optional.of(value);
    }

    private void outOfRange(String name, JsonNumber number, String bound, String remedy) {
        faults.add(
                FaultCode.OUT_OF_RANGE,
                pointer(name),
                Quoted.text(name) + " must be " + bound + ", but is " + Quoted.cut(number.toString(), 30),
                remedy);
    }

    private void refuse(String name, Nearest nearest) {
        Optional<Format> home = format.home(name);
        String otherwise = home.map(it -> "it belongs in " + it.place())
                .orElseGet(() -> format.title() + " has "
                        + Quoted.choice(format.properties()).replace(" or ", " and "));
        String remedy =
                home.isPresent() ? otherwise : nearest.orElse(name, format.properties(), "remove it; " + otherwise);
        faults.addAtName(
                FaultCode.UNKNOWN_PROPERTY,
                pointer(name),
                format.title() + " has no property " + Quoted.text(name),
                remedy);
    }

    private static boolean whole(JsonNumber number) {
        return number.decimalValue().stripTrailingZeros().scale() <= 0;
    }
}
