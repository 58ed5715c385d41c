package dev.flowstone.engine.action;

import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.engine.task.TaskResult;

/** {@code core.echo}. */
final class Echo implements TaskHandler {
    @Override
    public TaskResult handle(TaskCall call) {
        return TaskResult.ok(call.input());
    }
}
