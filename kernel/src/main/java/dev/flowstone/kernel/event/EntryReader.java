package dev.flowstone.kernel.event;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads one entry's frames and recomputes its links. */
final class EntryReader {
    private final byte[] bytes;
    private int at;

    EntryReader(byte[] bytes) {
        this.bytes = bytes;
    }

    List<Event> read(long firstSequence, Sha256 previousHash) throws CorruptEntryException {
        try {
            return events(firstSequence, previousHash);
        } catch (UnknownFormException e) {
            throw new NewerEntryException(String.valueOf(e.getMessage()), lastHash(previousHash));
        }
    }

    /** Whatever the frames say. */
    private Sha256 lastHash(Sha256 previousHash) throws CorruptEntryException {
        at = 0;
        skip("header");
        int headerEnd = at;
        MessageDigest digest = Sha256.newDigest();
        Sha256 hash = previousHash;
        while (at < bytes.length) {
            int start = at;
            skip("event");
            hash = Chain.link(digest, hash, bytes, 0, headerEnd, start, at - start);
        }
        return hash;
    }

    private List<Event> events(long firstSequence, Sha256 previousHash) throws CorruptEntryException {
        JsonCursor document = frame("header");
        int headerEnd = at;
        EventHeader header = header(document);
        if (header.firstSequence() != firstSequence) {
            throw new CorruptEntryException(
                    "expected event " + firstSequence + ", the entry begins at " + header.firstSequence());
        }
        List<Event> events = new ArrayList<>();
        MessageDigest digest = Sha256.newDigest();
        Sha256 previous = previousHash;
        while (at < bytes.length) {
            long sequence = firstSequence + events.size();
            int start = at;
            EventBody body = body(frame("event " + sequence), sequence);
            Sha256 hash = Chain.link(digest, previous, bytes, 0, headerEnd, start, at - start);
            events.add(new Event(header, sequence, previous, hash, body));
            previous = hash;
        }
        if (events.isEmpty()) {
            throw new CorruptEntryException("the entry at event " + firstSequence + " holds no event");
        }
        return List.copyOf(events);
    }

    private static EventHeader header(JsonCursor document) throws CorruptEntryException {
        try {
            return HeaderCodec.read(document);
        } catch (UnknownFormException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new CorruptEntryException("the header: " + e.getMessage());
        }
    }

    private static EventBody body(JsonCursor document, long sequence) throws CorruptEntryException {
        try {
            return BodyCodec.read(document);
        } catch (UnknownFormException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new CorruptEntryException("event " + sequence + ": " + e.getMessage());
        }
    }

    private JsonCursor frame(String what) throws CorruptEntryException {
        int start = skip(what);
        try {
            return JsonCursor.of(JsonParser.parse(Arrays.copyOfRange(bytes, start, at), JsonLimits.STORED));
        } catch (JsonSyntaxException e) {
            throw new CorruptEntryException(what + ": " + e.getMessage());
        }
    }

    /** Goes behind a frame; where its document begins. */
    private int skip(String what) throws CorruptEntryException {
        if (bytes.length - at < 4) {
            throw new CorruptEntryException(what + ": cut off in its length, at byte " + at);
        }
        int length = (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | (bytes[at + 3] & 0xff);
        int start = at + 4;
        if (length < 0 || length > bytes.length - start) {
            throw new CorruptEntryException(
                    what + ": " + length + " bytes announced, " + (bytes.length - start) + " left");
        }
        at = start + length;
        return start;
    }
}
