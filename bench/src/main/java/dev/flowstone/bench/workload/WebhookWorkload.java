package dev.flowstone.bench.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flowstone.bench.load.Callers;
import dev.flowstone.bench.load.Callers.Request;
import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.load.Window;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.HttpDoor;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.TriggerSecret;
import dev.flowstone.engine.trigger.Triggers.Signer;
import dev.flowstone.engine.trigger.Triggers.Wish;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Signed deliveries for webhooks over REST, so many a second whatever becomes of those before. Each starts a run that waits on a timer for
 * a day, so that nothing else is done. All are signed before the first is sent; they have to be sent while that is in time.
 */
final class WebhookWorkload implements Workload {
    private static final double PER_SECOND = 1_000;
    private static final double TARGET_MILLIS = 50;
    private static final String BODY = "{\"delayMs\": 86400000}";
    private static final int TRIGGERS = 10;
    private static final int TOLERANCE_SECONDS = 900;
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Duration FIRST = Duration.ofSeconds(30);

    /** A connection has one call under way: as many as a second's are enough while an answer takes less than a second. */
    private static final int UNANSWERED = 1;

    @Override
    public String name() {
        return "webhooks";
    }

    /** Of the window, and of all. */
    private record Seen(Window window, Histogram latency, Callers.Sent sent, Callers callers) {}

    @Override
    public Report run(Bench bench) throws Exception {
        BenchOptions options = bench.options();
        double rate = options.offered().orElse(PER_SECOND);
        Duration time = options.warmUp().plus(options.measure());
        if (time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("deliveries are signed for " + LONGEST + " at most, not for " + time);
        }
        LoadMeter meter = new LoadMeter();
        try (Rig rig = Rig.on(bench.server())) {
            StartRequest request = rig.publish(Definitions.delay());
            WebhookSecret secret = WebhookSecret.generate();
            List<TriggerId> triggers = triggers(rig, request, secret);
            bench.tell("signing");
            List<Request> deliveries =
                    signed(triggers, secret, (int) (rate * time.plus(FIRST).toSeconds()));
            Seen seen;
            try (HttpDoor.Opened server = bench.http().open(rig.ports(), rig.triggers(), meter)) {
                seen = hold(
                        bench, rig, meter, server.port(), new Callers.Shape((int) rate, rate, UNANSWERED), deliveries);
            }
            bench.tell("verifying every chain");
            return report(rig, rate, seen);
        }
    }

    private static List<TriggerId> triggers(Rig rig, StartRequest request, WebhookSecret secret)
            throws JournalException {
        JsonObject config =
                JsonObject.builder().put("toleranceSeconds", TOLERANCE_SECONDS).build();
        Wish wish = new Wish(
                config, Optional.of(List.of(new Signer.Fresh(new TriggerSecret(secret.text())))), Optional.empty());
        List<TriggerId> made = new ArrayList<>();
        for (int i = 0; i < TRIGGERS; i++) {
            TriggerKey key = new TriggerKey(request.tenant(), TriggerId.random());
            var _ = rig.triggers()
                    .create(
                            key,
                            request.workflow(),
                            TriggerKind.WEBHOOK,
                            true,
                            wish,
                            Optional.empty(),
                            new Actor("user", "bench"));
            made.add(key.id());
        }
        return made;
    }

    /** One after the other, for each trigger in turn. */
    private static List<Request> signed(List<TriggerId> triggers, WebhookSecret secret, int count) {
        Instant now = Instant.now();
        byte[] body = BODY.getBytes(UTF_8);
        List<Request> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            List<String> headers = WebhookSignature.sign("d-" + i, now, body, List.of(secret)).stream()
                    .map(header -> header.name() + ": " + header.value())
                    .toList();
            all.add(new Request("/api/v1/triggers/" + triggers.get(i % triggers.size()), headers, BODY));
        }
        return all;
    }

    private static Seen hold(
            Bench bench, Rig rig, LoadMeter meter, int port, Callers.Shape shape, List<Request> deliveries)
            throws Exception {
        try (Callers load = Callers.start(port, shape, deliveries, 202, (_, _) -> {})) {
            Watch watch =
                    new Watch(meter, load::accepted, "webhooks", rig.ports().clock(), bench.progress());
            watch.hold(FIRST, "waiting for the callers", () -> load.accepted() > 0);
            watch.hold(bench.options().warmUp(), "warming up");
            load.read();
            Window window = watch.hold(bench.options().measure(), "webhooks");
            Histogram latency = load.read();
            return new Seen(window, latency, load.end(), load);
        }
    }

    private Report report(Rig rig, double rate, Seen seen) throws Exception {
        Window window = seen.window();
        StoredCount stored = StoredCount.of(rig.entries(), window.from(), window.to());
        StoredCount ever = StoredCount.of(rig.entries(), Instant.EPOCH, Instant.EPOCH.plus(Duration.ofDays(100_000)));
        double p95 = seen.latency().getValueAtPercentile(95) / 1e3;
        long accepted = seen.callers().accepted();
        MeasuredReport.Builder report = MeasuredReport.of(name())
                .rate("webhooks_per_s", "webhooks accepted", window.perSecond(stored.starts()))
                .rate("offered_per_s", "offered", rate)
                .figure("seconds", "seconds", window.seconds())
                .count("offered", "offered, ever", seen.sent().offered())
                .count("sent", "that a connection took", seen.sent().sent())
                .count("accepted", "accepted", accepted)
                .count("busy", "told to come again", seen.callers().busy())
                .latency("call_ms", "call", seen.latency())
                .latency("decision_ms", "decision", window.reading().decisions())
                .figure("target_ms", "target of p95, ms", TARGET_MILLIS)
                .figure("p95_ms", p95 < TARGET_MILLIS ? "p95, ms: met" : "p95, ms: MISSED", p95);
        seen.callers().refused().forEach((why, count) -> report.line(String.format("%-22s%,10d", why, count)));
        return report.put("starts", stored.starts())
                .none("lost", "accepted and not stored", Math.max(0, accepted - ever.starts()))
                .chains(rig.verify())
                .curve("webhooks over REST", "webhooks", window)
                .build();
    }
}
