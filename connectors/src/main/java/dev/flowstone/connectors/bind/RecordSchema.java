package dev.flowstone.connectors.bind;

import dev.flowstone.action.Param;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The JSON Schema (draft-07) that the values of a record satisfy. Strict: it knows all members, and demands those that aren't optional. */
public final class RecordSchema {
    /** Those around the one that is looked at: a record inside itself would have no end. */
    private final Set<Class<?>> open = new LinkedHashSet<>();

    private RecordSchema() {}

    /**
     * Of a record; of anything else that which every value satisfies, if it is JSON itself.
     *
     * @throws IllegalArgumentException if a component is of a type that has no schema, or the record contains itself; it names the
     *     component
     */
    public static JsonObject of(Class<?> type) {
        return new RecordSchema().schema(type, type.getSimpleName());
    }

    private JsonObject object(Class<?> type, String at) {
        if (!open.add(type)) {
            throw new IllegalArgumentException(at + " contains itself: take a JsonNode there");
        }
        Map<String, JsonValue> properties = new LinkedHashMap<>();
        List<JsonValue> required = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = Components.name(component);
            Components.checkAnnotations(type, component, at + "." + component.getName());
            properties.put(name, component(component, at + "." + component.getName()));
            if (!Components.isOptional(component)) {
                required.add(new JsonString(name));
            }
        }
        open.remove(type);
        JsonObject.Builder schema =
                JsonObject.builder().put("type", "object").put("properties", JsonObject.of(properties));
        if (!required.isEmpty()) {
            schema.put("required", new JsonArray(required));
        }
        return schema.put("additionalProperties", JsonBoolean.of(false)).build();
    }

    private JsonObject component(RecordComponent component, String at) {
        JsonObject plain = schema(component.getGenericType(), at);
        @Nullable Param said = component.getAnnotation(Param.class);
        if (said == null) {
            return plain;
        }
        JsonObject.Builder schema = JsonObject.builder();
        plain.members().forEach(schema::put);
        if (!said.value().isEmpty()) {
            schema.put("description", said.value());
        }
        if (Double.isFinite(said.min())) {
            schema.put("minimum", JsonNumber.of(said.min()));
        }
        if (Double.isFinite(said.max())) {
            schema.put("maximum", JsonNumber.of(said.max()));
        }
        boolean list = new JsonString("array").equals(plain.get("type"));
        if (said.minLength() > 0) {
            schema.put(list ? "minItems" : "minLength", said.minLength());
        }
        if (said.maxLength() < Integer.MAX_VALUE) {
            schema.put(list ? "maxItems" : "maxLength", said.maxLength());
        }
        if (!said.pattern().isEmpty()) {
            schema.put("pattern", said.pattern());
        }
        return schema.build();
    }

    private JsonObject schema(Type type, String at) {
        if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
            return generic(raw, generic.getActualTypeArguments(), at);
        }
        if (!(type instanceof Class<?> plain)) {
            throw unknown(type, at);
        }
        if (plain.isRecord()) {
            return object(plain, at);
        }
        if (plain.isEnum()) {
            List<JsonValue> names = Arrays.stream(plain.getEnumConstants())
                    .<JsonValue>map(it -> new JsonString(Components.name((Enum<?>) it)))
                    .toList();
            return JsonObject.builder()
                    .put("type", "string")
                    .put("enum", new JsonArray(names))
                    .build();
        }
        if (plain.isArray() && plain != byte[].class) {
            return items(plain.getComponentType(), at);
        }
        return SimpleTypes.schema(plain).orElseThrow(() -> unknown(type, at));
    }

    private JsonObject generic(Class<?> raw, Type[] arguments, String at) {
        if (raw == Optional.class) {
            return schema(arguments[0], at);
        }
        if (Iterable.class.isAssignableFrom(raw)) {
            return items(arguments[0], at);
        }
        if (Map.class.isAssignableFrom(raw) && arguments[0] == String.class) {
            return JsonObject.builder()
                    .put("type", "object")
                    .put("additionalProperties", schema(arguments[1], at))
                    .build();
        }
        throw unknown(raw, at);
    }

    private JsonObject items(Type type, String at) {
        return JsonObject.builder()
                .put("type", "array")
                .put("items", schema(type, at))
                .build();
    }

    private static IllegalArgumentException unknown(Type type, String at) {
        return new IllegalArgumentException(at + " is a " + type.getTypeName()
                + ", which has no schema: take a record, a text, a number, a boolean, an enum, a time, a List, a Map by"
                + " String, an Optional or a JsonNode");
    }
}
