package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.outbound.WebhookSignature;
import dev.flowstone.server.e2e.Arrivals.Arrival;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.effect.Receiver.Received;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events on their way from the journal to somebody's endpoint, on PostgreSQL: at least once, each run's in order. */
final class EventsOutTest {
    @TempDir
    Path data = Path.of("");

    @Test
    void everyEventArrivesSignedAndInTheOrderOfItsRun() throws Exception {
        try (Crm crm = new Crm();
                House house = crm.open(data)) {
            house.publish(Crm.STEPS);
            Map<String, Long> before = Crm.runs(house, 2);
            Answer made = house.put(Crm.NAME, Crm.WISH).expect(201);
            assertTrue(made.text().contains("\"sink\":{\"webhook\":\"crm\"}"), made::text);
            Map<String, Long> after = Crm.runs(house, 8);

            crm.arrivals.await(before);
            crm.arrivals.await(after);

            crm.arrivals.assertInOrder();
            Received first = crm.receiver.next();
            JsonObject event = Crm.event(first);
            assertEquals("application/cloudevents+json", first.header("Content-Type"));
            assertEquals(
                    WebhookSignature.Verdict.GENUINE,
                    WebhookSignature.verify(
                            first.headers(), first.body(), List.of(Crm.SECRET), Instant.now(), Duration.ofMinutes(5)));
            assertEquals(Arrival.text(event, "id").replace('/', ':'), first.header("webhook-id"));
            assertEquals("1.0", Arrival.text(event, "specversion"));
            assertEquals("/flowstone/default/steps", Arrival.text(event, "source"));
            assertEquals("dev.flowstone.RunStarted", Arrival.text(event, "type"));
            JsonObject data = (JsonObject) event.find("data").orElseThrow();
            assertEquals(Arrival.text(event, "subject"), Arrival.text(data, "run_id"));
            assertEquals(Arrival.text(event, "time"), Arrival.text(data, "event_time"));
            long events = Stream.of(before, after)
                    .flatMap(runs -> runs.values().stream())
                    .mapToLong(Long::longValue)
                    .sum();
            Crm.until(house, shown -> Crm.isUpToDate(shown) && Crm.delivered(shown) >= events);
            assertTrue(house.metrics()
                    .text()
                    .contains("flowstone_events_out_total{outcome=\"delivered\",sink=\"webhook\"}"));
        }
    }

    @Test
    void aFilterLetsThroughWhatIsWanted() throws Exception {
        try (Crm crm = new Crm();
                House house = crm.open(data)) {
            house.publish(Crm.STEPS);
            house.publish(Crm.STEPS.replace("\"steps\"", "\"others\""));
            house.put(Crm.NAME, """
                    {"sink": {"webhook": "crm"}, "filter": {"types": ["RunCompleted"], "workflows": ["steps"]}}""").expect(201);
            house.run("others", "{}");
            RunRow row = house.run("steps", "{}");

            Crm.until(house, Crm::isUpToDate);

            assertEquals(
                    List.of(row.key().run() + " dev.flowstone.RunCompleted"),
                    crm.arrivals.all().stream()
                            .map(one -> one.run() + " " + one.type())
                            .distinct()
                            .toList());
            house.put("/subscriptions/example", Files.readString(Path.of("..", "examples", "events", "crm.json")))
                    .expect(201);
            assertEquals(
                    "INVALID_REQUEST",
                    house.put(Crm.NAME, "{\"sink\": {\"webhook\": \"nobody\"}}")
                            .expect(400)
                            .text("code"));
            assertEquals(
                    "INVALID_REQUEST",
                    house.put(Crm.NAME, "{\"sink\": {\"kafka\": \"flowstone.orders\"}}")
                            .expect(400)
                            .text("code"));
            assertEquals(
                    "INVALID_REQUEST",
                    house.put(Crm.NAME, "{\"sink\": {\"webhook\": \"crm\"}, \"filter\": {\"types\": [\"Nonsense\"]}}")
                            .expect(400)
                            .text("code"));
        }
    }

    /** Refused, slow, by chance: each run's events still come in order, and all of them. */
    @Test
    void theOrderHoldsWhateverFails() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (Crm crm = new Crm();
                House house = crm.open(data)) {
            crm.answering(_ -> {
                int draw;
                synchronized (random) {
                    draw = random.nextInt(40);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(draw % 10));
                return draw < 3 ? List.of(500, 429, 404).get(draw) : 204;
            });
            house.publish(Crm.STEPS);
            house.put(Crm.NAME, Crm.WISH).expect(201);

            crm.arrivals.await(Crm.runs(house, 10));

            crm.arrivals.assertInOrder();
            Crm.until(house, it -> Crm.isUpToDate(it) && Crm.is(it, "active"));
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    @Test
    void aRestartLosesNothing() throws Exception {
        try (Crm crm = new Crm()) {
            crm.answering(_ -> {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                return 204;
            });
            Map<String, Long> all = new HashMap<>();
            try (House house = crm.open(data)) {
                house.publish(Crm.STEPS);
                house.put(Crm.NAME, Crm.WISH).expect(201);
                all.putAll(Crm.runs(house, 5));
                crm.receiver.next();
            }
            for (int restart = 0; restart < 2; restart++) {
                try (House house = crm.open(data)) {
                    all.putAll(Crm.runs(house, 3));
                    crm.receiver.next();
                }
            }
            try (House house = crm.open(data)) {
                crm.arrivals.await(all);
                Crm.until(house, Crm::isUpToDate);
            }
            crm.arrivals.assertInOrder();
        }
    }
}
