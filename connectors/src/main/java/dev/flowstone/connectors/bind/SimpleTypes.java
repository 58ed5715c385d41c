package dev.flowstone.connectors.bind;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Schemas of types without parts. Formats are told to editors; whether a text has one is found when it is bound. */
final class SimpleTypes {
    private static final Map<Class<?>, JsonObject> ALL = all();

    private SimpleTypes() {}

    static Optional<JsonObject> schema(Class<?> type) {
        return Optional.ofNullable(ALL.get(type));
    }

    private static Map<Class<?>, JsonObject> all() {
        Map<Class<?>, JsonObject> all = new LinkedHashMap<>();
        all.put(String.class, type("string"));
        all.put(byte[].class, with("contentEncoding", "base64"));
        all.put(URI.class, with("format", "uri"));
        all.put(UUID.class, with("format", "uuid"));
        all.put(Duration.class, with("format", "duration"));
        all.put(LocalDate.class, with("format", "date"));
        all.put(LocalTime.class, with("format", "time"));
        all.put(LocalDateTime.class, type("string"));
        for (Class<?> instant : List.of(Instant.class, OffsetDateTime.class, ZonedDateTime.class)) {
            all.put(instant, with("format", "date-time"));
        }
        for (Class<?> truth : List.of(boolean.class, Boolean.class)) {
            all.put(truth, type("boolean"));
        }
        for (Class<?> whole : List.of(int.class, Integer.class)) {
            all.put(whole, between(Integer.MIN_VALUE, Integer.MAX_VALUE));
        }
        for (Class<?> whole : List.of(long.class, Long.class)) {
            all.put(whole, between(Long.MIN_VALUE, Long.MAX_VALUE));
        }
        all.put(BigInteger.class, type("integer"));
        for (Class<?> number : List.of(double.class, Double.class, BigDecimal.class)) {
            all.put(number, type("number"));
        }
        all.put(JsonNode.class, JsonObject.EMPTY);
        all.put(Object.class, JsonObject.EMPTY);
        all.put(ObjectNode.class, type("object"));
        all.put(ArrayNode.class, type("array"));
        return Map.copyOf(all);
    }

    private static JsonObject type(String name) {
        return JsonObject.builder().put("type", name).build();
    }

    private static JsonObject with(String keyword, String value) {
        return JsonObject.builder().put("type", "string").put(keyword, value).build();
    }

    private static JsonObject between(long least, long most) {
        return JsonObject.builder()
                .put("type", "integer")
                .put("minimum", JsonNumber.of(least))
                .put("maximum", JsonNumber.of(most))
                .build();
    }
}
