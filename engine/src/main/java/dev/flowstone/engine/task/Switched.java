package dev.flowstone.engine.task;

import dev.flowstone.engine.subject.SqlHandle;
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
                // Whatever is asked: it may be turned on until it is handled, and what is handled relies on its lock.
                handler.lock(call, sql);
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
                .<OneWayAction.Posting>map(why -> new OneWayAction.Posting.Refused(ActionSwitch.CODE, why))
                .orElseGet(() -> action.post(call));
    }

    private static Optional<TaskResult> refused(HandlerName name, ActionSwitch actions) {
        return actions.refusal(name).map(why -> Post.refused(ActionSwitch.CODE, why));
    }
}
