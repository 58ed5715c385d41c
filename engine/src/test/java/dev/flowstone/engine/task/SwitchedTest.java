package dev.flowstone.engine.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonNull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Each kind of handler asks before each attempt; none looks at its call if it is off. */
@SuppressWarnings("NullAway") // the handlers here look at nothing that they are given
final class SwitchedTest {
    private static final HandlerName PAY = new HandlerName("acme.pay");

    private final AtomicBoolean off = new AtomicBoolean();
    private final List<String> done = new ArrayList<>();

    private final TransactionalHandler subject = new TransactionalHandler() {
        @Override
        public void lock(TaskCall call, SqlHandle sql) {
            done.add("locked");
        }

        @Override
        public TaskResult handle(TaskCall call, SubjectTransaction transaction) {
            done.add("paid");
            return TaskResult.ok(JsonNull.NULL);
        }
    };

    private final HandlerRegistry registry = HandlerRegistry.builder()
            .transactional(new ActionDescription(PAY, "Pays.", List.of()), subject)
            .action(new ActionDescription(new HandlerName("acme.say"), "Says.", List.of()), _ -> {
                done.add("said");
                return TaskResult.ok(JsonNull.NULL);
            })
            .build()
            .switchedBy(action -> off.get() ? Optional.of(action + " is off") : Optional.empty());

    private TaskResult paid() throws Exception {
        TransactionalHandler handler = registry.transactional(PAY).orElseThrow();
        handler.lock(null, null);
        return handler.handle(null, null);
    }

    @Test
    void whatIsOffIsNotRunAndSaysWhy() throws Exception {
        off.set(true);
        TaskHandler say = registry.handler(new HandlerName("acme.say")).orElseThrow();
        for (TaskResult result : List.of(paid(), say.handle(null))) {
            TaskResult.Failed failed = assertInstanceOf(TaskResult.Failed.class, result);
            assertEquals(FailureClass.POLICY_DENIED, failed.failure());
            assertEquals("ACTION_DISABLED", failed.error().code());
        }
        assertEquals(List.of(), done);
    }

    @Test
    void whatIsOnAgainIsRun() throws Exception {
        off.set(true);
        assertInstanceOf(TaskResult.Failed.class, paid());
        off.set(false);
        assertInstanceOf(TaskResult.Ok.class, paid());
        assertEquals(List.of("locked", "paid"), done);
    }
}
