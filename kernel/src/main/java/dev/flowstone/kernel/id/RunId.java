package dev.flowstone.kernel.id;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run's name: a UUIDv7 (RFC 9562) whose 12 bits after the version hold the run's {@link Slot}. So the id alone tells
 * the run's birth, hence its partition, and its slot, hence its shard.
 */
public record RunId(UUID value) implements Comparable<RunId> {
    public RunId {
        requireNonNull(value);
        if (value.version() != 7 || value.variant() != 2) {
            throw new IllegalArgumentException("a run id is a UUIDv7, not " + value);
        }
    }

    /**
     * The id of a run born now.
     *
     * @param random 62 bits of it are used
     */
    public static RunId of(Instant birth, Slot slot, long random) {
        long high = (birth.toEpochMilli() << 16) | 0x7000L | slot.number();
        long low = (random & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new RunId(new UUID(high, low));
    }

    /** Reads the usual form of 36 characters; anything but a UUIDv7 is an {@link IllegalArgumentException}. */
    public static RunId parse(String text) {
        if (text.length() != 36) {
            throw new IllegalArgumentException("a run id is a UUID of 36 characters");
        }
        return new RunId(UUID.fromString(text));
    }

    public Slot slot() {
        return new Slot((int) (value.getMostSignificantBits() & 0xfff));
    }

    public Instant birth() {
        return Instant.ofEpochMilli(value.getMostSignificantBits() >>> 16);
    }

    // Written out: it is asked many times a decision, and the generated one takes several calls.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunId that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /** Unsigned, hence by birth; the order of PostgreSQL's {@code uuid}. */
    @Override
    public int compareTo(RunId other) {
        int high = Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
