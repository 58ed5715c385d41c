package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Executions that events of executions start, over HTTP and on PostgreSQL; each test is of a tenant of its own, or of a house. */
@ExtendWith(SharedHouse.class)
final class EventTriggerTest {
    @TempDir
    Path data = Path.of("");

    private final House shared;

    EventTriggerTest(House shared) {
        this.shared = shared;
    }

    private static String completed(String workflow) {
        return "{\"source\": \"engine\", \"types\": [\"RunCompleted\"], \"workflows\": [\"" + workflow + "\"]}";
    }

    private static void workflow(House house, String name) throws Exception {
        house.publish(Crm.STEPS.replace("\"steps\"", "\"" + name + "\""));
    }

    private static Set<String> deliveries(Sender trigger, House house, int count) throws Exception {
        return ids(trigger.settled(house, count));
    }

    private static String run(RunRow row) {
        return row.key().run().toString();
    }

    /** The id of the event with which it ended. */
    private static String end(RunRow row) {
        return run(row) + "/" + row.lastSequence();
    }

    @Test
    void anEventStartsOneExecutionThatSeesIt() throws Exception {
        House house = shared.as("event-sees");
        workflow(house, "first");
        RunRow before = house.run("first", "{}");
        Sender trigger = EventInTest.listener(house, "then", completed("first"), "");
        workflow(house, "other");
        house.run("other", "{}");

        RunRow cause = house.run("first", "{\"trigger\": {\"n\": 7615917337495251231}}");

        JsonObject delivery = trigger.settled(house, 1).getFirst();
        assertEquals("started", Sender.text(delivery, "status"));
        assertEquals(end(cause), Sender.text(delivery, "deliveryId"), "not of " + run(before) + ", nor another's");
        String started = Sender.text(delivery, "executionId");
        String events = house.get("/executions/" + started + "?include=events")
                .expect(200)
                .text();
        for (String seen : List.of(
                "\"type\":\"dev.flowstone.RunCompleted\"",
                "\"subject\":\"" + run(cause) + "\"",
                "\"id\":\"" + end(cause) + "\"",
                "\"source\":\"/flowstone/event-sees/first\"",
                "~event-1")) {
            assertTrue(events.contains(seen), () -> seen + " isn't in " + events);
        }
        house.await(RunId.parse(started));
        assertEquals(1, Sender.executions(house, "then"));
    }

    @Test
    void filtersAndConditionsChooseAndWhatIsOffStartsNothingLater() throws Exception {
        House house = shared.as("event-chooses");
        workflow(house, "first");
        Sender picky = EventInTest.listener(
                house,
                "picky",
                completed("fir*"),
                ", \"activationCondition\": \"trigger.data.correlation_id === 'yes'\"");
        Sender failed = EventInTest.listener(
                house, "failed", "{\"source\": \"engine\", \"types\": [\"dev.flowstone.RunFailed\"]}", "");
        Sender off = EventInTest.listener(house, "off", completed("first"), ", \"isEnabled\": false");
        Sender gone = EventInTest.listener(house, "gone", completed("first"), "");
        house.post("/workflows/gone/archive", "").expect(200);

        house.post("/workflows/first/execute", "{}", "Correlation-Id", "yes").expect(202);
        house.post("/workflows/first/execute", "{}", "Correlation-Id", "no").expect(202);

        assertEquals(Set.of("started", "ignored"), Set.copyOf(picky.statuses(house, 2)));
        house.post(off.path() + "/enable", "").expect(200);
        house.post("/workflows/gone/reactivate", "").expect(200);
        RunRow later = house.run("first", "{}");
        assertEquals(Set.of(end(later)), deliveries(off, house, 1));
        assertEquals(Set.of(end(later)), deliveries(gone, house, 1));
        assertEquals(List.of(), failed.statuses(house, 0));
    }

    /** Of a chain in which executions start each other, there is an end. */
    @Test
    void anExecutionThatStartsItselfIsBounded() throws Exception {
        House house = shared.as("event-bounded");
        Sender loop = EventInTest.listener(house, "loop", completed("loop"), "");
        house.run("loop", "{}");

        List<JsonObject> all = loop.settled(house, 11);
        assertEquals("refused", Sender.text(all.getFirst(), "status"));
        assertEquals("LIMIT_EXCEEDED", Sender.text(all.getFirst(), "code"));
        assertTrue(all.stream().skip(1).allMatch(it -> Sender.text(it, "status").equals("started")), all::toString);
        assertEquals(11, Sender.executions(house, "loop"));
    }

