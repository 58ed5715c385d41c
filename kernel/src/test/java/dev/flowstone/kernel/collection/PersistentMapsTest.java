package dev.flowstone.kernel.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Both maps against the JDK's, under random changes; old versions stay as they were. */
final class PersistentMapsTest {
    @Test
    void longMapBehavesLikeATreeMap() {
        for (long bound : new long[] {4, 40, 5_000, 1L << 40, Long.MAX_VALUE}) {
            Random random = new Random(bound);
            TreeMap<Long, Integer> expected = new TreeMap<>();
            LongMap<Integer> map = LongMap.empty();
            for (int step = 0; step < 3_000; step++) {
                long key = random.nextLong(bound);
                if (random.nextInt(3) == 0) {
                    expected.remove(key);
                    map = map.without(key);
                } else {
                    expected.put(key, step);
                    map = map.with(key, step);
                }
                long probe = random.nextLong(bound);
                assertEquals(expected.get(probe), map.get(probe));
                assertEquals(expected.size(), map.size());
                Long next = expected.higherKey(probe);
                assertEquals(next == null ? -1 : next, map.nextKey(probe));
                if (!expected.isEmpty()) {
                    assertEquals(expected.firstKey(), map.firstKey());
                }
            }
            assertEquals(List.copyOf(expected.values()), map.values());
        }
    }

    @Test
    void sortedTreeBehavesLikeATreeMap() {
        Random random = new Random(1);
        TreeMap<String, Integer> expected = new TreeMap<>();
        SortedTree<String, Integer> tree = SortedTree.empty();
        for (int step = 0; step < 20_000; step++) {
            String key = "k" + random.nextInt(500);
            if (random.nextInt(2) == 0) {
                expected.remove(key);
                tree = tree.without(key);
            } else {
                expected.put(key, step);
                tree = tree.with(key, step);
            }
            assertEquals(expected.size(), tree.size());
            assertEquals(expected.isEmpty() ? null : expected.firstKey(), tree.firstKey());
        }
        assertEquals(List.copyOf(expected.values()), tree.values());
    }

    @Test
    void oldVersionsNeverChange() {
        List<LongMap<Integer>> versions = new ArrayList<>();
        LongMap<Integer> map = LongMap.empty();
        for (int i = 0; i < 2_000; i++) {
            versions.add(map);
            map = map.with(i, i);
        }
        for (int i = 0; i < 2_000; i++) {
            assertEquals(i, versions.get(i).size());
            assertNull(versions.get(i).get(i));
            assertEquals(i == 0 ? null : Integer.valueOf(i - 1), versions.get(i).get(i - 1L));
        }
    }

    @Test
    void keysAreNotNegative() {
        assertThrows(
                IllegalArgumentException.class, () -> LongMap.<Integer>empty().with(-1, 1));
        assertNull(LongMap.<Integer>empty().get(-1));
        assertThrows(IllegalStateException.class, () -> LongMap.empty().firstKey());
    }

    @Test
    void aSortedTreeOfAHundredThousandInOrderStaysShallow() {
        SortedTree<String, Integer> tree = SortedTree.empty();
        for (int i = 0; i < 100_000; i++) {
            tree = tree.with(String.format("%06d", i), i);
        }
        assertEquals(100_000, tree.size());
        assertEquals(77_777, tree.get("077777"));
    }
}
