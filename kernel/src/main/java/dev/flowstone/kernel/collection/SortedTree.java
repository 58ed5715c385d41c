package dev.flowstone.kernel.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A persistent map in the natural order of its keys: an AVL tree. Reading and changing cost O(log n) comparisons. */
public final class SortedTree<K extends Comparable<K>, V> {
    private static final SortedTree<?, ?> EMPTY = new SortedTree<String, Object>(null, 0);

    private final @Nullable Knot<K, V> root;
    private final int size;

    private SortedTree(@Nullable Knot<K, V> root, int size) {
        this.root = root;
        this.size = size;
    }

    @SuppressWarnings("unchecked")
    public static <K extends Comparable<K>, V> SortedTree<K, V> empty() {
        return (SortedTree<K, V>) EMPTY;
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public @Nullable V get(K key) {
        Knot<K, V> at = root;
        while (at != null) {
            int order = key.compareTo(at.key);
            if (order == 0) {
                return at.value;
            }
            at = order < 0 ? at.left : at.right;
        }
        return null;
    }

    public SortedTree<K, V> with(K key, V value) {
        return new SortedTree<>(put(root, key, value), get(key) == null ? size + 1 : size);
    }

    public SortedTree<K, V> without(K key) {
        if (get(key) == null) {
            return this;
        }
        return size == 1 ? empty() : new SortedTree<>(remove(root, key), size - 1);
    }

    /** The smallest key, or null if the map is empty. */
    public @Nullable K firstKey() {
        return root == null ? null : leftmost(root).key;
    }

    /** The smallest key that isn't smaller than this one, or null. */
    public @Nullable K ceilingKey(K from) {
        K found = null;
        Knot<K, V> at = root;
        while (at != null) {
            if (from.compareTo(at.key) <= 0) {
                found = at.key;
                at = at.left;
            } else {
                at = at.right;
            }
        }
        return found;
    }

    /** In the order of the keys. */
    public void forEach(BiConsumer<? super K, ? super V> action) {
        visit(root, action);
    }

    private static <K, V> void visit(@Nullable Knot<K, V> at, BiConsumer<? super K, ? super V> action) {
        if (at != null) {
            visit(at.left, action);
            action.accept(at.key, at.value);
            visit(at.right, action);
        }
    }

    /** In the order of the keys. */
    public List<V> values() {
        List<V> values = new ArrayList<>(size);
        collect(root, values);
        return values;
    }

    private static <K, V> void collect(@Nullable Knot<K, V> at, List<V> into) {
        if (at != null) {
            collect(at.left, into);
            into.add(at.value);
            collect(at.right, into);
        }
    }

    private static <K extends Comparable<K>, V> Knot<K, V> put(@Nullable Knot<K, V> at, K key, V value) {
        if (at == null) {
            return new Knot<>(key, value, null, null);
        }
        int order = key.compareTo(at.key);
        if (order == 0) {
            return new Knot<>(key, value, at.left, at.right);
        }
        return order < 0
                ? balanced(at.key, at.value, put(at.left, key, value), at.right)
                : balanced(at.key, at.value, at.left, put(at.right, key, value));
    }

    private static <K extends Comparable<K>, V> @Nullable Knot<K, V> remove(@Nullable Knot<K, V> at, K key) {
        if (at == null) {
            return null;
        }
        int order = key.compareTo(at.key);
        if (order < 0) {
            return balanced(at.key, at.value, remove(at.left, key), at.right);
        }
        if (order > 0) {
            return balanced(at.key, at.value, at.left, remove(at.right, key));
        }
        if (at.left == null) {
            return at.right;
        }
        if (at.right == null) {
            return at.left;
        }
        Knot<K, V> next = leftmost(at.right);
        return balanced(next.key, next.value, at.left, remove(at.right, next.key));
    }

    private static <K, V> Knot<K, V> leftmost(Knot<K, V> at) {
        Knot<K, V> knot = at;
        while (knot.left != null) {
            knot = knot.left;
        }
        return knot;
    }

    private static <K, V> Knot<K, V> balanced(K key, V value, @Nullable Knot<K, V> left, @Nullable Knot<K, V> right) {
        int lean = height(left) - height(right);
        if (lean > 1 && left != null) {
            return height(left.left) >= height(left.right)
                    ? rotatedRight(key, value, left, right)
                    : rotatedRight(key, value, rotatedLeft(left.key, left.value, left.left, left.right), right);
        }
        if (lean < -1 && right != null) {
            return height(right.right) >= height(right.left)
                    ? rotatedLeft(key, value, left, right)
                    : rotatedLeft(key, value, left, rotatedRight(right.key, right.value, right.left, right.right));
        }
        return new Knot<>(key, value, left, right);
    }

    private static <K, V> Knot<K, V> rotatedRight(
            K key, V value, @Nullable Knot<K, V> left, @Nullable Knot<K, V> right) {
        if (left == null) {
            throw new IllegalStateException("a tree that leans left has a left side");
        }
        return new Knot<>(left.key, left.value, left.left, new Knot<>(key, value, left.right, right));
    }

    private static <K, V> Knot<K, V> rotatedLeft(
            K key, V value, @Nullable Knot<K, V> left, @Nullable Knot<K, V> right) {
        if (right == null) {
            throw new IllegalStateException("a tree that leans right has a right side");
        }
        return new Knot<>(right.key, right.value, new Knot<>(key, value, left, right.left), right.right);
    }

    private static int height(@Nullable Knot<?, ?> knot) {
        return knot == null ? 0 : knot.height;
    }

    /** One entry and the two halves beside it. */
    private static final class Knot<K, V> {
        private final K key;
        private final V value;
        private final @Nullable Knot<K, V> left;
        private final @Nullable Knot<K, V> right;
        private final int height;

        Knot(K key, V value, @Nullable Knot<K, V> left, @Nullable Knot<K, V> right) {
            this.key = key;
            this.value = value;
            this.left = left;
            this.right = right;
            this.height = 1 + Math.max(height(left), height(right));
        }
    }
}