    /** What happened while nobody looked is made up for, and what was done before isn't done again. */
    @Test
    void aRestartGoesOnAtTheCursor() throws Exception {
        Sender trigger;
        Set<String> all;
        try (House house = House.open(data)) {
            workflow(house, "first");
            trigger = EventInTest.listener(house, "then", completed("first"), "");
            for (int i = 0; i < 3; i++) {
                house.run("first", "{}");
            }
            all = new TreeSet<>(deliveries(trigger, house, 3));
            // Its events are durable before its answer is there; whoever comes next may be the one who takes them.
            all.add(end(house.run("first", "{}")));
        }
        try (House house = House.open(data)) {
            // The last may be there twice: once as what the node that went away couldn't start any more.
            until(() -> all.equals(begun(trigger, house)) && Sender.executions(house, "then") == 4);
            all.add(end(house.run("first", "{}")));
            until(() -> all.equals(begun(trigger, house)) && Sender.executions(house, "then") == 5);
        }
    }

    /** Of what something was started. */
    private static Set<String> begun(Sender trigger, House house) throws Exception {
        return ids(trigger.there(house).stream()
                .filter(it -> Set.of("started", "repeated").contains(Sender.text(it, "status")))
                .toList());
    }

    private static Set<String> ids(List<JsonObject> deliveries) {
        return deliveries.stream().map(it -> Sender.text(it, "deliveryId")).collect(Collectors.toSet());
    }

    @Test
    void eventsAreTheirTenantsAlone() throws Exception {
        House house = shared.as("event-alone");
        workflow(house, "first");
        Sender trigger =
                EventInTest.listener(house, "then", "{\"source\": \"engine\", \"types\": [\"RunCompleted\"]}", "");
        House other = shared.as("event-not-alone");
        workflow(other, "first");
        String run = run(other.run("first", "{}"));
        RunRow own = house.run("first", "{}");

        assertTrue(deliveries(trigger, house, 1).contains(end(own)));
        assertTrue(deliveries(trigger, house, 1).stream().noneMatch(it -> it.startsWith(run)));
    }

    /** Else each execution would start as many as it has events, and each of those, too. */
    @Test
    void whatATriggerStartsItHearsOnlyIfItAsksForItsWorkflow() throws Exception {
        House house = shared.as("event-itself");
        workflow(house, "first");
        Sender trigger =
                EventInTest.listener(house, "then", "{\"source\": \"engine\", \"types\": [\"RunCompleted\"]}", "");
        RunRow cause = house.run("first", "{}");
        JsonObject delivery = trigger.settled(house, 1).getFirst();
        RunRow own = house.await(RunId.parse(Sender.text(delivery, "executionId")));
        RunRow last = house.run("first", "{}");

        // Both streams are one's own, so what comes after `own` may be seen before it: its event is looked for
        // later, too.
        assertEquals(Set.of(end(cause), end(last)), deliveries(trigger, house, 2));
        RunRow later = house.run("then", "{}");
        RunRow end = house.run("first", "{}");
        Set<String> all = deliveries(trigger, house, 3);
        assertTrue(all.contains(end(end)) && !all.contains(end(own)) && !all.contains(end(later)), all::toString);
    }

    /** Who may start executions doesn't thereby keep others' triggers from hearing of them. */
    @Test
    void callersCannotEndAChainBeforeItBegins() throws Exception {
        House house = shared.as("event-border");
        workflow(house, "first");
        Sender trigger = EventInTest.listener(house, "then", completed("first"), "");
        house.post("/workflows/first/execute", "{}", "Correlation-Id", "order-7~event-10")
                .expect(202);

        JsonObject delivery = trigger.settled(house, 1).getFirst();
        assertEquals("started", Sender.text(delivery, "status"));
        String started = Sender.text(delivery, "executionId");
        assertEquals(
                "order-7~event-1",
                house.get("/executions/" + started).expect(200).text("correlationId"));
    }

    /** What happened before a trigger has listened to the engine is nothing to it. */
    @Test
    void whoTurnsToTheEnginesEventsHearsWhatComesThen() throws Exception {
        House house = shared.as("event-turns");
        workflow(house, "first");
        Sender trigger = EventInTest.listener(house, "then", "{\"source\": \"external\", \"types\": [\"sent\"]}", "");
        house.run("first", "{}");
        house.put(trigger.path(), "{\"config\": " + completed("first") + "}").expect(200);
        RunRow later = house.run("first", "{}");

        assertEquals(Set.of(end(later)), deliveries(trigger, house, 1));
    }

    @Test
    void aRunThatCannotBeReadIsPassedOver() throws Exception {
        try (House house = House.open(data, Map.of("database.shards", "1"), BuiltInActions.registry())) {
            workflow(house, "first");
            Sender trigger = EventInTest.listener(house, "then", completed("first"), ", \"isEnabled\": false");
            RunRow damaged = house.run("first", "{}");
            try (Connection superuser = Tamper.superuser(house)) {
                Tamper.guard(superuser, false);
                Tamper.flip(superuser, damaged, 1, 0);
                Tamper.guard(superuser, true);
                // It listens from the beginning on.
                try (Statement statement = superuser.createStatement()) {
                    statement.execute("WITH e AS (UPDATE flowstone.trigger_events SET streams = '{}', numbers = '{}')"
                            + " UPDATE flowstone.triggers SET enabled = true");
                }
            }
            RunRow whole = house.run("first", "{}");
            until(() -> house.get(trigger.path() + "/deliveries").text().contains(end(whole)));
        }
    }

