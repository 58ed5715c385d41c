package dev.flowstone.kernel.event;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;
import java.util.List;

/**
 * The events of one decision as they are stored: a frame with the header, then one frame for each event, each frame a
 * canonical JSON document behind its length (4 bytes, the highest first). The hash of event i is
 * {@code SHA-256(hash of event i-1 ‖ header frame ‖ frame i)}, lengths included, so that it covers exactly what is stored
 * and everything before.
 *
 * @param bytes the frames; never change them
 * @param hash of the last event
 */
@SuppressWarnings("ArrayRecordComponent")
public record JournalEntry(long firstSequence, long lastSequence, byte[] bytes, Sha256 hash) {
    public JournalEntry {
        requireNonNull(bytes);
        requireNonNull(hash);
    }

    /** Encodes a decision's events behind the chain's last hash. */
    public static JournalEntry encode(EventHeader header, List<EventBody> bodies, Sha256 previousHash) {
        EntryWriter writer = new EntryWriter(header, previousHash);
        for (EventBody body : bodies) {
            writer.append(body, Integer.MAX_VALUE);
        }
        return writer.finish();
    }

    /**
     * Decodes stored bytes and recomputes the chain.
     *
     * @throws NewerEntryException if they are of a form that this release doesn't know
     * @throws CorruptEntryException if the bytes are no entry, or don't begin at {@code firstSequence}
     */
    public static List<Event> decode(byte[] bytes, long firstSequence, Sha256 previousHash)
            throws CorruptEntryException {
        return new EntryReader(bytes).read(firstSequence, previousHash);
    }
}
