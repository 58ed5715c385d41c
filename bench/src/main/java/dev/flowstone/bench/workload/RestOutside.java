package dev.flowstone.bench.workload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.load.Callers;
import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.MoveMeter;
import dev.flowstone.bench.load.ObserverPair;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.Definition;
import dev.flowstone.bench.rig.HttpDoor;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.HumanTaskFilter;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.kernel.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * Runs that wait for somebody outside, who calls over REST: a person who decides, or a signal. What counts is the time from
 * the call until the run has moved, durably; the call's own answer is told beside. A run counts if its
 * {@code RunCompleted} event is stored.
 *
 * @param accepted the status that says that a call was done
 * @param caller makes, of an open database and one run that waits, the call that lets a run go on
 */
record RestOutside(String name, Definition definition, int accepted, CallerOf caller) implements Workload {
    static final String REVIEWER = "reviewer";
    private static final Duration LAST_RUNS = Duration.ofSeconds(60);
    private static final Duration GLANCE = Duration.ofMillis(20);

    RestOutside {
        requireNonNull(name);
        requireNonNull(definition);
        requireNonNull(caller);
    }

    /** How to let a run go on. */
    @FunctionalInterface
    interface CallerOf {
        /** Once the runs wait. */
        Function<Waiting.Started, Callers.Request> on(Rig rig, Waiting.Started one) throws JournalException;
    }

    /** Somebody decides: {@code POST …/tasks/{activation}/decide}. */
    static RestOutside approve() {
        return new RestOutside("approve", Definitions.approval(), 200, (rig, one) -> {
            String activation = rig.ports()
                    .humanTasks()
                    .tasks(Rig.TENANT, HumanTaskFilter.ALL.ofRun(one.run().run()), Optional.empty(), 1)
                    .getFirst()
                    .task()
                    .activation()
                    .toString();
            String verb = "/tasks/" + URLEncoder.encode(activation, StandardCharsets.UTF_8) + "/decide";
            return run -> CallLoad.request(
                    Rig.TENANT, "/api/v1/executions/" + run.run().run() + verb, REVIEWER, "{\"outcome\": \"approve\"}");
        });
    }

    /** A signal for each run: {@code POST /api/v1/signals}. */
    static RestOutside signal() {
        return new RestOutside(
                "signal",
                Definitions.signal(),
                202,
                (rig, one) -> run -> CallLoad.request(
                        Rig.TENANT,
                        "/api/v1/signals",
                        REVIEWER,
                        "{\"type\": \"" + Definitions.SIGNAL + "\", \"key\": \"" + key(run.number()) + "\"}"));
    }

    private static String key(int number) {
        return "run-" + number;
    }

    @Override
    public Report run(Bench bench) throws Exception {
        LoadMeter meter = new LoadMeter();
        MoveMeter moves = new MoveMeter();
        BenchOptions options = bench.options();
        // What counts is how soon runs move: half of those who would start as many as can be.
        int callers = options.inflight().orElse(Math.max(1, options.sizes().callers() / 2));
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest request = rig.publish(definition);
            CallLoad.Seen seen;
            Histogram moved;
            try (HttpDoor.Opened server = bench.http().open(rig.ports(), new ObserverPair(meter, moves))) {
                List<Waiting.Started> waiting = List.copyOf(Waiting.start(
                        server.engine(),
                        options.sizes().outside(),
                        n -> Rig.with(
                                request, JsonObject.builder().put("key", key(n)).build()),
                        bench));
                List<Callers.Request> calls =
                        waiting.stream().map(caller.on(rig, waiting.getFirst())).toList();
                seen = new CallLoad(
                                meter,
                                rig.ports().clock(),
                                bench,
                                calls,
                                accepted,
                                (number, begun) ->
                                        moves.called(waiting.get(number).run(), begun),
                                moves::read,
                                () -> moves.over() >= calls.size())
                        .hold(server.port(), callers, options.measure());
                moved = moves.read();
                awaitLast(moves, seen.accepted(), bench);
            }
            bench.tell("verifying every chain");
            return report(bench, rig, callers, seen, moved, moves.failed());
        }
    }

    /** What was called for must come about, or something was lost. */
    private static void awaitLast(MoveMeter moves, long accepted, Bench bench) throws InterruptedException {
        bench.tell("the last runs");
        long end = System.nanoTime() + LAST_RUNS.toNanos();
        while (moves.over() < accepted) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        accepted + " calls were accepted, and only " + moves.over() + " runs went on");
            }
            Thread.sleep(GLANCE);
        }
    }

    private Report report(Bench bench, Rig rig, int callers, CallLoad.Seen seen, Histogram moved, long failed)
            throws Exception {
        Window window = seen.window();
        StoredCount stored = StoredCount.of(rig.entries(), window.from(), window.to());
        var chains = rig.verify();
        int decisions = (int) (stored.entries() / Math.max(1, stored.runs()));
        BareComparison bare = bench.bare(
                rig.ports().leases().shards(), stored, window.reading().commits(), decisions);
        return MeasuredReport.of(name)
                .rate("runs_per_s", "runs let go on", window.perSecond(stored.runs()))
                .figure("seconds", "seconds", window.seconds())
                .count("callers", "callers", callers)
                .count("busy", "told to come again", seen.busy())
                .put("runs", stored.runs())
                .figure("server_us", "server, µs a call", seen.serverMicros())
                .figure("callers_us", "callers, µs a call", seen.callerMicros())
                .latency("moved_ms", "call until moved", moved)
                .latency("call_ms", "call until answered", seen.latency())
                .latency("decision_ms", "decision", window.reading().decisions())
                .bare(stored, window, bare)
                .none("runs_failed", "runs failed", failed)
                .chains(chains)
                .curve(name + " over REST", "runs", window)
                .build();
    }
}
