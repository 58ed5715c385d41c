package dev.flowstone.triggers.event;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Where events come from. */
public enum EventSource {
    /** From executions of this tenant. */
    ENGINE,
    /** From whoever sends them. */
    EXTERNAL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<EventSource> of(String word) {
        return Arrays.stream(values())
                .filter(source -> source.toString().equals(word))
                .findFirst();
    }
}
