package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.server.config.FlowstoneConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file may say much of the producer, but nothing that breaks what subscribers are promised. */
final class KafkaSinksTest {
    @TempDir
    Path folder = Path.of("");

    private KafkaSinks sinks(Path file) {
        return new KafkaSinks(new FlowstoneConfig.Kafka("kafka:9092", Optional.of(file), List.of("flowstone.*")));
    }

    @Test
    void whatIsPromisedIsNobodysToSet() throws Exception {
        Path file = Files.writeString(folder.resolve("kafka.properties"), """
                acks=1
                enable.idempotence=false
                transactional.id=mine
                partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner
                partitioner.ignore.keys=true
                bootstrap.servers=elsewhere:9092
                linger.ms=20
                """);
        try (KafkaSinks sinks = sinks(file)) {
            Properties settings = sinks.settings();

            assertEquals("all", settings.get("acks"));
            assertEquals("true", settings.get("enable.idempotence"));
            assertEquals("false", settings.get("partitioner.ignore.keys"));
            assertEquals("kafka:9092", settings.get("bootstrap.servers"));
            assertEquals("20", settings.get("linger.ms"));
            assertFalse(settings.containsKey("transactional.id"));
            assertFalse(settings.containsKey("partitioner.class"));
        }
    }

    @Test
    void usersAreNotToldWhereFilesAre() {
        Path file = folder.resolve("secret.properties");
        try (KafkaSinks sinks = sinks(file)) {
            String error = String.valueOf(
                    assertThrows(SendException.class, sinks::settings).getMessage());

            assertFalse(error.contains("secret.properties"), error);
        }
    }
}
