package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import dev.flowstone.server.e2e.Arrivals.Arrival;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.effect.Receiver;
import dev.flowstone.server.effect.Receiver.Received;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events on their way from the journal to somebody's endpoint, on PostgreSQL: at least once, each run's in order. */
final class EventsOutTest {
    private static final WebhookSecret SECRET = WebhookSecret.generate();
    private static final String STEPS = """
            {"id": "steps", "displayName": "Steps", "startNode": "a",
             "nodes": [{"id": "a", "actionType": "core.echo", "edges": [{"targetNode": "b"}]},
                       {"id": "b", "actionType": "core.echo", "edges": [{"targetNode": "c"}]},
                       {"id": "c", "actionType": "core.echo"}]}""";
    private static final String CRM = "/subscriptions/crm";
    private static final String TO_CRM = "{\"sink\": {\"webhook\": \"crm\"}, \"from\": \"beginning\"}";

    @TempDir
    Path data = Path.of("");

    private final Arrivals arrivals = new Arrivals();

    private House open(Receiver receiver, String... more) throws Exception {
        Map<String, String> flags = new HashMap<>();
        flags.put("webhook.crm.url", receiver.url());
        flags.put("webhook.crm.secret", SECRET.text());
        for (int i = 0; i < more.length; i += 2) {
            flags.put(more[i], more[i + 1]);
        }
        return House.open(data, flags, BuiltInActions.registry());
    }

    private static JsonObject event(Received received) {
        return (JsonObject) House.value(new String(received.body(), StandardCharsets.UTF_8));
    }

    /** Keeps what is answered with 2xx, before it is answered. */
    private Receiver keeping(Receiver receiver, Function<Received, Integer> statuses) {
        return receiver.answering(received -> {
            int status = statuses.apply(received);
            if (status / 100 == 2) {
                arrivals.take(Arrival.of(event(received)));
            }
            return status;
        });
    }

