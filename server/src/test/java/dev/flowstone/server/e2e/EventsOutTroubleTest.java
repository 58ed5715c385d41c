package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.server.e2e.Arrivals.Arrival;
import dev.flowstone.server.e2e.House.Answer;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events that can't leave, or hardly: an endpoint that is gone, a run that was damaged, a single connection. */
final class EventsOutTroubleTest {
    @TempDir
    Path data = Path.of("");

    @Test
    void anEndpointThatIsGonePausesIt() throws Exception {
        try (Crm crm = new Crm();
                House house = crm.open(data)) {
            crm.answering(_ -> 410);
            house.publish(Crm.STEPS);
            house.put(Crm.NAME, Crm.WISH).expect(201);
            Map<String, Long> events = Crm.runs(house, 1);

            Answer paused = Crm.until(house, it -> Crm.is(it, "paused"));
            assertEquals("ENDPOINT_GONE: the endpoint answered 410", paused.text("reason"));

            crm.answering(_ -> 200);
            house.post(Crm.NAME + "/resume", "{\"reason\": \"it is back\"}").expect(200);
            crm.arrivals.await(events);
            crm.arrivals.assertInOrder();
        }
    }

    /** What stands before it in the feed is sent, and what is wrong is shown; what comes behind goes on once it is skipped. */
    @Test
    void aRunThatCannotBeReadHoldsUpOnlyWhatComesBehindItUntilItIsSkipped() throws Exception {
        try (Crm crm = new Crm();
                House house = crm.open(data, "database.shards", "1")) {
            house.publish(Crm.STEPS);
            Map<String, Long> whole = Crm.runs(house, 2);
            RunRow damaged = house.run("steps", "{}");
            try (Connection superuser = Tamper.superuser(house)) {
                Tamper.guard(superuser, false);
                Tamper.flip(superuser, damaged, 1, 0);
                Tamper.guard(superuser, true);
            }

            house.put(Crm.NAME, Crm.WISH).expect(201);

            crm.arrivals.await(whole);
            Answer shown = Crm.until(house, it -> it.text().contains("FEED_UNREADABLE"));
            assertTrue(shown.text().contains("run " + damaged.key().run()), shown::text);
            assertEquals("active", shown.text("state"));

            Map<String, Long> behind = Crm.runs(house, 1);
            assertTrue(shown.text().contains("\"blocked\":[\"" + damaged.key().run() + "/1\"]"), shown::text);
            house.post(Crm.NAME + "/skip", "{\"reason\": \"it is damaged\"}").expect(200);

            crm.arrivals.await(behind);
            assertTrue(Crm.until(house, Crm::isUpToDate).text().contains("\"blocked\":[]"));
            assertEquals(
                    later(house, damaged),
                    crm.arrivals.all().stream()
                            .map(Arrival::id)
                            .filter(id -> isOf(damaged, id))
                            .distinct()
                            .toList());
        }
    }

    /** What a run has behind the commit that its first event is of, which is all that can't be had when that one is damaged. */
    private static List<String> later(House house, RunRow run) throws Exception {
        Ports ports = house.flowstone().ports();
        int stream = ports.leases().shards().getFirst().stream();
        long first = ports.feed().read(stream, 0, 1_000).stream()
                .flatMap(row -> row.moved().stream())
                .filter(moved -> moved.run().equals(run.key()) && moved.firstSequence() == 1)
                .findFirst()
                .orElseThrow()
                .lastSequence();
        return LongStream.rangeClosed(first + 1, run.lastSequence())
                .mapToObj(sequence -> run.key().run() + "/" + sequence)
                .toList();
    }

    private static boolean isOf(RunRow run, String event) {
        return event.startsWith(run.key().run() + "/");
    }

    private static boolean has(JsonObject event, String member, String value) {
        return event.find(member).equals(Optional.of(new JsonString(value)));
    }

    /** Whoever reads along is told of it, and gets all others' events. */
    @Test
    void aRunThatCannotBeReadIsPassedOverInAStream() throws Exception {
        try (Crm crm = new Crm();
                House house = crm.open(data, "database.shards", "1")) {
            house.publish(Crm.STEPS);
            RunRow damaged = house.run("steps", "{}");
            try (Connection superuser = Tamper.superuser(house)) {
                Tamper.guard(superuser, false);
                Tamper.flip(superuser, damaged, 1, 0);
                Tamper.guard(superuser, true);
            }
            String behind = Crm.runs(house, 1).keySet().iterator().next();

            try (EventClient client = EventClient.connect(house.port(), "?workflowId=steps&from=begin")) {
                client.until(it -> it.events().stream().anyMatch(event -> has(event, "run_id", behind)));
                String lost = damaged.key().run() + "/1";
                assertTrue(client.events().stream().anyMatch(event -> has(event, "event", lost)));
                assertEquals(
                        later(house, damaged),
                        client.events().stream()
                                .flatMap(event -> event.find("event_id").stream())
                                .map(id -> ((JsonString) id).value())
                                .filter(id -> isOf(damaged, id))
                                .toList());
            }
        }
    }

    /** However many subscriptions there are, the engine gets at its only connection. */
    @Test
    void manySubscriptionsShareOneConnectionWithTheEngine() throws Exception {
        try (Crm crm = new Crm();
                House house = crm.open(
                        data,
                        "database.shards",
                        "2",
                        "database.engineConnections",
                        "1",
                        "database.apiConnections",
                        "1")) {
            house.publish(Crm.STEPS);
            for (int i = 0; i < 12; i++) {
                house.put("/subscriptions/s" + i, Crm.WISH).expect(201);
            }

            Map<String, Long> events = Crm.runs(house, 3);

            crm.arrivals.await(events);
            long all = events.values().stream().mapToLong(Long::longValue).sum();
            for (int i = 0; i < 12; i++) {
                Crm.until(house, "/subscriptions/s" + i, shown -> Crm.isUpToDate(shown) && Crm.delivered(shown) >= all);
            }
        }
    }
}
