package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.server.execution.Starts;
import org.junit.jupiter.api.Test;

/** What is the sender's to mend is told; what is ours to mend is kept, as what throws is. */
final class LaunchedTest {
    private static Starts.Outcome refused(String code) {
        return new Starts.Outcome.Answered(new StartAnswer.Refused(code, "why"));
    }

    @Test
    void aFaultOfTheEngineIsNoRefusal() throws Exception {
        assertThrows(IllegalStateException.class, () -> Launched.asked("r", refused("ENGINE_ERROR")));
        assertThrows(JournalException.BadData.class, () -> Launched.asked("r", refused("BAD_DATA")));
        assertEquals(new Launched.Asked("r", refused("SUBJECT_BUSY")), Launched.asked("r", refused("SUBJECT_BUSY")));
    }

    @Test
    void whatIsNoLongerSoMayHaveBeenOtherwise() {
        assertTrue(new Launched.Off().isAsTheTriggerIs());
        assertTrue(new Launched.Ignored("false").isAsTheTriggerIs());
        assertTrue(new Launched.Untold("error").isAsTheTriggerIs());
        assertTrue(!new Launched.Lost(true).isAsTheTriggerIs());
        assertTrue(!new Launched.Asked("r", refused("X")).isAsTheTriggerIs());
    }
}
