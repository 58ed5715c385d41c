package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Memory;
import dev.flowstone.bench.load.OpenLoop;
import dev.flowstone.bench.load.RunStarts;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.load.Windows;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.workload.Soaked.Sample;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.postgres.Keeping;
import dev.flowstone.postgres.Sweeping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * An even load for long: half of the most that is made here, or the rate that is offered, while a sweeper removes what has outlived
 * its use, which is after a short while. Most runs are sequences, each with a request id and hence a receipt; one in some hundred
 * goes over elements, so that there are snapshots. What lives for a bounded time must level off, and nothing else may grow but what
 * is kept for ever, evenly with the runs.
 */
final class SoakWorkload implements Workload {
    private static final int SAMPLES_AT_LEAST = 12;
    private static final Duration SAMPLE = Duration.ofSeconds(10);
    private static final int ONE_WIDE_IN = 500;
    private static final int ELEMENTS = 100;

    /** Of the whole time: what is kept for so long is gone several times over before the second half begins. */
    private static final int KEPT = 20;

    @Override
    public String name() {
        return "soak";
    }

    @Override
    public Report run(Bench bench) throws Exception {
        NoOps handlers = new NoOps();
        LoadMeter meter = new LoadMeter();
        Duration kept = atLeastASecond(bench.options().measure().dividedBy(KEPT));
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest sequence = rig.publish(Definitions.sequence());
            StartRequest wide = elements(rig.publish(Definitions.wide()));
            Watch watch = new Watch(meter, handlers::calls, "steps", rig.ports().clock(), bench.progress());
            Soaked soaked;
            try (Engine engine = rig.start(ShardConfig.DEFAULT.withReceiptLifetime(kept), handlers.registry(), meter);
                    Sweeping _ = rig.sweep(new Keeping(kept, kept), atLeastASecond(kept.dividedBy(10)))) {
                double rate = bench.options().offered().isPresent()
                        ? bench.options().offered().getAsDouble()
                        : half(engine, meter, watch, sequence, bench);
                RunStarts starts = new RunStarts(engine, meter, mixed(sequence, wide));
                soaked = soak(rig, watch, starts, rate, bench);
            }
            bench.tell("verifying every chain");
            MeasuredReport.Builder report = MeasuredReport.of(name());
            soaked.tell(report);
            return report.put("kept_s", kept.toMillis() / 1e3)
                    .chains(rig.verify())
                    .build();
        }
    }

    private static Duration atLeastASecond(Duration time) {
        return time.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : time;
    }

    private static double half(Engine engine, LoadMeter meter, Watch watch, StartRequest sequence, Bench bench)
            throws InterruptedException {
        BenchOptions moment = bench.options().closed(bench.options().warmUp());
        return Foreground.measured(engine, meter, watch, sequence, bench.with(moment))
                .offered();
    }

    private static StartRequest elements(StartRequest wide) {
        List<JsonValue> items = Collections.nCopies(ELEMENTS, JsonNumber.of(1));
        return Rig.with(
                wide, JsonObject.builder().put("items", new JsonArray(items)).build());
    }

    private static Supplier<StartRequest> mixed(StartRequest sequence, StartRequest wide) {
        AtomicLong started = new AtomicLong();
        return () -> {
            long n = started.getAndIncrement();
            return n % ONE_WIDE_IN == 0 ? wide : asked(sequence, "soak-" + n);
        };
    }

    private static StartRequest asked(StartRequest request, String id) {
        return new StartRequest(
                request.tenant(),
                request.workflow(),
                request.version(),
                request.program(),
                Optional.of(id),
                request.input(),
                request.actor(),
                request.correlation(),
                request.requested(),
                request.subject());
    }

    private static Soaked soak(Rig rig, Watch watch, RunStarts starts, double rate, Bench bench) throws Exception {
        Duration time = bench.options().measure();
        Duration each =
                time.dividedBy(SAMPLES_AT_LEAST).compareTo(SAMPLE) < 0 ? time.dividedBy(SAMPLES_AT_LEAST) : SAMPLE;
        long count = time.dividedBy(each);
        OpenLoop loop = new OpenLoop(starts, rate);
        try {
            watch.hold(bench.options().warmUp(), "warming up");
            List<Sample> samples = new ArrayList<>();
            Optional<Window> all = Optional.empty();
            long liveHalfway = 0;
            long begin = System.nanoTime();
            for (long i = 0; i < count; i++) {
                if (i == count / 2) {
                    liveHalfway = Memory.liveHeap();
                }
                Window window = watch.hold(each, "sample " + (i + 1) + " of " + count);
                all = Optional.of(all.map(before -> new Windows(List.of(before, window)).joined())
                        .orElse(window));
                samples.add(Sample.of((System.nanoTime() - begin) / 1e9, window, rig));
            }
            return new Soaked(
                    rate, loop.offered(), loop.refused(), all.orElseThrow(), samples, liveHalfway, Memory.liveHeap());
        } finally {
            loop.end();
        }
    }
}
