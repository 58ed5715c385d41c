package dev.flowstone.server.e2e;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/** A real Kafka in this process: one node, broker and controller in one. */
final class KafkaBroker implements AutoCloseable {
    /** Kept, so that what was set isn't forgotten with them. */
    private static final List<Logger> QUIET = List.of(
            Logger.getLogger("org.apache.kafka"), Logger.getLogger("kafka"), Logger.getLogger("state"));

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

    /** Records of a topic, in the order in which one consumer gets them, until there are so many. */
    List<ConsumerRecord<String, byte[]>> records(String topic, int least) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", servers());
        settings.put("group.id", "test-" + UUID.randomUUID());
        settings.put("auto.offset.reset", "earliest");
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (records.size() < least && System.nanoTime() < end) {
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
    public void close() throws Exception {
        kit.close();
    }
}
