package dev.flowstone.sdk.client;

import java.util.Locale;

/** What sets a trigger off. */
public enum TriggerType {
    WEBHOOK,
    SCHEDULE,
    EVENT,
    MANUAL,
    /** Something that this release of the library doesn't know. */
    UNKNOWN;

    String wire() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
}
