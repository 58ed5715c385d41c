package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

/**
 * Who caused an event.
 *
 * @param kind {@code user}, {@code service}, {@code trigger}, {@code engine}; holds no colon
 * @param id the name in that kind
 */
public record Actor(String kind, String id) {
    /** The engine itself: timers, recovery, routing. */
    public static final Actor ENGINE = new Actor("engine", "flowstone");

    public Actor {
        requireNonNull(kind);
        requireNonNull(id);
        if (kind.isEmpty() || kind.indexOf(':') >= 0) {
            throw new IllegalArgumentException("an actor's kind is a word without a colon, not '" + kind + "'");
        }
    }

    /** Reads {@code kind:id}. */
    public static Actor parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("an actor is written kind:id, not " + text);
        }
        return new Actor(text.substring(0, colon), text.substring(colon + 1));
    }

    @Override
    public String toString() {
        return kind + ":" + id;
    }
}
