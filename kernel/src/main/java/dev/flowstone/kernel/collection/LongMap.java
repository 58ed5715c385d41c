package dev.flowstone.kernel.collection;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A persistent map from non-negative numbers to values, in the order of the numbers: a radix trie of 32-fold branches
 * that holds only what is there. Reading and changing cost O(log<sub>32</sub> of the largest key).
 */
public final class LongMap<V> {
    private static final int BITS = 5;
    private static final int MASK = (1 << BITS) - 1;
    private static final Branch NONE = new Branch(0, new Object[0]);
    private static final LongMap<?> EMPTY = new LongMap<>(NONE, 0, 0);

    private final Branch root;

    /** Bits below the root's branch; 0 if the root's slots are values. */
    private final int shift;

    private final int size;

    private LongMap(Branch root, int shift, int size) {
        this.root = root;
        this.shift = shift;
        this.size = size;
    }

    @SuppressWarnings("unchecked")
    public static <V> LongMap<V> empty() {
        return (LongMap<V>) EMPTY;
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    @SuppressWarnings("unchecked")
    public @Nullable V get(long key) {
        if (key < 0 || beyond(key, shift)) {
            return null;
        }
        Branch branch = root;
        for (int level = shift; level > 0; level -= BITS) {
            Object child = branch.get((int) (key >>> level) & MASK);
            if (child == null) {
                return null;
            }
            branch = (Branch) child;
        }
        return (V) branch.get((int) key & MASK);
    }

    public LongMap<V> with(long key, V value) {
        if (key < 0) {
            throw new IllegalArgumentException("keys are not negative: " + key);
        }
        Branch top = root;
        int height = shift;
        while (beyond(key, height)) {
            top = top.bitmap == 0 ? NONE : new Branch(1, new Object[] {top});
            height += BITS;
        }
        boolean known = get(key) != null;
        return new LongMap<>(put(top, height, key, value), height, known ? size : size + 1);
    }

    public LongMap<V> without(long key) {
        if (get(key) == null) {
            return this;
        }
        return size == 1 ? empty() : new LongMap<>(remove(root, shift, key), shift, size - 1);
    }

    /** The smallest key; there must be one. */
    public long firstKey() {
        if (size == 0) {
            throw new IllegalStateException("an empty map has no first key");
        }
        long key = 0;
        Branch branch = root;
        for (int level = shift; level > 0; level -= BITS) {
            key |= (long) branch.position(0) << level;
            branch = (Branch) branch.slots[0];
        }
        return key | branch.position(0);
    }

    /** The largest key; there must be one. */
    public long lastKey() {
        if (size == 0) {
            throw new IllegalStateException("an empty map has no last key");
        }
        long key = 0;
        Branch branch = root;
        for (int level = shift; level > 0; level -= BITS) {
            int last = branch.slots.length - 1;
            key |= (long) branch.position(last) << level;
            branch = (Branch) branch.slots[last];
        }
        return key | branch.position(branch.slots.length - 1);
    }

    /** The smallest key that is larger than this one, or -1. */
    public long nextKey(long after) {
        long from = after + 1;
        return from < 0 || beyond(from, shift) ? -1 : next(root, shift, from);
    }

    /** In the order of the keys. */
    public List<V> values() {
        List<V> values = new ArrayList<>(size);
        forEach((key, value) -> values.add(value));
        return values;
    }

    /** In the order of the keys. */
    public void forEach(Visitor<? super V> visitor) {
        visit(root, shift, 0, visitor);
    }

    /** Sees one entry after another. */
    @FunctionalInterface
    public interface Visitor<V> {
        void visit(long key, V value);
    }

    private static boolean beyond(long key, int shift) {
        return shift + BITS < Long.SIZE && key >>> (shift + BITS) != 0;
    }

    private static Branch put(Branch branch, int level, long key, Object value) {
        int position = (int) (key >>> level) & MASK;
        if (level == 0) {
            return branch.with(position, value);
        }
        Object child = branch.get(position);
        return branch.with(position, put(child == null ? NONE : (Branch) child, level - BITS, key, value));
    }

    private static Branch remove(Branch branch, int level, long key) {
        int position = (int) (key >>> level) & MASK;
        if (level == 0) {
            return branch.without(position);
        }
        Object child = branch.get(position);
        if (child == null) {
            return branch;
        }
        Branch rest = remove((Branch) child, level - BITS, key);
        return rest.bitmap == 0 ? branch.without(position) : branch.with(position, rest);
    }

    /** The smallest key from {@code from} on, relative to this branch; -1 if there is none. */
    private static long next(Branch branch, int level, long from) {
        int position = (int) (from >>> level) & MASK;
        for (int slot = branch.slot(position); slot < branch.slots.length; slot++) {
            int at = branch.position(slot);
            if (level == 0) {
                return at;
            }
            long rest = at == position ? from & ((1L << level) - 1) : 0;
            long found = next((Branch) branch.slots[slot], level - BITS, rest);
            if (found >= 0) {
                return (long) at << level | found;
            }
        }
        return -1;
    }

    @SuppressWarnings("unchecked")
    private static <V> void visit(Branch branch, int level, long prefix, Visitor<? super V> visitor) {
        for (int slot = 0; slot < branch.slots.length; slot++) {
            long key = prefix | (long) branch.position(slot) << level;
            if (level == 0) {
                visitor.visit(key, (V) branch.slots[slot]);
            } else {
                visit((Branch) branch.slots[slot], level - BITS, key, visitor);
            }
        }
    }

    /** Up to 32 slots, of which only the filled ones exist; bit i of the map says that position i is filled. */
    private static final class Branch {
        private final int bitmap;
        private final Object[] slots;

        Branch(int bitmap, Object[] slots) {
            this.bitmap = bitmap;
            this.slots = slots;
        }

        @Nullable
        Object get(int position) {
            return (bitmap >>> position & 1) == 0 ? null : slots[slot(position)];
        }

        int slot(int position) {
            return Integer.bitCount(bitmap & ((1 << position) - 1));
        }

        int position(int slot) {
            int rest = bitmap;
            for (int i = 0; i < slot; i++) {
                rest &= rest - 1;
            }
            return Integer.numberOfTrailingZeros(rest);
        }

        Branch with(int position, Object value) {
            int at = slot(position);
            if ((bitmap >>> position & 1) != 0) {
                Object[] copy = slots.clone();
                copy[at] = value;
                return new Branch(bitmap, copy);
            }
            Object[] copy = Arrays.copyOf(slots, slots.length + 1);
            System.arraycopy(slots, at, copy, at + 1, slots.length - at);
            copy[at] = value;
            return new Branch(bitmap | 1 << position, copy);
        }

        Branch without(int position) {
            int at = slot(position);
            Object[] copy = Arrays.copyOf(slots, slots.length - 1);
            System.arraycopy(slots, at + 1, copy, at, copy.length - at);
            return new Branch(bitmap & ~(1 << position), copy);
        }
    }
}
