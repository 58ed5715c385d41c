package dev.flowstone.sdk.client;

import java.util.List;

/** How the server fares. */
public interface Health {
    /** Whether its process answers. Is asked once, without repeating. */
    boolean isLive();

    /** Whether it takes commands. Is asked once, without repeating; what can't be reached isn't ready. */
    boolean isReady();

    /** How it and its database fare; takes the scope {@code metrics:read}. */
    Vitals vitals();

    /** Of everything the worst, and each. */
    record Vitals(Mark status, List<Vital> items) {
        public Vitals {
            items = List.copyOf(items);
        }
    }

    /**
     * How one thing fares.
     *
     * @param detail what that is, and in which unit its value and limit are
     * @param advice what to do
     */
    record Vital(String item, Mark status, double value, double limit, String detail, String advice) {}

    /** How bad it is. */
    enum Mark {
        OK,
        WARN,
        FAIL,
        /** One that this release of the library doesn't know. */
        UNKNOWN
    }
}
