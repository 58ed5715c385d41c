package dev.flowstone.connectors.bind;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.annotation.Annotation;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A record's components as members of JSON. */
final class Components {
    private static final List<String> JACKSON = List.of("com.fasterxml.jackson.annotation.", "tools.jackson.");

    private Components() {}

    /** As Jackson names it. */
    static String name(RecordComponent component) {
        @Nullable JsonProperty renamed = component.getAccessor().getAnnotation(JsonProperty.class);
        return renamed == null || renamed.value().isEmpty() ? component.getName() : renamed.value();
    }

    /** As Jackson reads it. */
    static String name(Enum<?> constant) {
        try {
            @Nullable
            JsonProperty renamed =
                    constant.getDeclaringClass().getField(constant.name()).getAnnotation(JsonProperty.class);
            return renamed == null || renamed.value().isEmpty() ? constant.name() : renamed.value();
        } catch (NoSuchFieldException e) {
            throw new IllegalArgumentException(
                    constant.getDeclaringClass().getName() + " has constants without fields", e);
        }
    }

    /** Others would have Jackson read what the schema doesn't say. */
    static void checkAnnotations(Class<?> type, RecordComponent component, String at) {
        Stream.of(type, component.getAccessor())
                .flatMap(it -> Arrays.stream(it.getAnnotations()))
                .map(Annotation::annotationType)
                .filter(it -> it != JsonProperty.class)
                .filter(it -> JACKSON.stream().anyMatch(it.getName()::startsWith))
                .findFirst()
                .ifPresent(it -> {
                    throw new IllegalArgumentException(at + " has Jackson's @" + it.getSimpleName()
                            + ", which its schema doesn't know: of them there is @JsonProperty alone");
                });
    }

    static boolean isOptional(RecordComponent component) {
        return component.getType() == Optional.class;
    }
}
