package dev.flowstone.engine.start;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Where a request id belongs that is about no subject: the first 12 bits of SHA-256 over the UTF-8 bytes of tenant and id, each behind its
 * length as four bytes. Fixed for ever: a receipt is found only where it was left.
 */
public final class RequestSlot {
    private RequestSlot() {}

    public static Slot of(TenantId tenant, String requestId) {
        byte[] first = tenant.value().getBytes(StandardCharsets.UTF_8);
        byte[] second = requestId.getBytes(StandardCharsets.UTF_8);
        byte[] digest =
                Sha256.digest(length(first), first, length(second), second).bytes();
        return new Slot((digest[0] & 0xff) << 4 | (digest[1] & 0xf0) >> 4);
    }

    private static byte[] length(byte[] bytes) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array();
    }
}
