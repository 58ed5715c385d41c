package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * I1, I2, I3, I4, I8, I11 after every step of seeded random walks. {@code -Dflowstone.walks=N} walks more of them,
 * {@code -Dflowstone.seed=S} walks one.
 */
final class RandomWalkTest {
    private static final long WALKS = Long.getLong("flowstone.walks", 500);

    @Test
    void theInvariantsHoldAfterEveryStep() {
        Map<String, Integer> kinds = new TreeMap<>();
        Long one = Long.getLong("flowstone.seed");
        long from = one == null ? 0 : one;
        for (long seed = from; seed < (one == null ? WALKS : from + 1); seed++) {
            Story story = walk(seed);
            for (Event event : story.events()) {
                kinds.merge(event.body().kind(), 1, Integer::sum);
            }
            kinds.merge("ended " + story.status(), 1, Integer::sum);
        }
        // The walks must have been everywhere: each kind of event, and success, failure and incidents as endings.
        Set<String> missing = new TreeSet<>();
        for (Class<?> kind : EventBody.class.getPermittedSubclasses()) {
            // What operators cause, and what several runs do together, have walks of their own.
            if (!kind.isInterface()) {
                missing.add(kind.getSimpleName());
            }
        }
        missing.addAll(List.of("ended SUCCEEDED", "ended FAILED", "ended RUNNING"));
        missing.removeAll(kinds.keySet());
        assertTrue(one != null || missing.isEmpty(), missing + " are missing among " + kinds);
    }

    @Test
    void theSameWalkGivesTheSameBytes() {
        for (long seed = 0; seed < WALKS; seed += 10) {
            Story first = walk(seed);
            Story second = walk(seed);
            assertEquals(first.entries().size(), second.entries().size(), "seed " + seed);
            for (int i = 0; i < first.entries().size(); i++) {
                assertArrayEquals(
                        first.entries().get(i).bytes(), second.entries().get(i).bytes(), "seed " + seed);
            }
        }
    }

    private static Story walk(long seed) {
        try {
            return RandomWalk.of(seed);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "seed " + seed + " (again with -Dflowstone.seed=" + seed + "): " + e.getMessage(), e);
        }
    }
}