    @Test
    void whereEventsStartNothingTheyArePassedOver() throws Exception {
        Sender trigger;
        try (House off = House.open(data, Map.of("trigger.events", "false"), BuiltInActions.registry())) {
            workflow(off, "first");
            trigger = EventInTest.listener(off, "then", completed("first"), "");
            off.run("first", "{}");
            until(() -> count(off, "SELECT count(*) FROM flowstone.trigger_cursors WHERE number > 0") > 0);
        }
        try (House house = House.open(data)) {
            RunRow later = house.run("first", "{}");
            assertEquals(Set.of(end(later)), deliveries(trigger, house, 1));
        }
    }

    /** Whichever node has the event's shard, and whichever the start's. */
    @Test
    void nodesShareWhatHappens() throws Exception {
        try (Company company = new Company(data)) {
            company.join("one", Map.of());
            company.join("two", Map.of());
            company.untilEachHasItsPart();
            workflow(company.any(0), "first");
            Sender trigger = EventInTest.listener(company.any(0), "then", completed("first"), "");
            for (int i = 0; i < 12; i++) {
                company.any(i).post("/workflows/first/execute", "{}").expect(202);
            }
            assertEquals(Set.of("started"), Set.copyOf(trigger.statuses(company.any(1), 12)));
            assertEquals(12, Sender.executions(company.any(1), "then"));

            Sender sent = EventInTest.listener(
                    company.any(1), "sent", "{\"source\": \"external\", \"types\": [\"sent\"]}", "");
            for (int i = 0; i < 24; i++) {
                String event =
                        "{\"specversion\": \"1.0\", \"id\": \"" + i / 2 + "\", \"source\": \"/s\", \"type\": \"sent\"}";
                company.any(i).post("/events", event).expect(202);
            }
            assertEquals(Set.of("started", "repeated"), Set.copyOf(sent.statuses(company.any(0), 24)));
            assertEquals(12, Sender.executions(company.any(0), "sent"));
        }
    }

    /** Beyond the quota an event isn't lost, however few retries there are for what fails, and what is started is started once. */
    @Test
    void whatCannotStartNowIsKeptAndTriedAgain() throws Exception {
        Map<String, String> narrow =
                Map.of("quota.startsPerSecond", "1", "deadLetter.delay", "1s", "deadLetter.maxRetries", "1");
        try (House house = House.open(data, narrow, BuiltInActions.registry())) {
            Sender trigger =
                    EventInTest.listener(house, "storm", "{\"source\": \"external\", \"types\": [\"storm\"]}", "");
            List<String> events = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                events.add(
                        "{\"specversion\": \"1.0\", \"id\": \"" + i + "\", \"source\": \"/s\", \"type\": \"storm\"}");
            }
            String told = house.post("/events", events.toString()).expect(202).text();
            assertTrue(told.contains("QUOTA_EXCEEDED") && told.contains("is kept and tried again"), told);
            until(() -> Sender.executions(house, "storm") == 5);
            assertEquals(
                    List.of("started"),
                    trigger.statuses(house, 5).stream().distinct().toList());
        }
    }

    /** Who sends what can't be started is told; what a call leaves here has a bound. */
    @Test
    void aCallHasOnlySoMuchKept() throws Exception {
        Map<String, String> shut = Map.of("quota.startsPerSecond", "0.001", "deadLetter.delay", "1h");
        try (House house = House.open(data, shut, BuiltInActions.registry())) {
            for (String name : List.of("flood-a", "flood-b")) {
                EventInTest.listener(house, name, "{\"source\": \"external\", \"types\": [\"flood\"]}", "");
            }
            List<String> events = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                events.add(
                        "{\"specversion\": \"1.0\", \"id\": \"" + i + "\", \"source\": \"/s\", \"type\": \"flood\"}");
            }
            String told = house.post("/events", events.toString()).expect(202).text();
            int refused = told.split("QUOTA_EXCEEDED", -1).length - 1;

            assertTrue(refused > 100, told);
            assertEquals(100, count(house, "SELECT count(*) FROM flowstone.dead_letters"));
            assertEquals(100, told.split("is kept and tried again", -1).length - 1);
            assertEquals(refused - 100, told.split("send the event again", -1).length - 1);
        }
    }

    private static long count(House house, String sql) throws Exception {
        try (Connection superuser = Tamper.superuser(house);
                Statement statement = superuser.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getLong(1);
        }
    }

    private static void until(Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!holds.call()) {
            assertTrue(System.nanoTime() < end, "it never holds");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
