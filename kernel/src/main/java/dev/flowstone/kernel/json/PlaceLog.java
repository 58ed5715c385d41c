package dev.flowstone.kernel.json;

import java.util.Arrays;

/**
 * Where the values of a document begin, in reading order: three ints per value and no text. A value's subtree is the
 * range from its ordinal to {@link #after}, so that a pointer is resolved by walking from the root over siblings.
 */
final class PlaceLog {
    private int[] values = new int[64];
    private int[] names = new int[64];
    private int[] ends = new int[64];
    private int count;

    /** A value begins; what is not a container ends at once. */
    void begin(int nameOffset, int valueOffset) {
        if (count == values.length) {
            values = Arrays.copyOf(values, count * 2);
            names = Arrays.copyOf(names, count * 2);
            ends = Arrays.copyOf(ends, count * 2);
        }
        values[count] = valueOffset;
        names[count] = nameOffset;
        ends[count] = count + 1;
        count++;
    }

    /** The value that began last. */
    int last() {
        return count - 1;
    }

    /** The container with this ordinal ends: all that began since is in it. */
    void end(int ordinal) {
        ends[ordinal] = count;
    }

    /** The ordinal of the value after this one's subtree. */
    int after(int ordinal) {
        return ends[ordinal];
    }

    int valueOffset(int ordinal) {
        return values[ordinal];
    }

    /** Where the value's member name begins; where the value does, if it is no member. */
    int nameOffset(int ordinal) {
        return names[ordinal] < 0 ? values[ordinal] : names[ordinal];
    }
}
