package dev.flowstone.server.config;

import java.util.List;

/** How often somebody may call. */
final class RateSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    private static final int MOST_A_MINUTE = 60_000_000;
    private static final int MOST_AT_ONCE = 1_000_000;

    static final Setting<Integer> CALLS = GROUP.add(Setting.number(
            "rate.callsPerMinute", 60, 0, MOST_A_MINUTE, "of each caller at one node, evenly; 0 for no limit"));
    static final Setting<Integer> CALLS_BURST =
            GROUP.add(Setting.number("rate.callsBurst", 120, 1, MOST_AT_ONCE, "of those that may come at once"));
    static final Setting<Integer> OPERATOR = GROUP.add(Setting.number(
            "rate.operatorCallsPerMinute",
            0,
            0,
            MOST_A_MINUTE,
            "of whoever runs the installation (http.token), instead; 0 for no limit"));
    static final Setting<Integer> OPERATOR_BURST = GROUP.add(
            Setting.number("rate.operatorCallsBurst", 10_000, 1, MOST_AT_ONCE, "of those that may come at once"));
    static final Setting<Integer> WORKERS = GROUP.add(
            Setting.number("rate.workersPerMinute", 60_000, 0, MOST_A_MINUTE, "the same for workers' routes"));
    static final Setting<Integer> WORKERS_BURST =
            GROUP.add(Setting.number("rate.workersBurst", 2_000, 1, MOST_AT_ONCE, "of those that may come at once"));
    static final Setting<Integer> WEBHOOKS = GROUP.add(Setting.number(
            "rate.webhooksPerMinute", 60_000, 0, MOST_A_MINUTE, "calls of each webhook at one node; 0 for no limit"));
    static final Setting<Integer> WEBHOOKS_BURST =
            GROUP.add(Setting.number("rate.webhooksBurst", 2_000, 1, MOST_AT_ONCE, "of those that may come at once"));
    static final Setting<Integer> EXECUTIONS = GROUP.add(Setting.number(
            "rate.executionsPerMinute",
            0,
            0,
            MOST_AT_ONCE,
            "starts of each workflow at one node, as many of them at once; 0 for no limit"));
    static final Setting<Boolean> LOOSE = GROUP.add(Setting.flag(
            "rate.loose", false, "whether that holds for a server that asks for no token (auth.loose), too"));

    private RateSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static RateConfig of(Sources sources) throws ConfigException {
        int executions = sources.value(EXECUTIONS);
        return new RateConfig(
                new RateConfig.Rate(sources.value(CALLS), sources.value(CALLS_BURST)),
                new RateConfig.Rate(sources.value(OPERATOR), sources.value(OPERATOR_BURST)),
                new RateConfig.Rate(sources.value(WORKERS), sources.value(WORKERS_BURST)),
                new RateConfig.Rate(sources.value(WEBHOOKS), sources.value(WEBHOOKS_BURST)),
                new RateConfig.Rate(executions, Math.max(1, executions)),
                sources.value(LOOSE));
    }
}
