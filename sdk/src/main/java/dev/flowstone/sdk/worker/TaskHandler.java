package dev.flowstone.sdk.worker;

import org.jspecify.annotations.Nullable;

/**
 * Does a task's work, at least once per attempt: hand {@link Task#key} to the other side, which then drops repetitions. Runs
 * on a virtual thread of its own; may block. Is interrupted when nobody waits for it any more.
 *
 * @param <I> a record, or whatever Jackson makes of JSON
 * @param <O> the same, the other way; null is JSON's null
 */
@FunctionalInterface
public interface TaskHandler<I, O> {
    /**
     * Does it.
     *
     * @throws TaskFailure says how it failed
     * @throws TaskSkipped if there was nothing to do
     * @throws Exception any other one counts as a retryable failure with code {@code HANDLER_THREW}
     */
    @Nullable
    O handle(I input, Task task) throws Exception;
}
