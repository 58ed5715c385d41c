package dev.flowstone.postgres;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * A PostgreSQL array in its binary form, encoded straight from rows: one column of a set-based statement. The driver's own
 * arrays would box every element and send {@code uuid[]} as text.
 *
 * <p>Form: dimensions, null flag, element type, length, lower bound, then each element behind its length, all in network
 * order; {@code array_recv} in PostgreSQL's {@code arrayfuncs.c}.
 */
@SuppressWarnings("ByteBufferBackingArray") // every buffer here is allocated here
final class BinaryArray extends PGobject implements PGBinaryObject {
    /** The types whose arrays the driver sends as text unless told; see {@code binaryTransferEnable}. */
    static final String ALSO_BINARY = "UUID_ARRAY,BOOL_ARRAY,TIMESTAMPTZ_ARRAY";

    private static final long serialVersionUID = 1L;
    private static final int BOOL = 16;
    private static final int BYTEA = 17;
    private static final int INT8 = 20;
    private static final int INT2 = 21;
    private static final int INT4 = 23;
    private static final int TEXT = 25;
    private static final int TIMESTAMPTZ = 1184;
    private static final int UUID = 2950;
    private static final int HEADER = 20;
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");
    private static final long MOST_SECONDS = (1L << 62) / 1_000_000 - 1;

    private final byte[] encoded;

    private BinaryArray(String typeName, byte[] encoded) {
        this.type = typeName;
        this.encoded = encoded;
    }

    /** Text that UTF-8 can't say (a lone surrogate) is an {@link UnstorableValueException}. */
    static <T> BinaryArray texts(List<T> rows, Function<? super T, String> column) {
        return variable("_text", TEXT, rows, row -> utf8(column.apply(row)));
    }

    static <T> BinaryArray bytes(List<T> rows, Function<? super T, byte[]> column) {
        return variable("_bytea", BYTEA, rows, column);
    }

    static <T> BinaryArray uuids(List<T> rows, Function<? super T, UUID> column) {
        ByteBuffer out = fixed(UUID, rows.size(), 16);
        for (T row : rows) {
            UUID value = column.apply(row);
            out.putInt(16).putLong(value.getMostSignificantBits()).putLong(value.getLeastSignificantBits());
        }
        return new BinaryArray("_uuid", out.array());
    }

    static <T> BinaryArray longs(List<T> rows, ToLongFunction<? super T> column) {
        ByteBuffer out = fixed(INT8, rows.size(), 8);
        for (T row : rows) {
            out.putInt(8).putLong(column.applyAsLong(row));
        }
        return new BinaryArray("_int8", out.array());
    }

    static <T> BinaryArray ints(List<T> rows, ToIntFunction<? super T> column) {
        ByteBuffer out = fixed(INT4, rows.size(), 4);
        for (T row : rows) {
            out.putInt(4).putInt(column.applyAsInt(row));
        }
        return new BinaryArray("_int4", out.array());
    }

    static <T> BinaryArray shorts(List<T> rows, ToIntFunction<? super T> column) {
        ByteBuffer out = fixed(INT2, rows.size(), 2);
        for (T row : rows) {
            out.putInt(2).putShort((short) column.applyAsInt(row));
        }
        return new BinaryArray("_int2", out.array());
    }

    static <T> BinaryArray booleans(List<T> rows, Predicate<? super T> column) {
        ByteBuffer out = fixed(BOOL, rows.size(), 1);
        for (T row : rows) {
            out.putInt(1).put((byte) (column.test(row) ? 1 : 0));
        }
        return new BinaryArray("_bool", out.array());
    }

    /** Microseconds; what is finer is cut off. */
    static <T> BinaryArray times(List<T> rows, Function<? super T, @Nullable Instant> column) {
        ByteBuffer out = fixed(TIMESTAMPTZ, rows.size(), 8);
        int nulls = 0;
        for (T row : rows) {
            Instant value = column.apply(row);
            if (value == null) {
                nulls++;
                out.putInt(-1);
            } else {
                out.putInt(8).putLong(micros(value));
            }
        }
        if (nulls > 0) {
            out.putInt(4, 1);
        }
        return new BinaryArray("_timestamptz", Arrays.copyOf(out.array(), out.position()));
    }

    /** Since PostgreSQL's epoch; a time beyond what its timestamps can reach is an {@link UnstorableValueException}. */
    private static long micros(Instant value) {
        // Java's own times reach far less than 2^62 seconds, but further than 2^62 microseconds.
        long seconds = value.getEpochSecond() - EPOCH.getEpochSecond();
        if (Math.abs(seconds) > MOST_SECONDS) {
            throw new UnstorableValueException("the time " + value + " is beyond what the database can keep");
        }
        return seconds * 1_000_000 + value.getNano() / 1_000;
    }

    private static ByteBuffer fixed(int elementType, int count, int elementLength) {
        ByteBuffer out = ByteBuffer.allocate(count == 0 ? 12 : HEADER + count * (4 + elementLength));
        return header(out, elementType, count);
    }

    private static ByteBuffer header(ByteBuffer out, int elementType, int count) {
        out.putInt(count == 0 ? 0 : 1).putInt(0).putInt(elementType);
        return count == 0 ? out : out.putInt(count).putInt(1);
    }

    private static <T> BinaryArray variable(
            String typeName, int elementType, List<T> rows, Function<? super T, byte[]> column) {
        int count = rows.size();
        byte[][] elements = new byte[count][];
        long length = count == 0 ? 12 : HEADER;
        for (int i = 0; i < count; i++) {
            elements[i] = column.apply(rows.get(i));
            length += 4L + elements[i].length;
        }
        if (length > 1 << 30) {
            throw new UnstorableValueException("one statement carries at most 1 GiB in a column");
        }
        ByteBuffer out = header(ByteBuffer.allocate((int) length), elementType, count);
        for (byte[] element : elements) {
            out.putInt(element.length).put(element);
        }
        return new BinaryArray(typeName, out.array());
    }

    static byte[] utf8(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                return strictUtf8(text);
            }
            if (c == 0) {
                throw new UnstorableValueException("the database keeps no NUL in text");
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] strictUtf8(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new UnstorableValueException("the database keeps no lone surrogate in text", e);
        }
    }

    @Override
    public void setByteValue(byte[] value, int offset) {
        throw new UnsupportedOperationException("only ever sent");
    }

    @Override
    public int lengthInBytes() {
        return encoded.length;
    }

    @Override
    public void toBytes(byte[] bytes, int offset) {
        System.arraycopy(encoded, 0, bytes, offset, encoded.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public Object clone() throws CloneNotSupportedException {
        throw new CloneNotSupportedException();
    }
}
