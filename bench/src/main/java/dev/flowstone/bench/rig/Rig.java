package dev.flowstone.bench.rig;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.read.DeadRows;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.HeldSnapshot;
import dev.flowstone.postgres.Keeping;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.PostgresOpenException;
import dev.flowstone.postgres.PostgresPorts;
import dev.flowstone.postgres.ScratchDatabase;
import dev.flowstone.postgres.ServerWork;
import dev.flowstone.postgres.Sweeping;
import dev.flowstone.postgres.TableSizes;
import java.time.Duration;
import java.util.Map;

/** A database of its own on a server, durable and under row-level security as every other, and engines on it. */
public final class Rig implements AutoCloseable {
    public static final TenantId TENANT = new TenantId("bench");

    /** The engine's name: one for all that follow each other here, so that each takes its shards back at once. */
    public static final String NODE = "bench";

    private static final Duration READY = Duration.ofMinutes(2);
    private static final Duration GLANCE = Duration.ofMillis(2);

    private final ScratchDatabase scratch;
    private final ScriptExpressions expressions = new ScriptExpressions();
    private PostgresPorts postgres;

    private Rig(ScratchDatabase scratch, PostgresPorts postgres) {
        this.scratch = scratch;
        this.postgres = postgres;
    }

    public static Rig on(PostgresConfig server) throws JournalException, PostgresOpenException {
        ScratchDatabase scratch = ScratchDatabase.on(server, "bench");
        try {
            return new Rig(scratch, PostgresPorts.open(scratch.config()));
        } catch (PostgresOpenException | RuntimeException e) {
            scratch.close();
            throw e;
        }
    }

    public Ports ports() {
        return postgres.ports();
    }

    /** What starts executions there. */
    public Triggers triggers() {
        return postgres.triggers();
    }

    /** Lets go of the database and comes back, as a process that starts again does. No engine may run meanwhile. */
    public void reopen() throws PostgresOpenException {
        postgres.close();
        postgres = PostgresPorts.open(scratch.config());
    }

    /** Publishes a workload; how to start a run of it, with an empty trigger. */
    public StartRequest publish(Definition definition) throws JournalException {
        return publish(TENANT, definition);
    }

    /** The same for another tenant. */
    public StartRequest publish(TenantId tenant, Definition definition) throws JournalException {
        return new Catalog(ports().workflows(), expressions)
                .publish(tenant, definition, ports().clock().now());
    }

    /** The same start with this trigger. */
    public static StartRequest with(StartRequest request, JsonObject trigger) {
        return new StartRequest(
                request.tenant(),
                request.workflow(),
                request.version(),
                request.program(),
                request.requestId(),
                Map.of("trigger", trigger),
                request.actor(),
                request.correlation(),
                request.requested(),
                request.subject());
    }

    /** Starts an engine and waits until it takes commands. The caller closes it. */
    public Engine start(HandlerRegistry handlers, Observer observer) throws InterruptedException {
        return start(ports(), handlers, observer);
    }

    /** The same on other ports than the database's, such as those of somebody who listens. */
    public Engine start(Ports on, HandlerRegistry handlers, Observer observer) throws InterruptedException {
        return start(EngineConfig.of(NODE), on, handlers, observer);
    }

    /** The same with shards of this kind. */
    public Engine start(ShardConfig shards, HandlerRegistry handlers, Observer observer) throws InterruptedException {
        return start(EngineConfig.of(NODE).withShard(shards), ports(), handlers, observer);
    }

    private Engine start(EngineConfig config, Ports on, HandlerRegistry handlers, Observer observer)
            throws InterruptedException {
        EngineParts parts = EngineParts.of(on, expressions, handlers).withObserver(observer);
        Engine engine = FlowstoneEngine.start(config, parts);
        try {
            awaitReady(engine);
            return engine;
        } catch (InterruptedException | RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    private static void awaitReady(Engine engine) throws InterruptedException {
        long end = System.nanoTime() + READY.toNanos();
        while (!engine.ready()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the engine wasn't ready within " + READY.toSeconds() + " s");
            }
            Thread.sleep(GLANCE);
        }
    }

    /** How to reach its database, for a process of its own. */
    public PostgresConfig config() {
        return scratch.config();
    }

    /** What its server has done so far. */
    public ServerWork work() throws JournalException {
        return ServerWork.of(scratch.config());
    }

    public EntrySource entries() {
        return postgres.entrySource();
    }

    /** Keeps the database as it is now in sight, until it is closed, as a report that reads for long does. */
    public HeldSnapshot holdSnapshot() throws JournalException {
        return HeldSnapshot.of(scratch.config());
    }

    public DeadRows deadRows() throws JournalException {
        return postgres.deadRows().read();
    }

    public TableSizes tableSizes() throws JournalException {
        return TableSizes.of(scratch.config());
    }

    /** Removes what has outlived its use as a server does, until it is closed. */
    public Sweeping sweep(Keeping keeping, Duration every) {
        return Sweeping.of(postgres.sweeper(keeping), every, swept -> {});
    }

    /** Verifies every chain that the database holds. */
    public ChainReport verify() throws JournalException {
        return new ChainVerifier(entries()).all();
    }

    @Override
    public void close() throws JournalException {
        postgres.close();
        scratch.close();
    }
}
