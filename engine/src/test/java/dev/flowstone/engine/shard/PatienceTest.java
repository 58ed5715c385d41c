package dev.flowstone.engine.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PatienceTest {
    private final Patience patience = new Patience();
    private final List<Integer> waited = new ArrayList<>();

    private void rounds(int rounds, int started, boolean come) throws InterruptedException {
        for (int i = 0; i < rounds; i++) {
            int before = waited.size();
            boolean came = patience.await(started, (works, _) -> {
                waited.add(works);
                return come;
            });
            assertEquals(come && waited.size() > before, came);
        }
    }

    @Test
    void aBatchWaitsForAllThatWereStartedButNotForMany() throws InterruptedException {
        rounds(2, 3, true);
        rounds(1, 500, true);

        assertEquals(List.of(3, 3, 16), waited);
    }

    @Test
    void nothingWaitsForOneOrNone() throws InterruptedException {
        rounds(1, 0, true);
        rounds(1, 1, true);

        assertEquals(List.of(), waited);
    }

    @Test
    void whereHandlersTakeLongItIsHardlyEverTried() throws InterruptedException {
        rounds(1_000, 2, false);

        // After the first at 1, 3, 7, 15, 31 and then 63 batches between two that waited.
        assertEquals(6 + (1_000 - 63) / 64, waited.size());
    }

    @Test
    void onceHandlersAreQuickEachBatchWaits() throws InterruptedException {
        rounds(4, 2, false);
        waited.clear();
        rounds(10, 2, true);

        assertEquals(8, waited.size());
    }
}
