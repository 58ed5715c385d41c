package dev.flowstone.server.config;

import dev.flowstone.postgres.Keeping;
import java.time.Duration;
import java.util.List;

/** What may start executions from outside. */
final class TriggerSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<Boolean> WEBHOOKS = GROUP.add(Setting.flag(
            "trigger.webhooks", true, "whether deliveries are taken at the addresses of webhook triggers"));
    static final Setting<Boolean> EVENTS = GROUP.add(
            Setting.flag("trigger.events", true, "whether events start what event triggers say, and are taken at all"));
    static final Setting<String> BASE_PATH = GROUP.add(Setting.text(
            "trigger.basePath",
            TriggerConfig.BASE_PATH,
            "path before webhooks' ids in their addresses, such as /hooks; they are at the usual one, too"));
    static final Setting<Boolean> SCHEDULES = GROUP.add(Setting.flag(
            "trigger.schedules", true, "whether schedules of this node's shards fire; the same at all nodes"));
    static final Setting<Duration> MISSED = GROUP.add(Setting.time(
            "trigger.missedAfter",
            TriggerConfig.MISSED_AFTER,
            "by which a schedule's tick may be late, and isn't missed yet; a second to ten minutes"));
    static final Setting<Duration> KEEP = GROUP.add(Setting.time(
            "trigger.keepDeliveries",
            Keeping.DEFAULTS.deliveries(),
            "for which it is kept what came for triggers, and what became of it; an hour at least"));

    private TriggerSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static TriggerConfig of(Sources sources) throws ConfigException {
        return new TriggerConfig(
                sources.value(WEBHOOKS),
                sources.value(SCHEDULES),
                sources.value(MISSED),
                sources.value(EVENTS),
                sources.value(BASE_PATH));
    }
}
