package dev.flowstone.engine.action;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import java.util.Optional;

/** Reads rendered parameters leniently: a number may have come out of a template as text. */
final class Parameters {
    private final JsonObject members;

    Parameters(JsonValue input) {
        this.members = input instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    Optional<String> text(String name) {
        return members.find(name).filter(JsonString.class::isInstance).map(value -> ((JsonString) value).value());
    }

    /** A whole number of at least zero; empty if there is none. */
    Optional<Long> count(String name) {
        return members.find(name).flatMap(value -> switch (value) {
            case JsonNumber number -> whole(number.decimalValue());
            case JsonString text -> parse(text.value());
            default -> Optional.empty();
        });
    }

    private static Optional<Long> parse(String text) {
        return text.matches("[0-9]{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }

    private static Optional<Long> whole(BigDecimal number) {
        boolean fits = number.signum() >= 0 && number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
        return fits ? Optional.of(number.longValue()) : Optional.empty();
    }
}
