package dev.flowstone.server.config;

import dev.flowstone.server.log.LogFormat;
import java.util.List;
import java.util.Optional;

/** What a node tells of itself, in its log and in traces. */
final class LogSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<LogFormat> LOG_FORMAT = GROUP.add(
            new Setting<>("log.format", "text or json", "text", "how the log is written", false, LogFormat::parse));
    static final Setting<Boolean> LOG_EMAIL = GROUP.add(Setting.flag(
            "log.requesterEmail",
            false,
            "whether lines of runs name the e-mail address of whom they were started for"));

    static final Setting<String> TRACE_ENDPOINT = GROUP.add(Setting.text(
            "trace.endpoint", "", "where spans go, as OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces"));
    static final Setting<Double> TRACE_RATIO =
            GROUP.add(Setting.share("trace.ratio", 1, "of the traces that begin here and are sent there"));
    static final Setting<String> TRACE_SERVICE =
            GROUP.add(Setting.text("trace.service", "flowstone", "the service's name in traces"));

    private LogSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static LogConfig log(Sources sources) throws ConfigException {
        return new LogConfig(sources.value(LOG_FORMAT), sources.value(LOG_EMAIL));
    }

    static FlowstoneConfig.Trace trace(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Trace(
                Optional.of(sources.value(TRACE_ENDPOINT)).filter(it -> !it.isBlank()),
                sources.value(TRACE_RATIO),
                sources.value(TRACE_SERVICE));
    }
}
