package dev.flowstone.server.health;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.node.Skew;
import dev.flowstone.engine.ownership.Census;
import dev.flowstone.engine.read.Backlog;
import dev.flowstone.engine.read.DeadRows;
import dev.flowstone.engine.stuck.StuckKind;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.server.config.HealthLimits;
import dev.flowstone.server.metric.Recent;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Looks at everything, at most every few seconds however often somebody asks. Thread-safe. */
public final class HealthChecks {
    private static final System.Logger LOG = System.getLogger(HealthChecks.class.getName());
    private static final Duration FRESH = Duration.ofSeconds(2);
    private static final double MEGABYTE = 1 << 20;
    private static final double MILLIS = 1_000;

    /** Of the time that a lease is granted for: it is renewed long before less is left. */
    private static final int LEAST_LEASE = 4;

    /** Broken ones that are counted at most, and those that are named. */
    private static final int SUBSCRIPTIONS = 1_000;

    private static final int NAMED = 5;

    private final HealthSources sources;
    private final HealthLimits limits;
    private final Clock clock;
    private final Supplier<HealthReport> recent;

    public HealthChecks(HealthSources sources, HealthLimits limits, Clock clock) {
        this.sources = requireNonNull(sources);
        this.limits = requireNonNull(limits);
        this.clock = requireNonNull(clock);
        this.recent = new Recent<>(this::look, FRESH);
    }

    /** As it was within the last seconds. */
    public HealthReport report() {
        return recent.get();
    }

