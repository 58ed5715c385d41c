package dev.flowstone.kernel.payload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;

/**
 * What a {@link Payload.Stored} refers to.
 *
 * @param hash of the bytes
 * @param bytes canonical exact JSON; never change them
 */
@SuppressWarnings("ArrayRecordComponent")
public record Content(Sha256 hash, byte[] bytes) {
    public Content {
        requireNonNull(hash);
        requireNonNull(bytes);
    }
}
