package dev.flowstone.engine.task;

import dev.flowstone.engine.subject.SqlHandle;

/**
 * Does a task's work on its run's subject, in one transaction with the record of its result (R17): once, whatever dies.
 * Has no other effect, and is quick: its run takes nothing else meanwhile. Runs on a virtual thread.
 */
@FunctionalInterface
public interface TransactionalHandler {
    /**
     * Locks the subject's own row, before its window row is locked: while this waits, no other run does. A handler whose
     * subject nobody locks for long needn't.
     */
    default void lock(TaskCall call, SqlHandle sql) throws Exception {}

    /**
     * Does it. Only {@code ok} is committed; anything else undoes what was done here.
     *
     * @throws Exception counts as a retryable failure with code {@code HANDLER_THREW}
     */
    TaskResult handle(TaskCall call, SubjectTransaction transaction) throws Exception;
}