    /** As it is now. */
    HealthReport look() {
        List<HealthItem> items = new ArrayList<>();
        items.add(HealthItem.must(
                "ready",
                sources.ready().getAsBoolean(),
                "wait if it has just started; else its log says what keeps it, mostly the database"));
        items.add(HealthItem.most(
                "clockOffsetSeconds",
                Skew.clock(sources.load().get()).abs().toMillis() / MILLIS,
                seconds(limits.clockOffset()),
                "",
                "run a time service on this machine and on the database's"));
        sources.freeDisk()
                .get()
                .ifPresent(bytes -> items.add(HealthItem.least(
                        "freeDiskMegabytes",
                        bytes / MEGABYTE,
                        limits.freeDiskMegabytes(),
                        "",
                        "give the data directory's disk more room, or archive old months")));
        items.add(stuck());
        try {
            ofDatabase(items);
            items.add(HealthItem.must("database", true, ""));
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "health can't be read from the database now: " + e.getMessage());
            items.add(HealthItem.must(
                    "database", false, "the database doesn't answer; what is read from it is missing here"));
        }
        return new HealthReport(items);
    }

    private HealthItem stuck() {
        Map<StuckKind, Long> kinds = sources.stuck().get();
        String detail = kinds.entrySet().stream()
                .filter(kind -> kind.getKey().alarms() && kind.getValue() > 0)
                .sorted(Map.Entry.comparingByKey())
                .map(kind -> kind.getKey() + " " + kind.getValue())
                .collect(Collectors.joining(", "));
        return HealthItem.most(
                "stuckRuns",
                (double) kinds.entrySet().stream()
                        .filter(kind -> kind.getKey().alarms())
                        .mapToLong(Map.Entry::getValue)
                        .sum(),
                0,
                detail,
                "flowstone stuck lists them, with what helps");
    }

    private void ofDatabase(List<HealthItem> items) throws JournalException {
        Instant now = clock.now();
        leases(items);
        if (sources.backlog().isPresent()) {
            backlog(items, sources.backlog().get().read(now), now);
        }
        subscriptions(items, sources.broken().read(SUBSCRIPTIONS));
        if (sources.deadRows().isPresent()) {
            deadRows(items, sources.deadRows().get().read());
        }
        if (sources.partitions().isPresent()) {
            Instant until = sources.partitions().get().readyUntil(now);
            items.add(
                    HealthItem.least(
                            "partitionsAheadDays",
                            Math.floor(Duration.between(now, until).toHours() / 24.0),
                            (double) limits.partitionsAhead().toDays(),
                            "until " + until,
                            "making them fails, or one was dropped: a server's log says why; commits make the month that they miss"));
        }
        if (sources.freeConnections().isPresent()) {
            items.add(HealthItem.least(
                    "freeConnections",
                    (double) sources.freeConnections().get().read(),
                    limits.freeConnections(),
                    "",
                    "raise max_connections of the database, or lower database.engineConnections and apiConnections"));
        }
    }

    private void leases(List<HealthItem> items) throws JournalException {
        Census census = sources.leases().census();
        List<Shard> free = sources.leases().shards().stream()
                .filter(shard -> !census.holdings().containsKey(shard.id()))
                .toList();
        items.add(
                new HealthItem(
                        "shardsWithoutOwner",
                        free.isEmpty() ? HealthStatus.OK : HealthStatus.FAIL,
                        free.size(),
                        0,
                        free.stream().map(shard -> shard.id().toString()).collect(Collectors.joining(", ")),
                        "their runs stand still until a node takes them, within ten seconds; longer: start a node, or look at their logs"));
        Optional<Duration> shortest = census.holdings().values().stream()
                .filter(holding -> holding.holder().equals(sources.node()))
                .map(Census.Holding::left)
                .min(Comparator.naturalOrder());
        shortest.ifPresent(left -> items.add(HealthItem.least(
                "ownLeaseSeconds",
                left.toMillis() / MILLIS,
                sources.lease().toMillis() / MILLIS / LEAST_LEASE,
                "",
                "this node hardly gets its leases renewed: the machine or the database is overwhelmed")));
    }

    private void backlog(List<HealthItem> items, Backlog backlog, Instant now) {
        items.add(HealthItem.most(
                "outboxPending",
                (double) backlog.outboxPending(),
                (double) limits.outboxPending(),
                "",
                "destinations are slow or away, or messages come faster than they may leave"));
        items.add(HealthItem.most(
                "outboxOldestSeconds",
                age(backlog.outboxOldest(), now),
                seconds(limits.outboxOldest()),
                "",
                "look at its destination; it is tried again by itself"));
        items.add(HealthItem.most(
                "deadLetters",
                (double) backlog.outboxDead(),
                0,
                "",
                "messages that were given up: see why, and send them again or drop them"));
        items.add(HealthItem.most(
                "inboxOldestSeconds",
                age(backlog.inboxOldest(), now),
                seconds(limits.inboxOldest()),
                "",
                "its shard has no owner, or its run is set aside: flowstone stuck"));
    }

    private static void subscriptions(List<HealthItem> items, List<SubscriptionKey> broken) {
        items.add(HealthItem.most(
                "brokenSubscriptions",
                broken.size(),
                0,
                broken.stream().limit(NAMED).map(SubscriptionKey::toString).collect(Collectors.joining(", ")),
                "their events wait for somebody: flowstone subscriptions show says why; resume, rewind or skip"));
    }

    private void deadRows(List<HealthItem> items, DeadRows rows) {
        Optional<Map.Entry<String, Long>> most =
                rows.tables().entrySet().stream().max(Map.Entry.comparingByValue());
        items.add(HealthItem.most(
                "deadRows",
                most.map(Map.Entry::getValue).orElse(0L),
                (double) limits.deadRows(),
                most.map(Map.Entry::getKey).orElse(""),
                "autovacuum doesn't keep up, or an old transaction holds it up"));
        rows.oldestSnapshot()
                .ifPresent(age -> items.add(HealthItem.most(
                        "oldestTransactionSeconds",
                        age.toMillis() / MILLIS,
                        seconds(limits.oldestTransaction()),
                        "",
                        "pg_stat_activity names its session, pg_prepared_xacts a prepared one: end it")));
    }

    private static double age(Optional<Instant> since, Instant now) {
        return since.map(it -> Math.max(0, Duration.between(it, now).toMillis() / MILLIS))
                .orElse(0.0);
    }

    private static double seconds(Duration time) {
        return time.toMillis() / MILLIS;
    }
}
