package dev.flowstone.engine.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.engine.limit.Gates;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Attempt;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What workers outside get while something goes wrong in the same moment. */
final class RemoteTasksTest {
    private static final Instant NOW = Instant.parse("2026-11-28T10:00:00Z");
    private static final HandlerName WORK = new HandlerName("remote.work");
    private static final HandlerName NARROW = new HandlerName("remote.narrow");
    private static final HandlerName SLOW = new HandlerName("remote.slow");
    private static final TenantId ACME = new TenantId("acme");

    private final List<TaskOutcome> told = Collections.synchronizedList(new ArrayList<>());
    private volatile Instant now = NOW;
    private final Gates gates = new Gates(
            List.of(ActionLimit.atOnce(NARROW.value(), 1), new ActionLimit(SLOW.value(), 0, 1)), () -> now, () -> {});
    private final RemoteTasks tasks = new RemoteTasks(
            HandlerRegistry.builder().build(),
            new PayloadReader(failing(Journal.class)),
            new TaskOutcomes(TaskConfig.DEFAULT),
            new Links(new RunHistory(failing(RunReader.class)), new PayloadReader(failing(Journal.class))),
            () -> now,
            gates,
            new RunPlaces(),
            Observer.NONE);

    /** Whatever is read is too deep for the stack. */
    private static <T> T failing(Class<T> port) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (_, _, _) -> {
            throw new StackOverflowError("a test's");
        }));
    }

    private static RemoteName name(TenantId tenant, int number) {
        RunKey run = new RunKey(tenant, new RunId(new UUID(0x7000L, 0x8000_0000_0000_0000L + number)));
        return new RemoteName(run, new ActivationId(new NodeId("n"), 1), 1);
    }

    private void offer(TenantId tenant, int number, Payload input) {
        offer(WORK, tenant, number, input);
    }

    private void offer(HandlerName action, TenantId tenant, int number, Payload input) {
        RemoteName name = name(tenant, number);
        ActivationId activation = name.activation();
        Attempt attempt = new Attempt(activation, 1, action, input, Duration.ofMinutes(1), Sha256.ZERO, false);
        WorkflowId workflow = new WorkflowId("w");
        new TaskRun(
                        tenant,
                        workflow,
                        action,
                        task -> new RemoteEntry(tasks, name, workflow, "c", attempt, task),
                        told::add)
                .offer();
    }

    private static RemoteClaim claim(HandlerName action) {
        return new RemoteClaim(ACME, "w", List.of(action), 10, Duration.ofSeconds(10));
    }

    private static Payload small() {
        return Payload.of(JsonObject.EMPTY);
    }

    private Thread waiting(CompletableFuture<List<RemoteTask>> result) {
        return waiting(WORK, result);
    }

    private Thread waiting(HandlerName action, CompletableFuture<List<RemoteTask>> result) {
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                result.complete(tasks.claim(claim(action), Duration.ofMinutes(1)));
            } catch (InterruptedException e) {
                result.completeExceptionally(e);
            }
        });
        await(thread, Thread.State.TIMED_WAITING);
        return thread;
    }

    private static void await(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whatAnInterruptedClaimWasWokenForGoesToTheNext() throws Exception {
        CompletableFuture<List<RemoteTask>> first = new CompletableFuture<>();
        CompletableFuture<List<RemoteTask>> second = new CompletableFuture<>();
        Thread interrupted = waiting(first);
        assertTrue(waiting(second).isAlive());

        // Under the desk's lock: the first has woken up, but can't leave the line yet.
        gates.change(() -> {
            interrupted.interrupt();
            await(interrupted, Thread.State.WAITING);
            offer(ACME, 1, small());
        });
        interrupted.join();
        assertTrue(first.isCompletedExceptionally());
        assertInstanceOf(TaskAnswer.Returned.class, told.getFirst().answer());
        assertEquals(0, tasks.held());

        // Its run offers it again, as it does with all that was given back.
        offer(ACME, 1, small());

        assertEquals(1, second.get(20, TimeUnit.SECONDS).size());
    }

    @Test
    void aClaimThatSleepsGetsWhatAnEndLetsBegin() throws Exception {
        offer(NARROW, ACME, 1, small());
        offer(NARROW, ACME, 2, small());
        RemoteTask first = tasks.claim(claim(NARROW), Duration.ZERO).getFirst();
        CompletableFuture<List<RemoteTask>> second = new CompletableFuture<>();
        assertTrue(waiting(NARROW, second).isAlive());

        assertTrue(tasks.giveBack(name(ACME, 1), first.lease()));

        assertEquals(1, second.get(20, TimeUnit.SECONDS).size());
    }

    @Test
    void aClaimThatSleepsGetsWhatTimeLetsBegin() throws Exception {
        offer(SLOW, ACME, 1, small());
        offer(SLOW, ACME, 2, small());
        assertEquals(1, tasks.claim(claim(SLOW), Duration.ZERO).size());
        CompletableFuture<List<RemoteTask>> second = new CompletableFuture<>();
        assertTrue(waiting(SLOW, second).isAlive());

        now = gates.open();
        gates.open();

        assertEquals(1, second.get(20, TimeUnit.SECONDS).size());
    }

    @Test
    void whenInputsAreTooMuchForTheMachineEverythingIsGivenBack() {
        offer(ACME, 1, small());
        offer(ACME, 2, new Payload.Stored(Sha256.ZERO, 100_000));
        offer(ACME, 3, small());

        assertThrows(StackOverflowError.class, () -> tasks.claim(claim(WORK), Duration.ZERO));

        assertEquals(0, tasks.held());
        assertEquals(3, told.size());
        told.forEach(outcome -> assertInstanceOf(TaskAnswer.Returned.class, outcome.answer()));
    }

    @Test
    void oneTenantsWaitingAttemptsAreNoReasonToStopAnother() throws Exception {
        TenantId globex = new TenantId("globex");
        for (int i = 0; i < 10; i++) {
            offer(ACME, i, small());
        }
        assertFalse(tasks.isOverloaded(ACME, 10));
        offer(ACME, 10, small());

        assertTrue(tasks.isOverloaded(ACME, 10));
        assertFalse(tasks.isOverloaded(globex, 10));

        // Another may fill its own share, and no more.
        for (int i = 20; i < 25; i++) {
            offer(globex, i, small());
        }
        assertFalse(tasks.isOverloaded(globex, 10));
        offer(globex, 25, small());
        assertTrue(tasks.isOverloaded(globex, 10));

        assertEquals(10, tasks.claim(claim(WORK), Duration.ZERO).size());
        assertFalse(tasks.isOverloaded(globex, 10));
        assertEquals(7, tasks.waiting());
        assertEquals(10, tasks.held());
    }

    private String beat(RemoteName name, String lease) {
        return assertInstanceOf(RemoteBeat.Held.class, tasks.heartbeat(name, lease, Duration.ofSeconds(10)))
                .lease();
    }

    @Test
    void aWorkerThatHasNotHeardThatItsAttemptWasTakenOverHasItAllTheSame() {
        RemoteName name = name(ACME, 1);
        offer(ACME, 1, small());
        String present = beat(name, "dead-7");

        assertEquals(present, beat(name, "dead-7"));
        assertEquals(present, beat(name, present));
        assertFalse(tasks.isAnothers(name, "dead-7"));
        assertFalse(tasks.isAnothers(name, present));

        assertInstanceOf(RemoteBeat.Gone.class, tasks.heartbeat(name, "dead-8", Duration.ofSeconds(10)));
        assertTrue(tasks.isAnothers(name, "dead-8"));
        assertFalse(tasks.giveBack(name, "dead-8"));
        assertTrue(tasks.giveBack(name, "dead-7"));
        assertEquals(0, tasks.held());
    }

    @Test
    void whatAnotherWorkerHasClaimedHereIsNotTakenOver() throws Exception {
        RemoteName name = name(ACME, 1);
        offer(ACME, 1, small());
        RemoteTask claimed = tasks.claim(claim(WORK), Duration.ZERO).getFirst();

        assertInstanceOf(RemoteBeat.Gone.class, tasks.heartbeat(name, "dead-7", Duration.ofSeconds(10)));
        assertEquals(claimed.lease(), beat(name, claimed.lease()));
    }

    @Test
    void aClaimWithoutAThreadIsOverWhenSomethingComes() {
        RemoteClaiming claiming = tasks.begin(claim(WORK));
        assertFalse(claiming.isOver());

        offer(ACME, 1, small());
        offer(ACME, 2, small());

        assertTrue(claiming.isOver());
        assertEquals(2, claiming.end().size(), "what else there is by now, too");
        assertEquals(2, tasks.held());
        assertThrows(IllegalStateException.class, claiming::end);
        assertThrows(IllegalStateException.class, claiming::giveUp);
    }

    @Test
    void aClaimThatIsGivenUpGivesBackWhatHasCome() {
        RemoteClaiming claiming = tasks.begin(claim(WORK));
        offer(ACME, 1, small());

        claiming.giveUp();

        assertEquals(List.of(TaskOutcome.of(new TaskAnswer.Returned())), told);
        assertEquals(0, tasks.held());
        offer(ACME, 2, small());
        assertEquals(1, tasks.waiting(), "nobody waits any more");
    }

    @Test
    void aNodeThatStopsEndsClaimsEmptyHanded() {
        RemoteClaiming claiming = tasks.begin(claim(WORK));

        tasks.quiet();

        assertTrue(claiming.isOver());
        assertEquals(List.of(), claiming.end());
    }
}
