package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.server.e2e.Arrivals.Arrival;
import dev.flowstone.server.e2e.House.Answer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What people do to subscriptions: pause, rewind, skip, remove. */
@Execution(ExecutionMode.CONCURRENT) // each waits most of its time, on a database of its own
final class EventsOutControlTest {
    @TempDir
    Path data = Path.of("");

    @Test
    void whatIsRewoundIsSentAgainUnderTheSameIds() throws Exception {
        try (Crm crm = new Crm();
                House house = crm.open(data)) {
            house.publish(Crm.STEPS);
            house.put(Crm.NAME, Crm.WISH).expect(201);
            Map<String, Long> first = Crm.runs(house, 3);
            crm.arrivals.await(first);
            String between = Crm.until(house, Crm::isUpToDate).text("cursor");
            Instant time = Instant.now();
            Map<String, Long> second = Crm.runs(house, 3);
            crm.arrivals.await(second);
            Crm.until(house, Crm::isUpToDate);
            Set<Arrival> before = new HashSet<>(crm.arrivals.all());

            crm.arrivals.clear();
            house.post(Crm.NAME + "/rewind", "{\"to\": \"beginning\", \"reason\": \"lost\"}")
                    .expect(200);
            crm.arrivals.await(first);
            crm.arrivals.await(second);
            crm.arrivals.assertInOrder();
            Crm.until(house, Crm::isUpToDate);
            assertEquals(before, new HashSet<>(crm.arrivals.all()));

            for (String to : List.of("{\"cursor\": \"" + between + "\"}", "\"" + between + "\"", "\"" + time + "\"")) {
                crm.arrivals.clear();
                house.post(Crm.NAME + "/rewind", "{\"to\": " + to + "}").expect(200);
                crm.arrivals.await(second);
                Crm.until(house, Crm::isUpToDate);
                assertEquals(
                        second.keySet(),
                        new HashSet<>(
                                crm.arrivals.all().stream().map(Arrival::run).toList()),
                        to);
            }
            crm.arrivals.clear();
            Answer now = house.post(Crm.NAME + "/rewind", "{\"to\": \"now\"}").expect(200);
            assertTrue(Crm.items(now, "deeds").getFirst().toString().contains("rewind"), now::text);
            house.post(Crm.NAME + "/rewind", "{\"to\": \"nonsense\"}").expect(400);
            String ofManyStreams = house.post(Crm.NAME + "/rewind", "{\"to\": \"" + "x".repeat(20_000) + "\"}")
                    .expect(400)
                    .text();
            assertTrue(ofManyStreams.contains("this is no cursor"), ofManyStreams);
            house.put("/subscriptions/other", Crm.WISH).expect(201);
            house.post("/subscriptions/other/rewind", "{\"to\": \"" + between + "\"}")
                    .expect(400);
            house.post("/subscriptions/nobody/rewind", "{\"to\": \"now\"}").expect(404);
        }
    }

    @Test
    void whatIsPausedWaitsAndGoesOnWhereItWas() throws Exception {
        try (Crm crm = new Crm();
                House house = crm.open(data)) {
            house.publish(Crm.STEPS);
            house.put(Crm.NAME, Crm.WISH).expect(201);
            crm.arrivals.await(Crm.runs(house, 1));
            Crm.until(house, Crm::isUpToDate);
            house.post(Crm.NAME + "/pause", "{\"reason\": \"the CRM moves\"}").expect(200);
            crm.awaitLooks(house);
            assertEquals("paused", house.get(Crm.NAME).expect(200).text("state"));
            int sent = crm.arrivals.all().size();

            Map<String, Long> waiting = Crm.runs(house, 2);
            crm.awaitLooks(house);
            Answer behind = house.get(Crm.NAME).expect(200);
            assertFalse(Crm.isUpToDate(behind), behind::text);
            assertTrue(behind.text().contains("the CRM moves"), behind::text);
            assertEquals(sent, crm.arrivals.all().size());

            house.post(Crm.NAME + "/resume", "").expect(200);
            crm.arrivals.await(waiting);
            crm.arrivals.assertInOrder();
            Answer removed = house.delete(Crm.NAME).expect(200);
            assertTrue(removed.text().contains("\"removed\":true"));
            assertEquals(
                    "SUBSCRIPTION_NOT_FOUND", house.get(Crm.NAME).expect(404).text("code"));
        }
    }

