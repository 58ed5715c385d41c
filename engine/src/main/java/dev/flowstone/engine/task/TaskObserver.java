package dev.flowstone.engine.task;

import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.HandlerName;
import java.time.Duration;

/** Is told how attempts end, on their handlers' threads; it must not throw, and not wait for anything. */
public interface TaskObserver {
    /** An attempt begins, by a handler of this node or by a worker, so long after it was handed out here. */
    default void began(HandlerName handler, Duration waited) {}

    /** A handler of this node has answered; for a transactional one, after all that it took to know what became of it. */
    default void attempted(HandlerName handler, Duration took, TaskAnswer answer) {}
}
