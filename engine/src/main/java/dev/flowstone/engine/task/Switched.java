package dev.flowstone.engine.task;

import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.HandlerName;
import java.util.Optional;

/** Handlers that ask an {@link ActionSwitch} before each attempt. */
final class Switched {
    private Switched() {}

    static TaskHandler handler(HandlerName name, TaskHandler handler, ActionSwitch actions) {
        return call -> {
            Optional<TaskResult> refused = refused(name, actions);
            return refused.isPresent() ? refused.get() : handler.handle(call);
        };
    }

    static TransactionalHandler transactional(HandlerName name, TransactionalHandler handler, ActionSwitch actions) {
        return new TransactionalHandler() {
            @Override
            public void lock(TaskCall call, SqlHandle sql) throws Exception {
                if (actions.refusal(name).isEmpty()) {
                    handler.lock(call, sql);
                }
            }

            @Override
            public TaskResult handle(TaskCall call, SubjectTransaction transaction) throws Exception {
                Optional<TaskResult> refused = refused(name, actions);
                return refused.isPresent() ? refused.get() : handler.handle(call, transaction);
            }
        };
    }

    static OneWayAction oneWay(HandlerName name, OneWayAction action, ActionSwitch actions) {
        return call -> actions.refusal(name)
                .<OneWayAction.Posting>map(why -> new OneWayAction.Posting.Invalid(ActionSwitch.CODE, "", why))
                .orElseGet(() -> action.post(call));
    }

    private static Optional<TaskResult> refused(HandlerName name, ActionSwitch actions) {
        return actions.refusal(name)
                .map(why -> new TaskResult.Failed(
                        FailureClass.POLICY_DENIED, TaskError.of(ActionSwitch.CODE, why), Optional.empty()));
    }
}
