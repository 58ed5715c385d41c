package dev.flowstone.bench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** By the formulas of {@code docs/scale.md}. */
final class CapacityTest {
    @Test
    void whoSharesProcessorsIsNoFasterForBeingMore() {
        Capacity model = new Capacity(75, 25, 100, 2_000, 6, 2);

        for (int nodes = 1; nodes <= 3; nodes++) {
            assertEquals("the processors that all share", model.least(nodes).name());
            assertEquals(20_000, model.least(nodes).perSecond(), 1e-6);
        }
        assertEquals(0.5, model.busy(10_000), 1e-9);
    }

    @Test
    void fewInACommitMakeTheLoopsWaitForTheDisk() {
        Capacity model = new Capacity(75, 25, 2, 4_800, 3, 8);

        assertEquals("the loops", model.least(1).name());
        assertEquals(3 * 2 / 0.005, model.least(1).perSecond(), 1e-6);
    }

    @Test
    void whatNobodyHasPaidForIsNoParameter() {
        assertThrows(IllegalArgumentException.class, () -> new Capacity(0, 25, 2, 100, 3, 8));
        assertThrows(IllegalArgumentException.class, () -> new Capacity(75, Double.NaN, 2, 100, 3, 8));
    }
}
