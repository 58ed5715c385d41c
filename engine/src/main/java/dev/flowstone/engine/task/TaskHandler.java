package dev.flowstone.engine.task;

/**
 * Does a task's work, at least once per attempt. Runs on a virtual thread; may block; is interrupted at the timeout and
 * at shutdown.
 */
@FunctionalInterface
public interface TaskHandler {
    /**
     * Does it.
     *
     * @throws Exception counts as a retryable failure with code {@code HANDLER_THREW}
     */
    TaskResult handle(TaskCall call) throws Exception;
}
