package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.Callers;
import dev.flowstone.bench.load.Callers.Request;
import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/**
 * Calls over REST by callers in another process, for some time after a warm-up.
 *
 * @param requests one that is repeated, or each to be made once
 * @param accepted the status that says that one is done
 * @param listener is told of those
 * @param counts is called when it begins to count
 * @param settled once nothing is left to call for: whether all has come about that was called for
 */
record CallLoad(
        LoadMeter meter,
        Clock clock,
        Bench bench,
        List<Request> requests,
        int accepted,
        Callers.Listener listener,
        Runnable counts,
        BooleanSupplier settled) {
    /** For somebody who has nothing to do with single calls. */
    CallLoad(LoadMeter meter, Clock clock, Bench bench, List<Request> requests, int accepted) {
        this(meter, clock, bench, requests, accepted, (_, _) -> {}, () -> {}, () -> true);
    }

    CallLoad {
        requests = List.copyOf(requests);
    }

    /**
     * What was seen in a window.
     *
     * @param latency of a call that was done, in microseconds, as the caller saw it
     * @param accepted calls that were done, ever
     * @param busy calls that were told to come again, ever
     * @param serverMicros processor time of this process for each call: server and engine, not the database
     * @param callerMicros that of the callers' process
     */
    record Seen(Window window, Histogram latency, long accepted, long busy, double serverMicros, double callerMicros) {}

    /** Such a call, for a workflow's start. */
    static Request start(StartRequest request, String body) {
        return request(request.tenant(), "/api/v1/workflows/" + request.workflow() + "/execute", "bench", body);
    }

    /** A call in the name of a user with a role. */
    static Request request(TenantId tenant, String path, String role, String body) {
        return new Request(
                path,
                List.of("Flowstone-Tenant: " + tenant, "Flowstone-Principal: user:bench", "Flowstone-Roles: " + role),
                body);
    }

    /** Lets them call; ends early when nothing is left to call for. */
    Seen hold(int port, int callers, Duration time) throws Exception {
        String what = callers == 1 ? "one caller" : callers + " callers";
        // Of what can't be repeated, most is left for the measurement, however long the compiler takes for the rest.
        boolean repeats = requests.size() == 1;
        int warm = repeats ? Integer.MAX_VALUE : requests.size() * 2 / 5;
        try (Callers load = Callers.start(port, Callers.Shape.closed(callers), requests, warm, accepted, listener)) {
            Watch watch = new Watch(meter, load::accepted, "calls", clock, bench.progress());
            watch.hold(Duration.ofSeconds(30), "waiting for the callers", () -> load.accepted() > 0 || load.isOver());
            Duration longest = bench.options().warmUp().multipliedBy(repeats ? 1 : 3);
            watch.hold(longest, "warming up: " + what, () -> load.isOver() || load.accepted() >= warm);
            load.read();
            counts.run();
            long server = ownCpu();
            long client = load.cpu().toNanos();
            load.goOn();
            Window window = watch.hold(time, what, () -> load.isOver() && settled.getAsBoolean());
            double calls = Math.max(1, window.done()) * 1e3;
            Seen seen = new Seen(
                    window,
                    load.read(),
                    load.accepted(),
                    load.busy(),
                    (ownCpu() - server) / calls,
                    (load.cpu().toNanos() - client) / calls);
            load.end();
            load.requireSound();
            return seen;
        }
    }

    private static long ownCpu() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
    }
}
