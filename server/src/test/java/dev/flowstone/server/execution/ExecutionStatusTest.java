package dev.flowstone.server.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.state.RunStatus;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which of the engine's statuses stand behind which word: what filters find, and what answers say. */
final class ExecutionStatusTest {
    @Test
    void aRunIsRunningUntilNothingOfItIsLeftToDo() {
        assertEquals(
                EnumSet.of(RunStatus.RUNNING, RunStatus.FAILING, RunStatus.CANCELING, RunStatus.COMPENSATING),
                ExecutionStatus.RUNNING.runStatuses());
        assertEquals(Set.of(RunStatus.SUCCEEDED), ExecutionStatus.SUCCEEDED.runStatuses());
        assertEquals(Set.of(RunStatus.FAILED), ExecutionStatus.FAILED.runStatuses());
        assertEquals(EnumSet.of(RunStatus.CANCELED, RunStatus.TERMINATED), ExecutionStatus.CANCELLED.runStatuses());
        assertEquals(Set.of(), ExecutionStatus.PENDING.runStatuses());
    }

    @Test
    void eachStatusIsFoundUnderTheWordThatItIsToldAs() {
        for (RunStatus status : RunStatus.values()) {
            ExecutionStatus told = ExecutionStatus.of(status);

            assertEquals(told, ExecutionStatus.parse(told.toString()).orElseThrow());
            assertEquals(status.isFinal(), told != ExecutionStatus.RUNNING);
        }
    }
}
