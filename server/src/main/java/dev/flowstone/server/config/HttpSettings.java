package dev.flowstone.server.config;

import java.util.List;
import java.util.Optional;

/** Where callers come to. */
final class HttpSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<String> HOST = GROUP.add(Setting.text(
            "http.host",
            "127.0.0.1",
            "address to listen on; another than the loopback's takes http.token or auth.jwt"));
    static final Setting<Integer> PORT = GROUP.add(Setting.port("http.port", 8080, "0 picks a free port"));
    static final Setting<String> TOKEN = GROUP.add(Setting.secret(
            "http.token",
            "what callers send as Authorization: Bearer who run the installation; 32 characters or more"));
    static final Setting<Integer> BODY =
            GROUP.add(Setting.number("http.maxBodyBytes", 4 << 20, 1_024, "longest body of a request"));
    static final Setting<Integer> WAITING = GROUP.add(Setting.number(
            "http.maxWaiting",
            1_000,
            1,
            "starts, signals and decisions that wait for the engine; others are told BUSY"));

    private HttpSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static FlowstoneConfig.Http of(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Http(
                sources.value(HOST),
                sources.value(PORT),
                sources.value(BODY),
                sources.value(WAITING),
                Optional.of(sources.value(TOKEN)).filter(it -> !it.isEmpty()),
                AuthSettings.of(sources),
                RateSettings.of(sources));
    }
}
