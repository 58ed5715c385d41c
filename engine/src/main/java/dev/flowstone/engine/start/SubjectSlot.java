package dev.flowstone.engine.start;

import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Where a subject lives, and all runs that are bound to it: the first 12 bits of SHA-256 over the UTF-8 bytes of tenant, kind
 * and id, each behind its length as four bytes. Fixed for ever.
 */
public final class SubjectSlot {
    private SubjectSlot() {}

    public static Slot of(SubjectKey key) {
        byte[] tenant = bytes(key.tenant().value());
        byte[] kind = bytes(key.subject().kind());
        byte[] id = bytes(key.subject().id());
        byte[] digest = Sha256.digest(length(tenant), tenant, length(kind), kind, length(id), id)
                .bytes();
        return new Slot((digest[0] & 0xff) << 4 | (digest[1] & 0xf0) >> 4);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] length(byte[] bytes) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array();
    }
}
