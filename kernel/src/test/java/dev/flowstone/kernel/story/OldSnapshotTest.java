package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.RunState;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** I1: a stored state is believed only if it says all that its events do. */
final class OldSnapshotTest {
    /** Its live work has had other names, of which snapshots of earlier releases tell nothing. */
    @Test
    void aStateThatAnEarlierReleaseStoredIsNotWhole() throws IOException {
        JsonObject golden = GoldenTest.read("migrated-and-back");
        JsonObject stored = JsonCursor.of(golden).member("state").object();
        RunState state = folded(golden);

        assertFalse(Kernel.isWhole(state.programHash(), stored));
        assertTrue(Kernel.isWhole(state.programHash(), Kernel.snapshot(state)));
        assertEquals(
                state.toJson(),
                Kernel.restore(state.program(), state.programHash(), Kernel.snapshot(state))
                        .toJson());
    }

    private static RunState folded(JsonObject golden) throws IOException {
        JsonCursor at = JsonCursor.of(golden);
        RunState state = GoldenTest.unborn(at);
        for (String entry : at.list("entries", JsonCursor::string)) {
            for (var event : GoldenTest.decode(entry, state)) {
                state = state.apply(event);
            }
        }
        return state;
    }

    /** What aggregates know has never grown. */
    @Test
    void theStateOfAnAggregateIsWholeAsItIs() throws IOException {
        RunState state = folded(GoldenTest.read("message-channel"));

        assertEquals(state.toJson(), Kernel.snapshot(state));
        assertTrue(Kernel.isWhole(state.programHash(), state.toJson()));
    }
}
