package dev.flowstone.kernel.payload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonValue;

/**
 * A value that an event carries. A third form is reserved from the first version: {@code sealed}, a ciphertext with the
 * id of its key, which the hash chain covers as it stands, so that erasing a key keeps every chain whole.
 */
public sealed interface Payload {
    static Payload of(JsonValue value) {
        return new Inline(value);
    }

    /** The value itself. */
    record Inline(JsonValue value) implements Payload {
        public Inline {
            requireNonNull(value);
        }
    }

    /**
     * A value above the declared inline bound.
     *
     * @param hash of its canonical exact form, the key in the payload store
     * @param bytes length of that form
     */
    record Stored(Sha256 hash, long bytes) implements Payload {
        public Stored {
            requireNonNull(hash);
        }
    }
}
