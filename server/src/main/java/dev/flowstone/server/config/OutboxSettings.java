package dev.flowstone.server.config;

import dev.flowstone.engine.effect.OutboxConfig;
import dev.flowstone.postgres.Keeping;
import java.time.Duration;
import java.util.List;

/** How messages leave. */
final class OutboxSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<Integer> AT_ONCE = GROUP.add(
            Setting.number("outbox.atOnce", 8, 1, "deliveries of one node under way at once to one destination"));
    static final Setting<Integer> ATTEMPTS = GROUP.add(Setting.number(
            "outbox.attempts", OutboxConfig.DEFAULT.attempts(), 1, "to deliver a message; then it is a dead letter"));
    static final Setting<Duration> EVIDENCE = GROUP.add(Setting.time(
            "outbox.keepEvidence",
            Keeping.DEFAULTS.evidence(),
            "for which it is kept what came of each attempt to deliver a message"));

    private OutboxSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static FlowstoneConfig.Outbox of(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Outbox(sources.value(AT_ONCE), sources.value(ATTEMPTS), WebhookSettings.of(sources));
    }
}
