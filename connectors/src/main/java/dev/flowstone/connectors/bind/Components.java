package dev.flowstone.connectors.bind;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.RecordComponent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A record's components as members of JSON. */
final class Components {
    private Components() {}

    /** As Jackson names it. */
    static String name(RecordComponent component) {
        @Nullable JsonProperty renamed = component.getAccessor().getAnnotation(JsonProperty.class);
        return renamed == null || renamed.value().isEmpty() ? component.getName() : renamed.value();
    }

    static boolean isOptional(RecordComponent component) {
        return component.getType() == Optional.class;
    }
}
