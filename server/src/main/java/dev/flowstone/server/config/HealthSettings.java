package dev.flowstone.server.config;

import java.time.Duration;
import java.util.List;

/** What is no reason to warn. */
final class HealthSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<Duration> SKEW_WAIT = GROUP.add(Setting.time(
            "skew.wait", Duration.ofSeconds(30), "that something may wait at this node before the log warns of it"));
    static final Setting<Duration> SKEW_CLOCK = GROUP.add(Setting.time(
            "skew.clock", Duration.ofSeconds(1), "between this node's clock and the database's before the log warns"));

    static final Setting<Duration> STUCK_AFTER = GROUP.add(Setting.life(
            "stuck.after", Duration.ofMinutes(15), "without progress before a run counts as one that stands still"));
    static final Setting<Duration> STUCK_EVERY = GROUP.add(Setting.life(
            "stuck.every", Duration.ofMinutes(1), "pause between looks for runs that stand still, a few pages each"));

    static final Setting<Long> OUTBOX =
            GROUP.add(Setting.count("health.outboxPending", 10_000, 0, "messages that may wait to leave"));
    static final Setting<Duration> OUTBOX_OLDEST = GROUP.add(
            Setting.life("health.outboxOldest", Duration.ofMinutes(5), "that the first of them may have been due"));
    static final Setting<Duration> INBOX_OLDEST =
            GROUP.add(Setting.life("health.inboxOldest", Duration.ofMinutes(5), "that a message may wait for its run"));
    static final Setting<Duration> TRANSACTION = GROUP.add(Setting.life(
            "health.oldestTransaction", Duration.ofMinutes(15), "that a transaction may keep the database's old rows"));
    static final Setting<Long> DEAD_ROWS =
            GROUP.add(Setting.count("health.deadRows", 1_000_000, 0, "rows of one table that nothing needs any more"));
    static final Setting<Duration> PARTITIONS = GROUP.add(Setting.life(
            "health.partitionsAhead", Duration.ofDays(30), "ahead, for which months must have their partitions"));
    static final Setting<Integer> CONNECTIONS =
            GROUP.add(Setting.number("health.freeConnections", 10, 0, "connections that the database must have left"));
    static final Setting<Integer> DISK = GROUP.add(Setting.number(
            "health.freeDiskMegabytes", 1_024, 0, "that the disk of the embedded database must have left"));

    private HealthSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static FlowstoneConfig.Bearable bearable(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Bearable(sources.value(SKEW_WAIT), sources.value(SKEW_CLOCK));
    }

    static FlowstoneConfig.Stuck stuck(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Stuck(sources.value(STUCK_AFTER), sources.value(STUCK_EVERY));
    }

    static HealthLimits limits(Sources sources) throws ConfigException {
        return new HealthLimits(
                sources.value(OUTBOX),
                sources.value(OUTBOX_OLDEST),
                sources.value(INBOX_OLDEST),
                sources.value(TRANSACTION),
                sources.value(DEAD_ROWS),
                sources.value(PARTITIONS),
                sources.value(CONNECTIONS),
                sources.value(DISK),
                sources.value(SKEW_CLOCK));
    }
}
