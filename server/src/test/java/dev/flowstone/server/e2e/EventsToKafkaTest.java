package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.e2e.Arrivals.Arrival;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events on their way into a real Kafka: a run's in one partition and in order, all of them, whatever stops meanwhile. */
final class EventsToKafkaTest {
    private static final String TOPIC = "flowstone.events";
    private static final String STEPS = """
            {"id": "steps", "displayName": "Steps", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "edges": [{"targetNode": "b"}]},
              {"id": "b", "actionType": "core.echo"}]}""";

    @TempDir
    Path folder = Path.of("");

    private final Map<String, Long> events = new HashMap<>();

    private House open(KafkaBroker kafka) throws Exception {
        return House.open(
                folder.resolve("data"), Map.of("kafka.bootstrapServers", kafka.servers()), BuiltInActions.registry());
    }

    private void runs(House house, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            RunRow row = house.run("steps", "{}");
            events.put(row.key().run().toString(), row.lastSequence());
        }
    }

    private static void untilUpToDate(House house) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (true) {
            House.Answer answer = house.get("/subscriptions/lake").expect(200);
            if (answer.text().contains("\"behind\":{\"rows\":0,")) {
                return;
            }
            assertTrue(System.nanoTime() < end, answer::text);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private void check(List<ConsumerRecord<String, byte[]>> records) throws Exception {
        Arrivals arrivals = new Arrivals();
        Map<String, Set<Integer>> partitions = new HashMap<>();
        for (ConsumerRecord<String, byte[]> record : records) {
            Arrival one = Arrival.of((JsonObject) House.value(new String(record.value(), StandardCharsets.UTF_8)));
            assertEquals(one.run(), record.key());
            assertEquals(
                    "application/cloudevents+json; charset=UTF-8",
                    new String(record.headers().lastHeader("content-type").value(), StandardCharsets.UTF_8));
            partitions.computeIfAbsent(one.run(), _ -> new HashSet<>()).add(record.partition());
            arrivals.take(one);
        }
        arrivals.assertInOrder();
        arrivals.await(events);
        assertTrue(partitions.values().stream().allMatch(of -> of.size() == 1), partitions::toString);
    }

    @Test
    void aRunsEventsLieInOnePartitionInOrder() throws Exception {
        try (KafkaBroker kafka = new KafkaBroker(folder.resolve("kafka"))) {
            kafka.topic(TOPIC, 4);
            try (House house = open(kafka)) {
                house.publish(STEPS);
                assertEquals(
                        "INVALID_REQUEST",
                        house.put("/subscriptions/lake", "{\"sink\": {\"kafka\": \"secret\"}}")
                                .expect(400)
                                .text("code"));
                house.put("/subscriptions/lake", "{\"sink\": {\"kafka\": \"" + TOPIC + "\"}, \"from\": \"beginning\"}")
                        .expect(201);
                runs(house, 10);
                untilUpToDate(house);
                check(kafka.records(TOPIC));

                // A broker that stops is waited for.
                kafka.stopBroker();
                runs(house, 5);
                kafka.startBroker();
                untilUpToDate(house);
            }
            try (House house = open(kafka)) {
                runs(house, 3);
                untilUpToDate(house);
            }
            check(kafka.records(TOPIC));
        }
    }
}
