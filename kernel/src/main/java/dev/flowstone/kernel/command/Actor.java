package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

/**
 * Who caused an event.
 *
 * @param kind {@code user}, {@code service}, {@code engine}
 * @param id the name in that kind
 */
public record Actor(String kind, String id) {
    /** The engine itself: timers, recovery, routing. */
    public static final Actor ENGINE = new Actor("engine", "flowstone");

    public Actor {
        requireNonNull(kind);
        requireNonNull(id);
    }

    @Override
    public String toString() {
        return kind + ":" + id;
    }
}
