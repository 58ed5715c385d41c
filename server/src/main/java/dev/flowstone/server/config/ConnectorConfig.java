package dev.flowstone.server.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Which connectors there are besides those that come with Flowstone, and where their credentials are.
 *
 * @param plugins folder of jars that bring connectors along
 * @param configs folder with what is set for connectors
 * @param credentials folder with a file for each connector
 * @param variables of the environment that hold tokens of connectors
 */
public record ConnectorConfig(
        Optional<Path> plugins, Optional<Path> configs, Optional<Path> credentials, Map<String, String> variables) {
    public ConnectorConfig {
        requireNonNull(plugins);
        requireNonNull(configs);
        requireNonNull(credentials);
        variables = Map.copyOf(variables);
    }

    /** Without the tokens. */
    @Override
    public String toString() {
        return "connectors of " + plugins.map(Path::toString).orElse("Flowstone");
    }
}