    private static Map<String, Long> runs(House house, int count) throws Exception {
        List<RunRow> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(house.run("steps", "{\"trigger\": {\"n\": " + i + "}}"));
        }
        Map<String, Long> events = new HashMap<>();
        rows.forEach(row -> events.put(row.key().run().toString(), row.lastSequence()));
        return events;
    }

    private static Answer until(House house, Predicate<Answer> good) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            Answer answer = house.get(CRM).expect(200);
            if (good.test(answer)) {
                return answer;
            }
            assertTrue(System.nanoTime() < end, answer::text);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static boolean is(Answer answer, String state) {
        return answer.text("state").equals(state);
    }

    private static boolean isUpToDate(Answer answer) {
        return answer.text().contains("\"behind\":{\"rows\":0,");
    }

    private static List<JsonValue> items(Answer answer, String member) {
        return answer.object().get(member) instanceof JsonArray(List<JsonValue> items) ? items : List.of();
    }

    @Test
    void everyEventArrivesSignedAndInTheOrderOfItsRun() throws Exception {
        try (Receiver receiver = new Receiver();
                House house = open(receiver)) {
            keeping(receiver, _ -> 204);
            house.publish(STEPS);
            Map<String, Long> before = runs(house, 2);
            Answer made = house.put(CRM, TO_CRM).expect(201);
            assertTrue(made.text().contains("\"sink\":{\"webhook\":\"crm\"}"), made::text);
            Map<String, Long> after = runs(house, 8);

            arrivals.await(before);
            arrivals.await(after);

            arrivals.assertInOrder();
            Received first = receiver.next();
            JsonObject event = event(first);
            assertEquals("application/cloudevents+json", first.header("Content-Type"));
            assertEquals(
                    WebhookSignature.Verdict.GENUINE,
                    WebhookSignature.verify(
                            first.headers(), first.body(), List.of(SECRET), Instant.now(), Duration.ofMinutes(5)));
            assertEquals(Arrival.text(event, "id").replace('/', ':'), first.header("webhook-id"));
            assertEquals("1.0", Arrival.text(event, "specversion"));
            assertEquals("/flowstone/default/steps", Arrival.text(event, "source"));
            assertEquals("dev.flowstone.RunStarted", Arrival.text(event, "type"));
            JsonObject data = (JsonObject) event.find("data").orElseThrow();
            assertEquals(Arrival.text(event, "subject"), Arrival.text(data, "run_id"));
            assertEquals(Arrival.text(event, "time"), Arrival.text(data, "event_time"));
            String delivered = "\"delivered\":" + arrivals.all().size() + ",";
            until(house, shown -> isUpToDate(shown) && shown.text().contains(delivered));
            assertTrue(house.metrics()
                    .text()
                    .contains("flowstone_events_out_total{outcome=\"delivered\",sink=\"webhook\"}"));
        }
    }

    @Test
    void aFilterLetsThroughWhatIsWanted() throws Exception {
        try (Receiver receiver = new Receiver();
                House house = open(receiver)) {
            keeping(receiver, _ -> 204);
            house.publish(STEPS);
            house.publish(STEPS.replace("\"steps\"", "\"others\""));
            house.put(CRM, """
                    {"sink": {"webhook": "crm"}, "filter": {"types": ["RunCompleted"], "workflows": ["steps"]}}""").expect(201);
            house.run("others", "{}");
            RunRow row = house.run("steps", "{}");

            until(house, EventsOutTest::isUpToDate);

            assertEquals(
                    List.of(row.key().run() + " dev.flowstone.RunCompleted"),
                    arrivals.all().stream()
                            .map(one -> one.run() + " " + one.type())
                            .toList());
            house.put("/subscriptions/example", Files.readString(Path.of("..", "examples", "events", "crm.json")))
                    .expect(201);
            assertEquals(
                    "INVALID_REQUEST",
                    house.put(CRM, "{\"sink\": {\"webhook\": \"nobody\"}}")
                            .expect(400)
                            .text("code"));
            assertEquals(
                    "INVALID_REQUEST",
                    house.put(CRM, "{\"sink\": {\"kafka\": \"flowstone.orders\"}}")
                            .expect(400)
                            .text("code"));
            assertEquals(
                    "INVALID_REQUEST",
                    house.put(CRM, "{\"sink\": {\"webhook\": \"crm\"}, \"filter\": {\"types\": [\"Nonsense\"]}}")
                            .expect(400)
                            .text("code"));
        }
    }

    /** Refused, slow, by chance: each run's events still come in order, and all of them. */
    @Test
    void theOrderHoldsWhateverFails() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (Receiver receiver = new Receiver();
                House house = open(receiver)) {
            keeping(receiver, _ -> {
                int draw;
                synchronized (random) {
                    draw = random.nextInt(40);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(draw % 10));
                return draw < 3 ? List.of(500, 429, 404).get(draw) : 204;
            });
            house.publish(STEPS);
            house.put(CRM, TO_CRM).expect(201);

            arrivals.await(runs(house, 10));

            arrivals.assertInOrder();
            until(house, it -> isUpToDate(it) && is(it, "active"));
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    @Test
    void aRestartLosesNothing() throws Exception {
        try (Receiver receiver = new Receiver()) {
            keeping(receiver, _ -> {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                return 204;
            });
            Map<String, Long> all = new HashMap<>();
            try (House house = open(receiver)) {
                house.publish(STEPS);
                house.put(CRM, TO_CRM).expect(201);
                all.putAll(runs(house, 5));
                receiver.next();
            }
            for (int restart = 0; restart < 2; restart++) {
                try (House house = open(receiver)) {
                    all.putAll(runs(house, 3));
                    receiver.next();
                }
            }
            try (House house = open(receiver)) {
                arrivals.await(all);
                until(house, EventsOutTest::isUpToDate);
            }
            arrivals.assertInOrder();
        }
    }

    @Test
    void whatIsRewoundIsSentAgainUnderTheSameIds() throws Exception {
        try (Receiver receiver = new Receiver();
                House house = open(receiver)) {
            keeping(receiver, _ -> 204);
            house.publish(STEPS);
            house.put(CRM, TO_CRM).expect(201);
            Map<String, Long> first = runs(house, 3);
            arrivals.await(first);
            String between = until(house, EventsOutTest::isUpToDate).text("cursor");
            Instant time = Instant.now();
            Map<String, Long> second = runs(house, 3);
            arrivals.await(second);
            until(house, EventsOutTest::isUpToDate);
            Set<Arrival> before = new HashSet<>(arrivals.all());

            arrivals.clear();
            house.post(CRM + "/rewind", "{\"to\": \"beginning\", \"reason\": \"lost\"}")
                    .expect(200);
            arrivals.await(first);
            arrivals.await(second);
            arrivals.assertInOrder();
            until(house, EventsOutTest::isUpToDate);
            assertEquals(before, new HashSet<>(arrivals.all()));

            for (String to : List.of("{\"cursor\": \"" + between + "\"}", "\"" + between + "\"", "\"" + time + "\"")) {
                arrivals.clear();
                house.post(CRM + "/rewind", "{\"to\": " + to + "}").expect(200);
                arrivals.await(second);
                until(house, EventsOutTest::isUpToDate);
                assertEquals(
                        second.keySet(),
                        new HashSet<>(arrivals.all().stream().map(Arrival::run).toList()),
                        to);
            }
            arrivals.clear();
            Answer now = house.post(CRM + "/rewind", "{\"to\": \"now\"}").expect(200);
            assertTrue(items(now, "deeds").getFirst().toString().contains("rewind"), now::text);
            house.post(CRM + "/rewind", "{\"to\": \"nonsense\"}").expect(400);
            house.put("/subscriptions/other", TO_CRM).expect(201);
            house.post("/subscriptions/other/rewind", "{\"to\": \"" + between + "\"}")
                    .expect(400);
            house.post("/subscriptions/nobody/rewind", "{\"to\": \"now\"}").expect(404);
        }
    }

    @Test
    void whatIsPausedWaitsAndGoesOnWhereItWas() throws Exception {
        try (Receiver receiver = new Receiver();
                House house = open(receiver)) {
            keeping(receiver, _ -> 204);
            house.publish(STEPS);
            house.put(CRM, TO_CRM).expect(201);
            arrivals.await(runs(house, 1));
            until(house, EventsOutTest::isUpToDate);
            house.post(CRM + "/pause", "{\"reason\": \"the CRM moves\"}").expect(200);
            // The node's own look at what there is to do, and one more.
            long looked = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
            until(house, it -> is(it, "paused") && System.nanoTime() > looked);
            int sent = arrivals.all().size();

            Map<String, Long> waiting = runs(house, 2);
            Answer behind = until(house, it -> !isUpToDate(it));
            assertTrue(behind.text().contains("the CRM moves"), behind::text);
            assertEquals(sent, arrivals.all().size());

            house.post(CRM + "/resume", "").expect(200);
            arrivals.await(waiting);
            arrivals.assertInOrder();
            Answer removed = house.delete(CRM).expect(200);
            assertTrue(removed.text().contains("\"removed\":true"));
            assertEquals("SUBSCRIPTION_NOT_FOUND", house.get(CRM).expect(404).text("code"));
        }
    }

    @Test
    void anEndpointThatIsGonePausesIt() throws Exception {
        try (Receiver receiver = new Receiver();
                House house = open(receiver)) {
            keeping(receiver, _ -> 410);
            house.publish(STEPS);
            house.put(CRM, TO_CRM).expect(201);
            Map<String, Long> events = runs(house, 1);

            Answer paused = until(house, it -> is(it, "paused"));
            assertEquals("ENDPOINT_GONE: the endpoint answered 410", paused.text("reason"));

            keeping(receiver, _ -> 200);
            house.post(CRM + "/resume", "{\"reason\": \"it is back\"}").expect(200);
            arrivals.await(events);
            arrivals.assertInOrder();
        }
    }

    @Test
    void anEventThatIsNeverTakenHoldsUpItsRunUntilItIsSkipped() throws Exception {
        Map<String, Boolean> poisoned = new ConcurrentHashMap<>();
        try (Receiver receiver = new Receiver();
                House house = open(receiver, "events.brokenAfter", "1s")) {
            keeping(receiver, received -> {
                JsonObject event = event(received);
                String id = Arrival.text(event, "id");
                if (poisoned.isEmpty() && Arrival.text(event, "sequence").endsWith("0003")) {
                    poisoned.put(id, true);
                }
                return poisoned.containsKey(id) ? 500 : 204;
            });
            house.publish(STEPS);
            house.put(CRM, TO_CRM).expect(201);
            Map<String, Long> one = runs(house, 1);
            String run = one.keySet().iterator().next();

            Answer broken = until(house, it -> is(it, "broken"));
            assertEquals(List.of(new JsonString(run + "/3")), items(broken, "blocked"), broken::text);
            assertTrue(broken.text("reason").startsWith("DELIVERY_FAILED"), broken::text);
            assertEquals(2, arrivals.all().size());
            assertTrue(house.metrics().text().contains("flowstone_subscriptions{state=\"broken\"} 1.0"));

            Answer skipped = house.post(CRM + "/skip", "{\"reason\": \"the CRM will never take it\"}")
                    .expect(200);

            assertEquals("active", skipped.text("state"));
            String deed = items(skipped, "deeds").getFirst().toString();
            assertTrue(deed.contains("skip") && deed.contains(run + "/3"), deed);
            until(house, EventsOutTest::isUpToDate);
            List<Long> sequences =
                    arrivals.all().stream().map(Arrival::sequence).distinct().toList();
            assertEquals(one.values().iterator().next() - 1, sequences.size());
            assertFalse(sequences.contains(3L));
            assertEquals(
                    "INVALID_STATE", house.post(CRM + "/skip", "").expect(409).text("code"));
        }
    }

    @Test
    void whoComesTooLateIsToldWhatIsLeft() throws Exception {
        try (Receiver receiver = new Receiver();
                House house =
                        open(receiver, "sweep.every", "1s", "sweep.feed", "1s", "events.keepForSubscriptions", "0s")) {
            keeping(receiver, _ -> 204);
            house.publish(STEPS);
            Answer made = house.put(CRM, TO_CRM).expect(201);
            house.post(CRM + "/pause", "").expect(200);
            runs(house, 3);
            String old = made.text("cursor");
            Answer gone = untilGone(house, old);
            assertEquals("EVENTS_GONE", gone.text("code"));
            String oldest = gone.text("detail").replaceFirst(".*: ", "");

            house.post(CRM + "/resume", "").expect(200);
            Answer broken = until(house, it -> is(it, "broken"));
            assertTrue(broken.text("reason").startsWith("EVENTS_GONE: of stream "), broken::text);

            int status =
                    house.post(CRM + "/rewind", "{\"to\": \"" + oldest + "\"}").status();
            assertTrue(status == 200 || status == 410, "swept on meanwhile, perhaps");
            house.post(CRM + "/rewind", "{\"to\": \"beginning\"}").expect(200);
            Map<String, Long> events = runs(house, 1);
            arrivals.await(events);
        }
    }

    private static Answer untilGone(House house, String cursor) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            Answer answer = house.post(CRM + "/rewind", "{\"to\": \"" + cursor + "\"}");
            if (answer.status() == 410) {
                return answer;
            }
            assertTrue(System.nanoTime() < end, answer::text);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }
}
