package dev.flowstone.testkit.engine;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.memory.FaultyJournal;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A database in memory, a clock, and nodes over them; what the stories share. */
final class World {
    static final TenantId TENANT = new TenantId("acme");

    final VirtualClock clock = VirtualClock.start();
    final InMemoryDatabase database;
    final FaultyJournal journal;
    final Ports ports;
    private final ScriptExpressions expressions = new ScriptExpressions();
    private long seed = 7;

    World() {
        this(1);
    }

    World(int shards) {
        this.database = new InMemoryDatabase(clock, shards);
        Ports real = database.ports();
        this.journal = new FaultyJournal(real.journal());
        this.ports = FaultyJournal.in(real, journal);
    }

    static HandlerRegistry handlers(String name, TaskHandler handler) {
        return HandlerRegistry.builder()
                .addAll(BuiltInActions.registry())
                .action(new ActionDescription(new HandlerName(name), "For a test.", List.of()), handler)
                .build();
    }

    EngineParts parts(HandlerRegistry handlers) {
        seed++;
        return EngineParts.of(ports, expressions, handlers)
                .withSchedules(new CronSchedules())
                .withRandom(new SplittableRandom(seed));
    }

    SteppedNode node(String name) {
        return node(EngineConfig.of(name), BuiltInActions.registry());
    }

    SteppedNode node(EngineConfig config, HandlerRegistry handlers) {
        SteppedNode node = new SteppedNode(clock, config, parts(handlers));
        node.settle();
        return node;
    }

    /** Its handlers run on threads of their own; only its loops are stepped. */
    SteppedNode threadedNode(EngineConfig config, HandlerRegistry handlers) {
        Executor virtual = Executors.newVirtualThreadPerTaskExecutor();
        SteppedNode node = new SteppedNode(clock, config, parts(handlers), _ -> virtual);
        node.settleLoops();
        return node;
    }

    Published publish(Program program) {
        return Published.in(ports.workflows(), TENANT, program, clock.now());
    }

    static RunId started(CompletableFuture<StartAnswer> answer) {
        if (answer.getNow(null) instanceof StartAnswer.Started started) {
            return started.run();
        }
        throw new AssertionError("not started: " + answer.getNow(null));
    }

    /** Starts it and steps the loops, but no handler, as far as they go. */
    static RunId start(SteppedNode node, Published program) {
        CompletableFuture<StartAnswer> answer = node.node().start(program.start());
        node.settleLoops();
        return started(answer);
    }

    /** The process is gone: nothing of it runs any more and nothing was said to anybody. */
    static void crash(SteppedNode node) {
        node.node().loops().forEach(loop -> loop.end("crashed"));
    }

    /** Also on a thread that is interrupted, as those of handlers are. */
    static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            LockSupport.parkNanos(latch, 1_000_000);
            var _ = Thread.interrupted();
        }
    }

    RunRow row(RunId run) {
        try {
            return ports.runs().run(TENANT, run).orElseThrow();
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    StoredRun stored(RunId run) {
        RunKey key = new RunKey(TENANT, run);
        try {
            StoredRun found = database.ports()
                    .journal()
                    .load(database.ports().leases().shards().getFirst().id(), List.of(key))
                    .get(key);
            if (found == null) {
                throw new AssertionError("no run " + run);
            }
            return found;
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    History history(RunId run) {
        return History.of(database.ports().runs(), TENANT, run);
    }

    /** Steps loops, in real time, until it holds; for stories with handlers on threads. */
    static void until(SteppedNode node, BooleanSupplier holds) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it never came true");
            }
            node.settleLoops();
            Thread.onSpinWait();
        }
    }
}
