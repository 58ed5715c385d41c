package dev.flowstone.kernel.payload;

import dev.flowstone.kernel.json.CanonicalJson;

/** How long a value is, wherever it stands. */
public final class PayloadSize {
    private PayloadSize() {}

    /** Bytes of the canonical exact form; costs as much as the value is long if it is inline. */
    public static long of(Payload payload) {
        return switch (payload) {
            case Payload.Inline inline -> CanonicalJson.exactLength(inline.value());
            case Payload.Stored stored -> stored.bytes();
        };
    }
}
