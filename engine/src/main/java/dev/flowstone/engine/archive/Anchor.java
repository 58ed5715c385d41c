package dev.flowstone.engine.archive;

import dev.flowstone.engine.verify.EntrySource.Head;
import dev.flowstone.kernel.id.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * One hash for all chains of a file: SHA-256 over each run in order, its tenant in UTF-8 behind the length (4 bytes), the 16
 * bytes of its id, its last event's number (8 bytes) and hash (32 bytes). Whoever keeps the anchor elsewhere can tell
 * whether a file is the one that was made.
 */
final class Anchor {
    private final MessageDigest digest = Sha256.newDigest();

    void add(Head head) {
        byte[] tenant = head.run().tenant().value().getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(4 + tenant.length + 24)
                .putInt(tenant.length)
                .put(tenant)
                .putLong(head.run().run().value().getMostSignificantBits())
                .putLong(head.run().run().value().getLeastSignificantBits())
                .putLong(head.lastSequence())
                .flip());
        head.lastHash().feed(digest);
    }

    /** Of all that were added; call it once. */
    Sha256 end() {
        return Sha256.of(digest);
    }
}
