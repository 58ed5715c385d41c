package dev.flowstone.engine.action;

import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.engine.task.TaskResult;

/** {@code core.sometimes-fails}: by the attempt's number alone, so that a repetition goes the same way. */
final class SometimesFails implements TaskHandler {
    private static final long DEFAULT_FAILURES = 1;

    @Override
    public TaskResult handle(TaskCall call) {
        long failures = new Parameters(call.input()).count("failures").orElse(DEFAULT_FAILURES);
        if (call.attempt() <= failures) {
            return TaskResult.retryable(
                    "SOMETIMES", "attempt " + call.attempt() + " fails; the first " + failures + " do");
        }
        return TaskResult.ok(call.input());
    }
}
