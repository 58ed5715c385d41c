package dev.flowstone.engine.catalog;

import static java.util.Objects.requireNonNull;

/** What may be turned off: an action, or a connector with all its actions. */
public record Subject(Kind kind, String id) {
    public Subject {
        requireNonNull(kind);
        requireNonNull(id);
    }

    public static Subject action(String id) {
        return new Subject(Kind.ACTION, id);
    }

    public static Subject connector(String id) {
        return new Subject(Kind.CONNECTOR, id);
    }

    /** Of which kind. */
    public enum Kind {
        ACTION,
        CONNECTOR
    }
}
