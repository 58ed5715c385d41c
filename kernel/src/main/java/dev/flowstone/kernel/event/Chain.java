package dev.flowstone.kernel.event;

import dev.flowstone.kernel.id.Sha256;
import java.security.MessageDigest;

/** The hash chain: {@code SHA-256(previous ‖ header frame ‖ event frame)}, where a frame includes its length. */
final class Chain {
    private Chain() {}

    static Sha256 link(
            MessageDigest digest, Sha256 previous, byte[] bytes, int headerAt, int headerLength, int at, int length) {
        previous.feed(digest);
        digest.update(bytes, headerAt, headerLength);
        digest.update(bytes, at, length);
        return Sha256.of(digest);
    }
}