    @Test
    void anEventThatIsNeverTakenHoldsUpItsRunUntilItIsSkipped() throws Exception {
        Map<String, Boolean> poisoned = new ConcurrentHashMap<>();
        try (Crm crm = new Crm();
                House house = crm.open(data, "events.brokenAfter", "1s")) {
            crm.answering(received -> {
                JsonObject event = Crm.event(received);
                String id = Arrival.text(event, "id");
                if (poisoned.isEmpty() && Arrival.text(event, "sequence").endsWith("0003")) {
                    poisoned.put(id, true);
                }
                return poisoned.containsKey(id) ? 500 : 204;
            });
            house.publish(Crm.STEPS);
            house.put(Crm.NAME, Crm.WISH).expect(201);
            Map<String, Long> one = Crm.runs(house, 1);
            String run = one.keySet().iterator().next();

            Answer broken = Crm.until(house, it -> Crm.is(it, "broken"));
            assertEquals(List.of(new JsonString(run + "/3")), Crm.items(broken, "blocked"), broken::text);
            assertTrue(broken.text("reason").startsWith("DELIVERY_FAILED"), broken::text);
            assertEquals(Set.of(1L, 2L), Set.copyOf(sequences(crm)));
            assertTrue(house.metrics().text().contains("flowstone_subscriptions{state=\"broken\"} 1.0"));
            assertTrue(house.vitals().text().contains("default/crm"), "health names it");

            Answer skipped = house.post(Crm.NAME + "/skip", "{\"reason\": \"the CRM will never take it\"}")
                    .expect(200);

            assertEquals("active", skipped.text("state"));
            String deed = Crm.items(skipped, "deeds").getFirst().toString();
            assertTrue(deed.contains("skip") && deed.contains(run + "/3"), deed);
            Crm.until(house, Crm::isUpToDate);
            List<Long> sequences = sequences(crm);
            assertEquals(one.values().iterator().next() - 1, sequences.size());
            assertFalse(sequences.contains(3L));
            assertEquals(
                    "INVALID_STATE",
                    house.post(Crm.NAME + "/skip", "").expect(409).text("code"));
        }
    }

    private static List<Long> sequences(Crm crm) {
        return crm.arrivals.all().stream().map(Arrival::sequence).distinct().toList();
    }

    @Test
    void whoComesTooLateIsToldWhatIsLeft() throws Exception {
        try (Crm crm = new Crm()) {
            try (House house =
                    crm.open(data, "sweep.every", "1s", "sweep.feed", "1s", "events.keepForSubscriptions", "0s")) {
                house.publish(Crm.STEPS);
                Answer made = house.put(Crm.NAME, Crm.WISH).expect(201);
                house.post(Crm.NAME + "/pause", "").expect(200);
                Crm.runs(house, 3);
                String old = made.text("cursor");
                Answer gone = untilGone(house, old);
                assertEquals("EVENTS_GONE", gone.text("code"));
                String oldest = gone.text("detail").replaceFirst(".*: ", "");

                house.post(Crm.NAME + "/resume", "").expect(200);
                Answer broken = Crm.until(house, it -> Crm.is(it, "broken"));
                assertTrue(broken.text("reason").startsWith("EVENTS_GONE: of stream "), broken::text);

                int status = house.post(Crm.NAME + "/rewind", "{\"to\": \"" + oldest + "\"}")
                        .status();
                assertTrue(status == 200 || status == 410, "swept on meanwhile, perhaps");
            }
            // Where nothing is swept before it has left.
            try (House house = crm.open(data)) {
                house.post(Crm.NAME + "/rewind", "{\"to\": \"beginning\"}").expect(200);
                crm.arrivals.await(Crm.runs(house, 1));
            }
        }
    }

    private static Answer untilGone(House house, String cursor) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (true) {
            Answer answer = house.post(Crm.NAME + "/rewind", "{\"to\": \"" + cursor + "\"}");
            if (answer.status() == 410) {
                return answer;
            }
            assertTrue(System.nanoTime() < end, answer::text);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }
}
