package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.limit.WorkClasses;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.task.TaskDispatcher;
import dev.flowstone.engine.task.TaskOutcome;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TaskRun;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** One tenant's attempts that wait, at a limit or for a place, are in no other's way; and no place is lost. */
final class TenantPlacesTest {
    private static final HandlerName MAIL = new HandlerName("slack.send");
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId GLOBEX = new TenantId("globex");
    private static final int BACKLOG = 10;

    private final World world = new World();
    private final ArrayDeque<Runnable> threads = new ArrayDeque<>();
    private final List<TenantId> called = new ArrayList<>();
    private final List<TaskOutcome> told = new ArrayList<>();

    private TaskDispatcher dispatcher(Executor executor) {
        TaskConfig usual = TaskConfig.DEFAULT.withLimits(List.of(ActionLimit.atOnce("slack.*", 1)));
        return new TaskDispatcher(
                HandlerRegistry.builder()
                        .action(
                                new ActionDescription(MAIL, "For a test.", List.of()),
                                _ -> TaskResult.ok(JsonNull.NULL))
                        .build(),
                new PayloadReader(world.ports.journal()),
                world.ports.transactions(),
                world.ports.runs(),
                world.ports.outbox()::knows,
                new TaskConfig(
                        usual.concurrency(),
                        usual.limits(),
                        BACKLOG,
                        usual.inlineBytes(),
                        usual.outputBytes(),
                        usual.messageCharacters()),
                WorkClasses.NONE,
                world.clock,
                Observer.NONE,
                Tracer.NONE,
                executor,
                () -> {});
    }

    private TaskRun submit(TaskDispatcher dispatcher, TenantId tenant) {
        TaskRun run = new TaskRun(
                tenant,
                new WorkflowId("w"),
                MAIL,
                () -> {
                    called.add(tenant);
                    return TaskOutcome.of(new TaskAnswer.Returned());
                },
                told::add);
        dispatcher.submit(run);
        return run;
    }

    @Test
    void whatWaitsAtALimitIsNoReasonToRefuseAnotherTenant() {
        TaskDispatcher dispatcher = dispatcher(threads::add);
        List<TaskRun> acme = new ArrayList<>();
        for (int i = 0; i < 1 + BACKLOG; i++) {
            acme.add(submit(dispatcher, ACME));
        }
        assertFalse(dispatcher.isOverloaded(ACME));
        acme.add(submit(dispatcher, ACME));

        assertTrue(dispatcher.isOverloaded(ACME));
        assertFalse(dispatcher.isOverloaded(GLOBEX));

        assertTrue(dispatcher.withdraw(acme.getLast()));
        assertFalse(dispatcher.isOverloaded(ACME));
        dispatcher.stop();
        assertEquals(0, dispatcher.waiting());
    }

    @Test
    void whoStopsBeginsNothing() {
        TaskDispatcher dispatcher = dispatcher(threads::add);
        assertTrue(dispatcher.isOpen());

        dispatcher.stop();

        assertFalse(dispatcher.isOpen());
    }

    @Test
    void tenantsTakeTurnsAtALimit() {
        TaskDispatcher dispatcher = dispatcher(threads::add);
        for (int i = 0; i < 5; i++) {
            submit(dispatcher, ACME);
        }
        submit(dispatcher, GLOBEX);
        while (!threads.isEmpty()) {
            threads.remove().run();
        }

        assertEquals(6, called.size());
        assertTrue(called.indexOf(GLOBEX) <= 2, called::toString);
        assertEquals(0, dispatcher.running());
    }

    /** No memory for a thread, for example; that very error would end the test's own machinery. */
    @Test
    void anErrorOfTheExecutorCostsOneAttemptAndNoPlace() {
        TaskDispatcher dispatcher = dispatcher(execution -> {
            if (told.isEmpty()) {
                throw new StackOverflowError("a test's");
            }
            threads.add(execution);
        });
        submit(dispatcher, ACME);
        assertInstanceOf(TaskAnswer.Failed.class, told.getFirst().answer());
        assertEquals(0, dispatcher.running());

        submit(dispatcher, ACME);

        assertEquals(1, dispatcher.running());
        threads.remove().run();
        assertEquals(List.of(ACME), called);
        assertEquals(0, dispatcher.running());
    }
}
