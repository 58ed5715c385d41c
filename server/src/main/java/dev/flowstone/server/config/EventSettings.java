package dev.flowstone.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What is set about events that leave. */
final class EventSettings {
    private EventSettings() {}

    static FlowstoneConfig.Events of(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Events(
                sources.value(Settings.EVENTS_AT_ONCE), sources.value(Settings.EVENTS_BROKEN_AFTER), kafka(sources));
    }

    private static Optional<FlowstoneConfig.Kafka> kafka(Sources sources) throws ConfigException {
        String servers = sources.value(Settings.KAFKA_SERVERS);
        String properties = sources.value(Settings.KAFKA_PROPERTIES);
        if (servers.isBlank()) {
            return Optional.empty();
        }
        Optional<Path> file = properties.isBlank() ? Optional.empty() : Optional.of(Path.of(properties));
        if (file.isPresent() && !Files.isReadable(file.get())) {
            throw new ConfigException("kafka.properties names " + file.get() + ", which can't be read");
        }
        return Optional.of(new FlowstoneConfig.Kafka(servers, file, sources.value(Settings.KAFKA_TOPICS)));
    }
}
