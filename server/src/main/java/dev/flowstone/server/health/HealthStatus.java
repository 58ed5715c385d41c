package dev.flowstone.server.health;

import java.util.Locale;

/** How an item fares; the later, the worse. */
public enum HealthStatus {
    OK,
    WARN,
    FAIL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The worse of two. */
    HealthStatus or(HealthStatus other) {
        return compareTo(other) < 0 ? other : this;
    }
}
