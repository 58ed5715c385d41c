package dev.flowstone.sdk.client;

import java.util.List;

/**
 * What a call did to an execution; it is on disk.
 *
 * @param lastSequence number of the execution's last event
 * @param events kinds of those that the call caused, 100 at most
 * @param repeated whether it was made before under its key, so that it changed nothing now
 * @param buffered whether the execution is suspended: it is recorded, and decided when it is resumed
 */
public record Acted(String executionId, long lastSequence, List<String> events, boolean repeated, boolean buffered) {
    public Acted {
        events = List.copyOf(events);
    }

    static Acted read(Tree tree) {
        return new Acted(
                tree.text("executionId"),
                tree.number("lastSeq"),
                tree.texts("events"),
                tree.flag("repeated"),
                tree.flag("buffered"));
    }
}
