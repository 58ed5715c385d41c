package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/** A real Kafka in this process: one node, broker and controller in one. */
final class KafkaBroker implements AutoCloseable {
    /** Kept, so that what was set isn't forgotten with them. */
    private static final List<Logger> QUIET =
            List.of(Logger.getLogger("org.apache.kafka"), Logger.getLogger("kafka"), Logger.getLogger("state"));

    private final KafkaClusterTestKit kit;

    KafkaBroker(Path directory) throws Exception {
        QUIET.forEach(logger -> logger.setLevel(Level.SEVERE));
        TestKitNodes nodes = new TestKitNodes.Builder()
                .setCombined(true)
                .setNumBrokerNodes(1)
                .setNumControllerNodes(1)
                .setBaseDirectory(directory)
                .build();
        kit = new KafkaClusterTestKit.Builder(nodes)
                .setConfigProp("offsets.topic.replication.factor", "1")
                .setConfigProp("offsets.topic.num.partitions", "1")
                .setConfigProp("transaction.state.log.replication.factor", "1")
                .setConfigProp("group.initial.rebalance.delay.ms", "0")
                .setConfigProp("auto.create.topics.enable", "false")
                .setDeleteOnClose(false)
                .build();
        kit.format();
        kit.startup();
        kit.waitForReadyBrokers();
    }

    String servers() {
        return kit.bootstrapServers();
    }

    void topic(String name, int partitions) throws Exception {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", servers()))) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(partitions), Optional.empty())))
                    .all()
                    .get(60, TimeUnit.SECONDS);
        }
    }

    /** Records of a topic up to its end, each partition's in order. */
    List<ConsumerRecord<String, byte[]>> records(String topic) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", servers());
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(one -> new TopicPartition(topic, one.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
                assertTrue(System.nanoTime() < end, ends::toString);
                consumer.poll(Duration.ofMillis(500)).records(topic).forEach(records::add);
            }
        }
        return records;
    }

    /** It keeps its port and its log. */
    void stopBroker() {
        kit.brokers().values().forEach(broker -> {
            broker.shutdown();
            broker.awaitShutdown();
        });
    }

    void startBroker() {
        kit.brokers().values().forEach(broker -> broker.startup());
    }

    @Override
    public void close() throws IOException {
        try {
            kit.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IOException("Kafka doesn't stop", e);
        }
    }
}
