package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.util.Optional;

/**
 * Whose child a run is, read off the header of its first decision: lists show it for many runs, whose inputs nobody wants to
 * read for that. The letter that began a child is its header's causation, {@code sender/number}. It is not recomputed:
 * whoever must be sure reads the history.
 */
public final class ChildBeginning {
    /** So many bytes hold any header: a few names of 200 characters, each of at most six bytes. */
    public static final int BYTES = 16_384;

    private ChildBeginning() {}

    /** The run whose letter began this one; empty if a caller did, or if it can't be read. */
    public static Optional<RunId> parent(byte[] header) {
        try {
            EventHeader read = HeaderCodec.read(JsonCursor.of(JsonParser.parse(header)));
            return read.actor().equals(Actor.ENGINE)
                    ? read.causation().flatMap(ChildBeginning::sender)
                    : Optional.empty();
        } catch (JsonSyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<RunId> sender(String causation) {
        int slash = causation.indexOf('/');
        if (slash < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(RunId.parse(causation.substring(0, slash)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
