package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** A trigger's name, unique in the installation: a webhook's address has nothing else. */
public record TriggerId(UUID value) {
    private static final int LENGTH = 36;

    public TriggerId {
        requireNonNull(value);
    }

    public static TriggerId random() {
        return new TriggerId(UUID.randomUUID());
    }

    /** The one of this name, the same wherever it is asked for: what is made again under its name is one thing. */
    public static TriggerId named(String name) {
        ByteBuffer bytes = ByteBuffer.wrap(
                Sha256.digest(name.getBytes(StandardCharsets.UTF_8)).bytes());
        long high = (bytes.getLong() & 0xffff_ffff_ffff_0fffL) | 0x8000L;
        long low = (bytes.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new TriggerId(new UUID(high, low));
    }

    /** Reads the usual form, in lower case; anything else is an {@link IllegalArgumentException}. */
    public static TriggerId parse(String text) {
        if (text.length() == LENGTH) {
            UUID value = UUID.fromString(text);
            if (value.toString().equals(text)) {
                return new TriggerId(value);
            }
        }
        throw new IllegalArgumentException("a trigger's id is a UUID of 36 characters in lower case");
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
