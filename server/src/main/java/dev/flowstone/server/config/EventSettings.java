package dev.flowstone.server.config;

import dev.flowstone.postgres.Keeping;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What is set about events that leave. */
final class EventSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<Integer> AT_ONCE = GROUP.add(Setting.number(
            "events.atOnce",
            16,
            1,
            "events of one node under way at once to one endpoint or topic, unless webhook.NAME.atOnce says"));
    static final Setting<Duration> BROKEN_AFTER = GROUP.add(Setting.life(
            "events.brokenAfter",
            Duration.ofHours(24),
            "for which a subscription may fail without getting on; then it is broken, and waits for somebody"));
    static final Setting<Duration> KEEP = GROUP.add(Setting.time(
            "events.keepForSubscriptions",
            Keeping.DEFAULTS.subscriptions(),
            "for which the feed keeps what a subscription has yet to send, if that is longer than sweep.feed"));
    static final Setting<String> KAFKA_SERVERS = GROUP.add(Setting.text(
            "kafka.bootstrapServers", "", "HOST:PORT of Kafka's brokers with commas between them; none for no Kafka"));
    static final Setting<String> KAFKA_PROPERTIES = GROUP.add(Setting.text(
            "kafka.properties", "", "file with more of the producer's settings: TLS, SASL, batches, time limits"));
    static final Setting<List<String>> KAFKA_TOPICS = GROUP.add(new Setting<>(
            "kafka.topics",
            "names with commas between them, each perhaps with a * at its end",
            "flowstone.*",
            "topics that subscriptions may name",
            false,
            NameLists::topics));

    private EventSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static FlowstoneConfig.Events of(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Events(sources.value(AT_ONCE), sources.value(BROKEN_AFTER), kafka(sources));
    }

    private static Optional<FlowstoneConfig.Kafka> kafka(Sources sources) throws ConfigException {
        String servers = sources.value(KAFKA_SERVERS);
        String properties = sources.value(KAFKA_PROPERTIES);
        if (servers.isBlank()) {
            return Optional.empty();
        }
        Optional<Path> file = properties.isBlank() ? Optional.empty() : Optional.of(Path.of(properties));
        if (file.isPresent() && !Files.isReadable(file.get())) {
            throw new ConfigException("kafka.properties names " + file.get() + ", which can't be read");
        }
        return Optional.of(new FlowstoneConfig.Kafka(servers, file, sources.value(KAFKA_TOPICS)));
    }
}
