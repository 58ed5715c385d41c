package dev.flowstone.server.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Connectors that somebody adds, and their credentials. */
final class ConnectorSettings {
    private static final SettingGroup GROUP = new SettingGroup();
    private static final Pattern TOKEN = Pattern.compile("CONNECTOR_[A-Z0-9_]+_TOKEN");

    static final Setting<String> PLUGINS = GROUP.add(Setting.text(
            "connector.plugins",
            "",
            "folder of jars, and of folders of jars, that bring connectors along; read at the start"));
    static final Setting<String> CONFIG = GROUP.add(
            Setting.text(
                    "connector.config",
                    "",
                    "folder with a file ID.json for each connector that needs a configuration, a JSON object; read at the start"));
    static final Setting<String> CREDENTIALS = GROUP.add(
            Setting.text(
                    "connector.credentials",
                    "",
                    "folder with a file for each connector, named by its id, that holds its token; goes before CONNECTOR_ID_TOKEN"));

    private ConnectorSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static ConnectorConfig of(Sources sources) throws ConfigException {
        Map<String, String> tokens = new HashMap<>(sources.environment());
        tokens.keySet().removeIf(name -> !TOKEN.matcher(name).matches());
        return new ConnectorConfig(
                folder(sources.value(PLUGINS)),
                folder(sources.value(CONFIG)),
                folder(sources.value(CREDENTIALS)),
                tokens);
    }

    private static Optional<Path> folder(String given) {
        return given.isBlank() ? Optional.empty() : Optional.of(Path.of(given));
    }
}
