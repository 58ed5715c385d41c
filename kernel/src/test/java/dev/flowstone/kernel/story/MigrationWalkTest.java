package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import org.junit.jupiter.api.Test;

/** R5 over random programs, answers and moves. */
final class MigrationWalkTest {
    private static final long WALKS = Long.getLong("flowstone.walks", 100);

    @Test
    void noTwoActivationsAreEverCalledAlike() {
        Long one = Long.getLong("flowstone.seed");
        long from = one == null ? 0 : one;
        int moves = 0;
        int renamed = 0;
        int undone = 0;
        for (long seed = from; seed < (one == null ? WALKS : from + 1); seed++) {
            MigrationWalk walk = new MigrationWalk(seed);
            try {
                walk.run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "seed " + seed + ": " + e.getMessage() + "\n"
                                + walk.story().tale(),
                        e);
            }
            moves += walk.story().all(ControlEvent.Migrated.class).size();
            renamed += walk.renamed();
            undone += walk.story()
                    .all(CompensationEvent.CompensationApplied.class)
                    .size();
        }
        String all = moves + " moves, " + renamed + " renamed what lived, " + undone + " undone";
        assertTrue(one != null || (moves > WALKS && renamed > WALKS / 2 && undone > WALKS / 2), all);
    }
}
