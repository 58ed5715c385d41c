package dev.flowstone.engine.task;

import dev.flowstone.engine.subject.SqlHandle;

/**
 * Does a task's work on its run's subject, in one transaction with the record of its result (R17): once, whatever dies.
 * Has no other effect, and is quick: its run takes nothing else meanwhile, and others may wait for what it locks. Its
 * statements are cut after the task's timeout, at most {@link Transactions#LONGEST}; one that is stuck in something else is
 * interrupted after {@link Transactions#GIVEN_UP_AFTER}, and never committed. Its {@link TaskCall#links} finds nothing: it
 * refuses to look. Runs on a virtual thread.
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
