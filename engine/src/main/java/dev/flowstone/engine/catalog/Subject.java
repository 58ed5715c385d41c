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

    /** Of an action: the part of its name before the first dot. */
    public static Subject connectorOf(String action) {
        int dot = action.indexOf('.');
        return connector(dot < 0 ? action : action.substring(0, dot));
    }

    /** Of which kind. */
    public enum Kind {
        ACTION,
        CONNECTOR
    }
}
