package dev.flowstone.server.config;

import dev.flowstone.postgres.Keeping;
import java.time.Duration;
import java.util.List;

/** What is removed from the database, and when. */
final class SweepSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<Duration> EVERY = GROUP.add(Setting.time(
            "sweep.every", Duration.ofHours(1), "pause between rounds that remove what nobody needs any more"));
    static final Setting<Duration> SNAPSHOTS = GROUP.add(Setting.time(
            "sweep.snapshots",
            Keeping.DEFAULTS.snapshots(),
            "of ended runs are kept; without one a run is read whole"));
    static final Setting<Duration> FEED = GROUP.add(Setting.time(
            "sweep.feed", Keeping.DEFAULTS.feed(), "by which readers of events come back to where they were, is kept"));

    private SweepSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static FlowstoneConfig.Sweep of(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Sweep(
                sources.value(EVERY),
                new Keeping(
                        sources.value(SNAPSHOTS),
                        sources.value(FEED),
                        sources.value(OutboxSettings.EVIDENCE),
                        sources.value(EventSettings.KEEP),
                        sources.value(TriggerSettings.KEEP)));
    }
}
