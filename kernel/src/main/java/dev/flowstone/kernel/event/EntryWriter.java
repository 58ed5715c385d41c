package dev.flowstone.kernel.event;

import dev.flowstone.kernel.id.Sha256;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Encodes one decision's events as they are made, each once, and links them into the chain. Not thread-safe. */
public final class EntryWriter {
    private final FrameOutput out = new FrameOutput();
    private final MessageDigest digest = Sha256.newDigest();
    private final EventHeader header;
    private final int headerEnd;
    private final long firstSequence;
    private long nextSequence;
    private Sha256 lastHash;

    /**
     * Begins an entry.
     *
     * @throws IllegalArgumentException if the header holds text that has no UTF-8 form
     */
    public EntryWriter(EventHeader header, Sha256 previousHash) {
        this.header = header;
        this.firstSequence = header.firstSequence();
        this.nextSequence = firstSequence;
        this.lastHash = previousHash;
        int start = out.beginFrame();
        HeaderCodec.write(out, header);
        out.endFrame(start);
        this.headerEnd = out.size();
    }

    /** Length of the header's frame. */
    public int headerBytes() {
        return headerEnd;
    }

    /**
     * The event, or null (and nothing is written) if its frame would be longer than that.
     *
     * @throws IllegalArgumentException if it holds text that has no UTF-8 form; nothing is written then
     */
    public @Nullable Event append(EventBody body, int maxBytes) {
        int start = out.beginFrame();
        try {
            BodyCodec.write(out, body);
        } catch (IllegalArgumentException e) {
            out.truncate(start);
            throw e;
        }
        out.endFrame(start);
        if (out.size() - start > maxBytes) {
            out.truncate(start);
            return null;
        }
        Sha256 previous = lastHash;
        lastHash = Chain.link(digest, previous, out.array(), 0, headerEnd, start, out.size() - start);
        return new Event(header, nextSequence++, previous, lastHash, body);
    }

    public boolean isEmpty() {
        return nextSequence == firstSequence;
    }

    /** The entry; there must be an event in it. */
    public JournalEntry finish() {
        if (isEmpty()) {
            throw new IllegalStateException("an entry holds at least one event");
        }
        return new JournalEntry(firstSequence, nextSequence - 1, out.toByteArray(), lastHash);
    }
}
