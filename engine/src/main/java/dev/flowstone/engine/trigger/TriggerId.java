package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/** A trigger's name, unique in the installation: a webhook's address has nothing else. */
public record TriggerId(UUID value) {
    private static final int LENGTH = 36;

    public TriggerId {
        requireNonNull(value);
    }

    public static TriggerId random() {
        return new TriggerId(UUID.randomUUID());
    }

    /** Reads the usual form, in lower case; anything else is an {@link IllegalArgumentException}. */
    public static TriggerId parse(String text) {
        if (text.length() == LENGTH) {
            UUID value = UUID.fromString(text);
            if (value.toString().equals(text)) {
                return new TriggerId(value);
            }
        }
        throw new IllegalArgumentException("a trigger's id is a UUID of 36 characters in lower case");
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
