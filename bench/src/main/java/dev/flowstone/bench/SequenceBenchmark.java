package dev.flowstone.bench;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.PostgresOpenException;
import dev.flowstone.postgres.PostgresPorts;
import dev.flowstone.postgres.ScratchDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs of five no-op steps, each durably recorded before the next one starts, as many in flight as is best unless told. A
 * step counts if its handler ran and its {@code TaskCompleted} event is stored. Afterwards every chain is verified, and the
 * bare loop is measured on the same server. Works in a database of its own, which it drops.
 */
public final class SequenceBenchmark {
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration READY = Duration.ofSeconds(30);

    private final PostgresConfig server;
    private final SequenceOptions options;
    private final Consumer<String> progress;

    /** Tells its progress in short lines, about one a second. */
    public SequenceBenchmark(PostgresConfig server, SequenceOptions options, Consumer<String> progress) {
        this.server = server;
        this.options = options;
        this.progress = progress;
    }

    /** Measures; takes the measured time and about a minute more. */
    public SequenceReport run() throws PostgresOpenException, JournalException, InterruptedException {
        Load load = new Load();
        try (ScratchDatabase scratch = ScratchDatabase.on(server, "bench");
                PostgresPorts ports = PostgresPorts.open(scratch.config())) {
            load.measure(ports);
            progress.accept("verifying every chain");
            StoredCount stored = StoredCount.of(ports.entrySource(), load.from, load.to);
            var chains = new ChainVerifier(ports.entrySource()).all();
            long perCommit =
                    Math.max(1, stored.entries() / Math.max(1, load.reading().commits()));
            BareComparison bare = BareComparison.measure(
                    server,
                    load.shards,
                    (int) perCommit,
                    (int) (stored.bytes() / Math.max(1, stored.entries())),
                    Sequence.STEPS + 1,
                    options.bare(),
                    progress);
            return new SequenceReport(
                    load.inflight,
                    load.shards,
                    Duration.between(load.from, load.to),
                    stored,
                    load.reading(),
                    load.handlerCalls.sum(),
                    bare,
                    chains);
        }
    }

    /** The engine under load. */
    private final class Load {
        final LongAdder handlerCalls = new LongAdder();
        private final Semaphore places = new Semaphore(0);
        private final LoadMeter meter = new LoadMeter(places);
        private LoadMeter.@Nullable Reading reading;
        Instant from = Instant.MIN;
        Instant to = Instant.MIN;
        int inflight;
        int shards;

        void measure(PostgresPorts ports) throws JournalException, InterruptedException {
            ScriptExpressions expressions = new ScriptExpressions();
            StartRequest request = Sequence.publish(
                    ports.ports().workflows(),
                    expressions,
                    ports.ports().clock().now());
            shards = ports.ports().leases().shards().size();
            EngineParts parts =
                    EngineParts.of(ports.ports(), expressions, handlers()).withObserver(meter);
            try (Engine engine = FlowstoneEngine.start(EngineConfig.of("bench"), parts)) {
                awaitReady(engine);
                ClosedLoop loop = new ClosedLoop(engine, meter, places, () -> request);
                try {
                    inflight = options.inflight().isPresent() ? given(loop) : best(loop);
                    loop.resize(inflight);
                    hold(TICK, "settling at " + inflight + " in flight");
                    meter.read();
                    from = ports.ports().clock().now();
                    hold(options.measure(), inflight + " in flight");
                    to = ports.ports().clock().now();
                    reading = meter.read();
                } finally {
                    loop.end();
                }
            }
        }

        LoadMeter.Reading reading() {
            if (reading == null) {
                throw new IllegalStateException("nothing was measured");
            }
            return reading;
        }

        private HandlerRegistry handlers() {
            ActionDescription noOp =
                    new ActionDescription(new HandlerName(Sequence.ACTION), "Does nothing.", List.of());
            return HandlerRegistry.builder()
                    .action(noOp, call -> {
                        handlerCalls.increment();
                        return TaskResult.ok(JsonObject.EMPTY);
                    })
                    .build();
        }

        private int given(ClosedLoop loop) throws InterruptedException {
            int wanted = options.inflight().getAsInt();
            loop.resize(wanted);
            hold(options.trial().multipliedBy(2), "warming up at " + wanted + " in flight");
            return wanted;
        }

        /** A first round to warm up, then a moment each. */
        private int best(ClosedLoop loop) throws InterruptedException {
            int best = options.trials().getFirst();
            loop.resize(best);
            hold(options.trial().multipliedBy(2), "warming up");
            double most = 0;
            for (int trial : options.trials()) {
                loop.resize(trial);
                meter.read();
                long finished = hold(options.trial(), "trying " + trial + " in flight");
                if (finished > most * 1.03) {
                    most = finished;
                    best = trial;
                }
            }
            return best;
        }

        private long hold(Duration time, String what) throws InterruptedException {
            long end = System.nanoTime() + time.toNanos();
            long before = handlerCalls.sum();
            for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
                long last = handlerCalls.sum();
                Thread.sleep(Duration.ofNanos(Math.min(left, TICK.toNanos())));
                progress.accept(what + ": " + (handlerCalls.sum() - last) + " steps/s");
            }
            return handlerCalls.sum() - before;
        }

        private static void awaitReady(Engine engine) throws InterruptedException {
            long end = System.nanoTime() + READY.toNanos();
            while (!engine.ready()) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("the engine wasn't ready within " + READY.toSeconds() + " s");
                }
                Thread.sleep(Duration.ofMillis(5));
            }
        }
    }
}
