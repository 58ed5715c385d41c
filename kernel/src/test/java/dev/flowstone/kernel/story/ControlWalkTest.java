package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Runs that are suspended, drained, canceled, undone and rolled back at random keep every invariant at every step. */
final class ControlWalkTest {
    private static final long WALKS = Long.getLong("flowstone.walks", 500);

    @Test
    void theInvariantsHoldWhateverOperatorsDo() {
        Map<String, Integer> kinds = new TreeMap<>();
        Long one = Long.getLong("flowstone.seed");
        long from = one == null ? 0 : one;
        for (long seed = from; seed < (one == null ? WALKS : from + 1); seed++) {
            Story story;
            try {
                story = seed % 3 == 2 ? RandomWalk.controlled(seed, RandomForks::next) : RandomWalk.controlled(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
            for (Event event : story.events()) {
                kinds.merge(event.body().kind(), 1, Integer::sum);
            }
            kinds.merge("ended " + story.status(), 1, Integer::sum);
        }
        Set<String> missing = new TreeSet<>();
        for (Class<?> family : List.of(ControlEvent.class, CompensationEvent.class)) {
            for (Class<?> kind : family.getPermittedSubclasses()) {
                missing.add(kind.getSimpleName());
            }
        }
        // These need a second program, or a second run.
        missing.removeAll(List.of("Migrated", "RunReset"));
        missing.addAll(List.of("ended CANCELED", "ended TERMINATED", "ended SUCCEEDED", "ended FAILED"));
        missing.removeAll(kinds.keySet());
        assertTrue(one != null || missing.isEmpty(), missing + " are missing among " + kinds);
    }
}
