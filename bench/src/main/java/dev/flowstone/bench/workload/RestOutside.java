package dev.flowstone.bench.workload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.load.Callers;
import dev.flowstone.bench.load.Callers.Outcome;
import dev.flowstone.bench.load.HttpCaller;
import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Watch;
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
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Function;

/**
 * Runs that wait for somebody outside, who calls over REST: a person who decides, or a signal. What counts is the time from
 * the call until the run has moved, durably; the call's own answer is told beside. A run counts if its
 * {@code RunCompleted} event is stored.
 *
 * @param caller makes, of an open database and one run that waits, the call that lets a run go on
 */
record RestOutside(String name, Definition definition, CallerOf caller) implements Workload {
    static final String REVIEWER = "reviewer";

    RestOutside {
        requireNonNull(name);
        requireNonNull(definition);
        requireNonNull(caller);
    }

    /** How to let a run go on. */
    @FunctionalInterface
    interface CallerOf {
        /** Once the runs wait. */
        Function<Waiting.Started, Request> on(Rig rig, Waiting.Started one) throws JournalException;
    }

    /** A call, and the status that says that it was accepted. */
    record Request(String path, String body, int accepted) {}

    /** Somebody decides: {@code POST …/tasks/{activation}/decide}. */
    static RestOutside approve() {
        return new RestOutside("approve", Definitions.approval(), (rig, one) -> {
            String activation = rig.ports()
                    .humanTasks()
                    .tasks(Rig.TENANT, HumanTaskFilter.ALL.ofRun(one.run().run()), Optional.empty(), 1)
                    .getFirst()
                    .task()
                    .activation()
                    .toString();
            String verb = "/tasks/" + URLEncoder.encode(activation, StandardCharsets.UTF_8) + "/decide";
            return run ->
                    new Request("/api/v1/executions/" + run.run().run() + verb, "{\"outcome\": \"approve\"}", 200);
        });
    }

    /** A signal for each run: {@code POST /api/v1/signals}. */
    static RestOutside signal() {
        return new RestOutside(
                "signal",
                Definitions.signal(),
                (rig, one) -> run -> new Request(
                        "/api/v1/signals",
                        "{\"type\": \"" + Definitions.SIGNAL + "\", \"key\": \"" + key(run.number()) + "\"}",
                        202));
    }

    private static String key(int number) {
        return "run-" + number;
    }

    @Override
    public Report run(Bench bench) throws Exception {
        LoadMeter meter = new LoadMeter();
        BenchOptions options = bench.options();
        int callers = options.inflight().orElse(options.sizes().callers());
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest request = rig.publish(definition);
            Callers.Seen seen;
            try (HttpDoor.Opened server = bench.http().open(rig.ports(), meter)) {
                Queue<Waiting.Started> waiting = Waiting.start(
                        server.engine(),
                        options.sizes().outside(),
                        n -> Rig.with(
                                request, JsonObject.builder().put("key", key(n)).build()),
                        bench);
                Function<Waiting.Started, Request> calls = caller.on(rig, waiting.element());
                Callers load = new Callers(server.port());
                Watch watch = new Watch(meter, meter::over, "runs", rig.ports().clock(), bench.progress());
                seen = load.hold(
                        callers,
                        new Callers.WarmUp(options.trial(), options.sizes().outside() / 10),
                        options.measure(),
                        callers + " callers",
                        watch,
                        http -> next(http, waiting, calls, meter));
                awaitLast(meter, load, watch);
            }
            bench.tell("verifying every chain");
            return report(bench, rig, callers, seen);
        }
    }

    /** What was called for must come about, or something was lost. */
    private static void awaitLast(LoadMeter meter, Callers load, Watch watch) throws InterruptedException {
        watch.hold(Duration.ofSeconds(60), "the last runs", () -> meter.over() >= load.answered());
        if (meter.over() < load.answered()) {
            throw new IllegalStateException(
                    load.answered() + " calls were accepted, and only " + meter.over() + " runs went on");
        }
    }

    private static Outcome next(
            HttpCaller http, Queue<Waiting.Started> waiting, Function<Waiting.Started, Request> calls, LoadMeter meter)
            throws IOException {
        Waiting.Started run = waiting.poll();
        if (run == null) {
            return Outcome.NOTHING_LEFT;
        }
        Request call = calls.apply(run);
        meter.began(run.run(), System.nanoTime());
        Outcome outcome = outcome(http.post(call.path(), Rig.TENANT.value(), REVIEWER, call.body()), call.accepted());
        if (outcome == Outcome.BUSY) {
            waiting.add(run);
        }
        return outcome;
    }

    static Outcome outcome(HttpCaller.Answer answer, int accepted) {
        if (answer.status() == accepted) {
            return Outcome.DONE;
        }
        if (answer.status() == 503 || answer.status() == 429) {
            return Outcome.BUSY;
        }
        throw new IllegalStateException("the server answered " + answer.status() + ": " + answer.body());
    }

    private Report report(Bench bench, Rig rig, int callers, Callers.Seen seen) throws Exception {
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
                .latency("moved_ms", "call until moved", window.reading().runs())
                .latency("call_ms", "call until answered", seen.latency())
                .latency("decision_ms", "decision", window.reading().decisions())
                .bare(stored, window, bare)
                .none("runs_failed", "runs failed", window.reading().failed())
                .chains(chains)
                .curve(name + " over REST", "runs", window)
                .build();
    }
}
