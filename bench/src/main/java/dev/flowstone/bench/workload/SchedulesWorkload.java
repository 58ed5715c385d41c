package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.report.MeasuredReport;
import dev.flowstone.bench.report.Report;
import dev.flowstone.bench.rig.Definition;
import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.bench.rig.ServeProcess;
import dev.flowstone.bench.rig.StoredEvents;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.trigger.Triggers.Change;
import dev.flowstone.engine.trigger.Triggers.Wish;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * Very many schedules of ten tenants that fire at the same second, at a server in a process of its own: how long until the last of their
 * executions has started, by the stored events' times, and how late they are.
 */
final class SchedulesWorkload implements Workload {
    private static final int MOST = 10_000;
    private static final int TENANTS = 10;
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Duration GLANCE = Duration.ofMillis(200);
    private static final Duration BREATH = Duration.ofSeconds(8);

    /** For each schedule that is to be made before they fire. */
    private static final Duration EACH = Duration.ofMillis(6);

    private static final Pattern FIRED = Pattern.compile("(?m)^flowstone_trigger_lateness_seconds_count (\\d+)");
    private static final Actor ACTOR = new Actor("service", "bench");

    @Override
    public String name() {
        return "schedules";
    }

    @Override
    public Report run(Bench bench) throws Exception {
        int count = Math.min(MOST, bench.options().sizes().storm());
        Path folder = Files.createTempDirectory("flowstone-schedules");
        try (Rig rig = Rig.on(bench.server())) {
            List<TenantId> tenants = new ArrayList<>();
            Definition step = Definitions.echo();
            for (int i = 0; i < TENANTS; i++) {
                tenants.add(new TenantId("bench-" + i));
                rig.publish(tenants.getLast(), step);
            }
            Instant tick;
            double made;
            try (ServeProcess server = ServeProcess.start(
                    bench.http().commandLine(), Rig.NODE, rig.config(), NodeCertificates.in(folder))) {
                Instant begun = rig.ports().clock().now();
                tick = Instant.ofEpochSecond(
                        begun.plus(BREATH).plus(EACH.multipliedBy(count)).getEpochSecond());
                make(rig.triggers(), count, tenants, new WorkflowId(step.id()), tick, bench);
                Instant ready = rig.ports().clock().now();
                made = Duration.between(begun, ready).toNanos() / 1e9;
                if (!ready.isBefore(tick.minusSeconds(1))) {
                    throw new IllegalStateException("the schedules weren't made before they fire: " + made + " s");
                }
                await(server, count, tick, bench);
            }
            bench.tell("verifying every chain");
            return report(rig, count, tick, made);
        } finally {
            NodesWorkload.delete(folder);
        }
    }

    /** Each tenant's by one thread, since a tenant's are made one after the other. */
    private static void make(
            Triggers triggers, int count, List<TenantId> tenants, WorkflowId workflow, Instant tick, Bench bench)
            throws Exception {
        bench.tell("making " + count + " schedules");
        OffsetDateTime at = tick.atOffset(ZoneOffset.UTC);
        String cron = String.join(
                        " ",
                        List.of(at.getSecond(), at.getMinute(), at.getHour(), at.getDayOfMonth(), at.getMonthValue())
                                .stream()
                                .map(String::valueOf)
                                .toList())
                + " *";
        Wish wish = new Wish(
                JsonObject.builder()
                        .put("cron", cron)
                        .put("timeZone", "UTC")
                        .put("missedFirePolicy", "skip")
                        .build(),
                Optional.empty(),
                Optional.empty());
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int tenant = 0; tenant < TENANTS; tenant++) {
                TenantId whose = tenants.get(tenant);
                int its = count / TENANTS + (tenant < count % TENANTS ? 1 : 0);
                all.add(threads.submit(() -> {
                    for (int i = 0; i < its; i++) {
                        Change made = triggers.create(
                                new TriggerKey(whose, TriggerId.random()),
                                workflow,
                                TriggerKind.SCHEDULE,
                                true,
                                wish,
                                Optional.empty(),
                                ACTOR);
                        if (!(made instanceof Change.Made)) {
                            throw new IllegalStateException("a schedule can't be made: " + made);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private static void await(ServeProcess server, int count, Instant tick, Bench bench) throws Exception {
        bench.tell("waiting for " + tick);
        long end = System.nanoTime()
                + Duration.between(Instant.now(), tick).plus(LONGEST).toNanos();
        while (fired(server) < count) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("only " + fired(server) + " of " + count + " schedules have fired");
            }
            server.requireAlive();
            Thread.sleep(GLANCE);
        }
    }

    private static long fired(ServeProcess server) {
        Matcher count = FIRED.matcher(server.get("/metrics"));
        return count.find() ? Long.parseLong(count.group(1)) : 0;
    }

    private Report report(Rig rig, int count, Instant tick, double made) throws JournalException {
        Lateness late = Lateness.of(rig.entries(), tick);
        return MeasuredReport.of(name())
                .count("schedules", "schedules at one tick", count)
                .figure("made_s", "made within, s", made)
                .figure("last_started_s", "the last started after, s", late.last.toNanos() / 1e9)
                .rate(
                        "started_per_s",
                        "started",
                        late.micros.getTotalCount() / Math.max(1e-3, late.last.toNanos() / 1e9))
                .latency("late_ms", "late by", late.micros)
                .must(
                        "once_each",
                        late.micros.getTotalCount() == count,
                        late.micros.getTotalCount() + " executions of " + count + " schedules")
                .chains(rig.verify())
                .build();
    }

    /** Of executions, after the tick that started them. */
    private static final class Lateness {
        private final Histogram micros = new Histogram(LoadMeter.LONGEST_MICROS, 3);
        private Duration last = Duration.ZERO;

        static Lateness of(EntrySource source, Instant tick) throws JournalException {
            Lateness all = new Lateness();
            StoredEvents.each(source, (_, _, events) -> events.forEach(event -> all.add(event, tick)));
            return all;
        }

        private void add(Event event, Instant tick) {
            if (event.body() instanceof EventBody.RunStarted) {
                Duration late = Duration.between(tick, event.header().eventTime());
                micros.recordValue(Math.clamp(late.toNanos() / 1_000, 0, LoadMeter.LONGEST_MICROS));
                last = late.compareTo(last) > 0 ? late : last;
            }
        }
    }
}
