package dev.flowstone.engine.journal;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.payload.Content;

/**
 * Content in the payload store.
 *
 * @param hash of the bytes
 * @param bytes canonical exact JSON; never change them
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredPayload(Sha256 hash, byte[] bytes) {
    public static StoredPayload of(Content content) {
        return new StoredPayload(content.hash(), content.bytes());
    }
}
