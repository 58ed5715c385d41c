package dev.flowstone.engine.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.engine.task.OneWayAction.Posting;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Each kind of handler asks before each attempt; none does anything if it is off. */
@SuppressWarnings("NullAway") // the handlers here look at nothing that they are given
final class SwitchedTest {
    private static final HandlerName PAY = new HandlerName("acme.pay");

    private static final OneWayCall CALL = new OneWayCall(
            new RunKey(new TenantId("acme"), RunId.of(Instant.EPOCH, new Slot(1), 7)),
            new WorkflowId("w"),
            "c",
            ActivationId.parse("tell#1"),
            1,
            JsonObject.EMPTY,
            Instant.EPOCH);

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
            .oneWay(new ActionDescription(new HandlerName("acme.tell"), "Tells.", List.of()), _ -> {
                done.add("told");
                return new Posting.Message("mail", JsonObject.EMPTY);
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
        OneWayAction tell = registry.oneWay(new HandlerName("acme.tell")).orElseThrow();
        for (TaskResult result : List.of(paid(), say.handle(null), new Post(CALL, 1, tell.post(CALL), 0).result())) {
            TaskResult.Failed failed = assertInstanceOf(TaskResult.Failed.class, result);
            assertEquals(FailureClass.POLICY_DENIED, failed.failure());
            assertEquals("ACTION_DISABLED", failed.error().code());
        }
        assertEquals(List.of("locked"), done, "only what changes nothing");
    }

    @Test
    void whatIsTurnedOnMeanwhileIsHandledUnderItsLock() throws Exception {
        TransactionalHandler handler = registry.transactional(PAY).orElseThrow();
        off.set(true);
        handler.lock(null, null);
        off.set(false);
        assertInstanceOf(TaskResult.Ok.class, handler.handle(null, null));
        assertEquals(List.of("locked", "paid"), done);
    }

    @Test
    void whatIsOnAgainIsRun() throws Exception {
        off.set(true);
        assertInstanceOf(TaskResult.Failed.class, paid());
        off.set(false);
        assertInstanceOf(TaskResult.Ok.class, paid());
        assertEquals(List.of("locked", "locked", "paid"), done);
    }
}
