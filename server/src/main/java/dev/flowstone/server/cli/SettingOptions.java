package dev.flowstone.server.cli;

import dev.flowstone.server.config.ConfigException;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Setting;
import dev.flowstone.server.config.Settings;
import dev.flowstone.server.config.Sources;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Settings for commands that open no database. */
final class SettingOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Settings as JSON or .properties; FLOWSTONE_CONFIG names it too.")
    private @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "Any setting; `flowstone serve --help` lists them.")
    private Map<String, String> settings = new LinkedHashMap<>();

    FlowstoneConfig config() throws ConfigException {
        return config(Map.of());
    }

    /** With the flags of the command's own. */
    FlowstoneConfig config(Map<String, String> own) throws ConfigException {
        Map<String, String> flags = new LinkedHashMap<>(settings);
        flags.putAll(own);
        return FlowstoneConfig.of(Sources.of(flags, System.getenv(), Optional.ofNullable(config)));
    }

    /** How to set the same in another call, without what is secret. */
    String again() {
        StringBuilder words = new StringBuilder();
        if (config != null) {
            words.append(" --config ").append(Hints.word(config.toString()));
        }
        for (Setting<?> setting : Settings.all()) {
            String value = settings.get(setting.name());
            if (value != null && !setting.secret()) {
                words.append(" --set ").append(Hints.word(setting.name() + "=" + value));
            }
        }
        return words.toString();
    }
}
