package dev.flowstone.server.e2e;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.start.RequestSlot;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.engine.trigger.TriggerSchedules.Advance;
import dev.flowstone.engine.trigger.TriggerSchedules.Claim;
import dev.flowstone.engine.trigger.TriggerSchedules.OpenTick;
import dev.flowstone.engine.trigger.TriggerSchedules.Scheduled;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.e2e.Timetable.Tick;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.trigger.Launched;
import dev.flowstone.server.trigger.Launcher;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Schedule triggers over HTTP and on PostgreSQL. */
@ExtendWith(SharedHouse.class)
final class ScheduleTest {
    private static final String ONE_STEP = """
            {"id": "ID", "displayName": "One step", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.echo"}]}""";

    private static final Instant EVER = Instant.parse("9000-01-01T00:00:00Z");

    private final House house;

    ScheduleTest(House house) {
        this.house = house;
    }

    private static String workflow(House at, String id) throws Exception {
        at.publish(ONE_STEP.replace("ID", id));
        return id;
    }

    private static String text(Answer answer, String member) {
        return Sender.text(answer.object(), member);
    }

    @Test
    void whatIsNotUnderstoodIsRefusedWithItsPlace() throws Exception {
        String before = "{\"workflowId\": \"" + workflow(house, "schedule-bad") + "\", \"triggerType\": \"Schedule\"";
        for (String[] bad : new String[][] {
            {"", ""},
            {"{}", "/config"},
            {"{\"cron\": \"0 9 * *\"}", "/config/cron"},
            {"{\"cron\": \"0 9 * * * * *\"}", "/config/cron"},
            {"{\"cron\": \"0 24 * * *\"}", "/config/cron"},
            {"{\"cron\": \"0 0 30 2 *\"}", "/config/cron"},
            {"{\"cron\": 7}", "/config/cron"},
            {"{\"cron\": \"@daily\", \"timeZone\": \"Europe/Atlantis\"}", "/config/timeZone"},
            {"{\"cron\": \"@daily\", \"missedFirePolicy\": \"later\"}", "/config/missedFirePolicy"},
            {"{\"cron\": \"@daily\", \"maxMissed\": 3}", "/config/maxMissed"},
            {"{\"cron\": \"@daily\", \"missedFirePolicy\": \"fireAll\", \"maxMissed\": 0}", "/config/maxMissed"},
            {"{\"cron\": \"@daily\", \"missedFirePolicy\": \"fireAll\", \"maxMissed\": 1001}", "/config/maxMissed"},
            {"{\"cron\": \"@daily\", \"secrets\": []}", "/config/secrets"}
        }) {
            String config = bad[0].isEmpty() ? "" : ", \"config\": " + bad[0];
            Answer refused = house.post("/triggers", before + config + "}").expect(400);
            assertTrue(refused.text().contains("\"pointer\":\"" + bad[1] + "\""), () -> bad[0] + ": " + refused.text());
        }
        Answer fault = house.post("/triggers", before + ", \"config\": {\"cron\": \"0 24 * * *\"}}");
        assertTrue(fault.text().contains("hour: 24"), fault::text);
        for (String cron : List.of("0 9 * * MON-FRI", "*/10 0 9 * * *", "@hourly", "0 12 LW * ?")) {
            house.post("/triggers", before + ", \"isEnabled\": false, \"config\": {\"cron\": \"" + cron + "\"}}")
                    .expect(201);
        }
    }

    @Test
    void oneTellsWhatComesAndWhatTheClockMakesOfIt() throws Exception {
        String config =
                "{\"cron\": \"30 2 * * *\", \"timeZone\": \"Europe/Berlin\", \"missedFirePolicy\": \"fireAll\"}";
        Timetable daily = Timetable.of(house, workflow(house, "schedule-shown"), config);

        Answer shown = house.get(daily.path()).expect(200);
        assertTrue(
                shown.text()
                        .contains(
                                "\"config\":{\"cron\":\"30 2 * * *\",\"maxMissed\":100,\"missedFirePolicy\":\"fireAll\","
                                        + "\"timeZone\":\"Europe/Berlin\"}"),
                shown::text);
        String next = text(shown, "nextFireAt");
        assertTrue(Instant.parse(next).isAfter(Instant.now()), next);
        assertTrue(house.get(daily.path() + "/next?count=1").expect(200).text().contains("\"at\":\"" + next + "\""));
        assertEquals(
                "{\"items\":[{\"at\":\"2026-03-28T01:30:00Z\",\"clock\":\"plain\",\"local\":\"2026-03-28T02:30:00+01:00\"},"
                        + "{\"at\":\"2026-03-29T01:00:00Z\",\"clock\":\"moved\",\"local\":\"2026-03-29T03:00:00+02:00\"}],"
                        + "\"timeZone\":\"Europe/Berlin\"}",
                house.get(daily.path() + "/next?count=2&from=2026-03-28T00:00:00Z")
                        .expect(200)
                        .text());
        house.post(daily.path() + "/disable", "").expect(200);
        assertEquals("null", text(house.get(daily.path()).expect(200), "nextFireAt"));
        for (String query : List.of("count=0", "count=101", "from=soon", "after=x")) {
            house.get(daily.path() + "/next?" + query).expect(400);
        }
        String manual = house.post("/triggers", "{\"workflowId\": \"schedule-shown\", \"triggerType\": \"Manual\"}")
                .expect(201)
                .text("id");
        assertEquals(
                "INVALID_STATE",
                house.get("/triggers/" + manual + "/next").expect(409).text("code"));
        house.get(daily.path() + "/next", "Flowstone-Tenant", "globex").expect(404);

        String other = "{\"config\": {\"cron\": \"0 0 1 1 *\"}}";
        Answer moved = house.put(daily.path(), other).expect(200);
        assertTrue(moved.text().contains("\"timeZone\":\"Europe/Berlin\""), "what is left out stays");
        Answer zone =
                house.put(daily.path(), "{\"config\": {\"timeZone\": \"UTC\"}}").expect(200);
        assertTrue(zone.text().contains("\"cron\":\"0 0 1 1 *\""), zone::text);
        assertTrue(house.put(daily.path(), "{}").expect(200).text().contains("\"timeZone\":\"UTC\""));
        assertEquals(
                "{\"items\":[{\"at\":\"9999-01-01T00:00:00Z\",\"clock\":\"plain\",\"local\":\"9999-01-01T00:00:00+00:00\"}],"
                        + "\"timeZone\":\"UTC\"}",
                house.get(daily.path() + "/next?from=9998-06-01T00:00:00Z")
                        .expect(200)
                        .text(),
                "the last one");
    }

    @Test
    void eachTickStartsOneExecutionInTheTriggersName() throws Exception {
        Instant made = Instant.now();
        Timetable each = Timetable.of(house, workflow(house, "schedule-each"), Timetable.EACH_SECOND);
        Timetable none = Timetable.of(
                house,
                "schedule-each",
                Timetable.EACH_SECOND,
                ", \"activationCondition\": \"trigger.timeZone !== 'UTC'\"");

        List<Tick> first = each.settled(house, 4);
        assertTrue(first.stream().allMatch(it -> Set.of("started", "received").contains(it.status())), first::toString);
        assertEquals("ignored", none.settled(house, 1).getFirst().status());
        none.off(house);
        List<Tick> ticks = each.off(house);

        assertTrue(
                Duration.between(made, ticks.getFirst().at()).compareTo(Duration.ofSeconds(30)) < 0, ticks::toString);
        for (int i = 1; i < ticks.size(); i++) {
            assertEquals(ticks.get(i - 1).at().plusSeconds(1), ticks.get(i).at(), ticks::toString);
        }
        List<Tick> started =
                ticks.stream().filter(it -> it.status().equals("started")).toList();
        assertTrue(started.size() >= 4, ticks::toString);
        assertTrue(
                ticks.stream().allMatch(it -> Set.of("started", "refused").contains(it.status())),
                () -> "the last ones may have found it turned off: " + ticks);
        assertEquals(
                started.size(),
                new HashSet<>(started.stream().map(Tick::execution).toList()).size());
        assertEquals(started.size(), executions(house, "schedule-each"));
        for (Tick tick : started) {
            assertFalse(tick.late().isNegative(), tick::toString);
        }
        Answer shown =
                house.get("/executions/" + started.getFirst().execution()).expect(200);
        assertEquals("trigger:" + each.id(), text(shown, "startedBy"));
        assertTrue(
                shown.text()
                        .contains("\"trigger\":{\"scheduledAt\":\""
                                + started.getFirst().at() + "\",\"timeZone\":\"UTC\"}"),
                shown::text);
        assertTrue(
                house.metrics().text().contains("flowstone_trigger_lateness_seconds_count"),
                "how late they are is told");
    }

    /** Case 15, and 19 in small. */
    @Test
    void archivingTurnsItOffAndReactivatingCountsFromThen() throws Exception {
        Timetable each = Timetable.of(house, workflow(house, "schedule-archived"), Timetable.EACH_SECOND);
        each.settled(house, 2);
        house.post("/workflows/schedule-archived/archive", "").expect(200);
        Instant archived = Instant.now();
        assertEquals("null", text(house.get(each.path()).expect(200), "nextFireAt"));
        Company.until("some seconds pass", () -> Instant.now().isAfter(archived.plusMillis(3_500)));
        List<Tick> before = each.ticks(house);
        assertTrue(before.stream().noneMatch(it -> it.at().isAfter(archived)), before::toString);

        Instant reactivated = Instant.now();
        house.post("/workflows/schedule-archived/reactivate", "").expect(200);
        each.settled(house, before.size() + 2);
        List<Tick> after = each.off(house);

        assertTrue(
                after.stream()
                        .noneMatch(it -> it.at().isAfter(archived) && it.at().isBefore(reactivated)),
                () -> "archived at " + archived + ", reactivated at " + reactivated + ": " + after);
        assertTrue(Duration.between(reactivated, after.get(before.size()).at()).toSeconds() < 60, after::toString);
    }

    private static House open(Path data, Map<String, String> flags) throws Exception {
        return House.open(data, flags, BuiltInActions.registry());
    }

    private static String eachSecond(String policy) {
        return "{\"cron\": \"* * * * * *\", \"missedFirePolicy\": " + policy + "}";
    }

    /** Case 19. */
    @Test
    void whatWasMissedWhileNothingRanIsAsThePolicySays(@TempDir Path data) throws Exception {
        Map<String, String> flags = Map.of("trigger.missedAfter", "2s");
        List<Timetable> all = new ArrayList<>();
        try (House first = open(data, flags)) {
            workflow(first, "missed");
            for (String policy : List.of("\"skip\"", "\"fireOnce\"", "\"fireAll\", \"maxMissed\": 3")) {
                all.add(Timetable.of(first, "missed", eachSecond(policy)));
            }
            for (Timetable one : all) {
                one.settled(first, 1);
            }
        }
        Instant stopped = Instant.now();
        Company.until("some seconds pass", () -> Instant.now().isAfter(stopped.plusSeconds(7)));
        try (House second = open(data, flags)) {
            for (int policy = 0; policy < 3; policy++) {
                List<Tick> ticks = all.get(policy)
                        .until(
                                second,
                                found -> found.stream()
                                        .anyMatch(it -> it.receivedAt().isAfter(stopped)
                                                && it.at().isAfter(stopped.plusSeconds(7))));
                Instant look = ticks.stream()
                        .map(Tick::receivedAt)
                        .filter(it -> it.isAfter(stopped))
                        .findFirst()
                        .orElseThrow();
                long missed = ticks.stream()
                        .filter(it -> it.receivedAt().equals(look) && it.late().compareTo(Duration.ofSeconds(2)) > 0)
                        .count();
                assertEquals(List.of(0L, 1L, 3L).get(policy), missed, ticks::toString);
            }
            int started = 0;
            for (Timetable one : all) {
                started += (int) one.off(second).stream()
                        .filter(it ->
                                it.status().equals("started") || it.status().equals("repeated"))
                        .count();
            }
            assertEquals(started, executions(second, "missed"));
        }
    }

    /** Also of more than a page. */
    private static int executions(House at, String workflow) throws Exception {
        int count = 0;
        String cursor = "";
        while (true) {
            JsonObject page = at.get("/executions?limit=200&workflowId=" + workflow + cursor)
                    .expect(200)
                    .object();
            count += ((JsonArray) page.find("items").orElseThrow()).items().size();
            String next = Sender.text(page, "next");
            if (next.equals("null")) {
                return count;
            }
            cursor = "&cursor=" + next;
        }
    }

    /** A node that goes away between claiming and starting, or between starting and writing it down. */
    @Test
    void whatWasClaimedAndNotStartedIsStartedByWhoComesNext(@TempDir Path data) throws Exception {
        Timetable yearly;
        String run;
        Instant tick = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        try (House first = open(data, Map.of("trigger.schedules", "false"))) {
            workflow(first, "claimed");
            Timetable idle = Timetable.of(first, "claimed", Timetable.EACH_SECOND);
            yearly = Timetable.of(first, "claimed", "{\"cron\": \"0 0 1 1 *\"}");
            TriggerSchedules schedules = first.flowstone().triggers().triggers().schedules();
            List<Lease> leases = first.flowstone().engine().leases();
            Scheduled one = schedules.waiting(leases, EVER, Set.of(), 10).stream()
                    .filter(it -> it.key().id().toString().equals(yearly.id()))
                    .findFirst()
                    .orElseThrow();
            TriggerKey key = one.key();
            List<Claim> claims = new ArrayList<>();
            for (Instant at : List.of(tick.minusSeconds(2), tick.minusSeconds(1))) {
                Arrival arrival = Arrival.tick(key, at, Instant.now().truncatedTo(ChronoUnit.MICROS));
                claims.add(new Claim(arrival, RequestSlot.of(key.tenant(), Launcher.requestId(arrival))));
            }
            Lease lease = leases.stream()
                    .filter(it -> it.shard().holds(key.slot()))
                    .findFirst()
                    .orElseThrow();
            assertEquals(
                    2,
                    schedules
                            .advance(List.of(new Advance(lease, key, one.place(), Optional.of(EVER), EVER, claims)))
                            .size());
            OpenTick second = schedules.open(leases, EVER, Set.of(), Set.of(), 10).stream()
                    .filter(it -> it.tick().equals(tick.minusSeconds(1)))
                    .findFirst()
                    .orElseThrow();
            Launched launched = first.flowstone()
                    .launcher()
                    .launch(second.trigger().orElseThrow(), second.arrival(), JsonObject.EMPTY, "test", () -> true);
            Starts.Outcome outcome =
                    assertInstanceOf(Launched.Asked.class, launched).outcome();
            StartAnswer answer =
                    assertInstanceOf(Starts.Outcome.Answered.class, outcome).answer();
            run = assertInstanceOf(StartAnswer.Started.class, answer).run().toString();
            Company.until("a second passes", () -> Instant.now().isAfter(tick.plusSeconds(2)));
            assertEquals(List.of(), idle.ticks(first), "this installation fires none");
            idle.off(first);
            assertEquals(2, yearly.ticks(first).size());
        }
        try (House second = open(data, Map.of())) {
            List<Tick> ticks = yearly.settled(second, 2);
            Map<Instant, Tick> found = new HashMap<>();
            ticks.forEach(it -> found.put(it.at(), it));
            assertEquals(2, found.size(), ticks::toString);
            assertEquals(
                    "started", requireNonNull(found.get(tick.minusSeconds(2))).status());
            assertEquals(
                    "repeated", requireNonNull(found.get(tick.minusSeconds(1))).status());
            assertEquals(run, requireNonNull(found.get(tick.minusSeconds(1))).execution());
            assertEquals(2, executions(second, "claimed"));
        }
    }

    /** Nobody is there to be told to come again. */
    @Test
    void whatIsOverQuotaIsTriedAgainUntilItStarts(@TempDir Path data) throws Exception {
        try (House small = open(data, Map.of("quota.tenantStarts", "default=2"))) {
            workflow(small, "quota");
            List<Timetable> all = new ArrayList<>();
            while (all.size() < 12) {
                all.add(Timetable.of(small, "quota", "{\"cron\": \"0 0 1 1 *\"}"));
            }
            // All at once, however long that took.
            TriggerSchedules schedules = small.flowstone().triggers().triggers().schedules();
            List<Lease> leases = small.flowstone().engine().leases();
            Company.until(
                    "each was looked at",
                    () -> schedules.waiting(leases, EVER, Set.of(), 100).stream()
                            .allMatch(it -> it.place().due().isPresent()));
            Instant tick = Instant.now().truncatedTo(ChronoUnit.SECONDS);
            List<Advance> due = new ArrayList<>();
            for (Scheduled one : schedules.waiting(leases, EVER, Set.of(), 100)) {
                Arrival arrival = Arrival.tick(one.key(), tick, Instant.now().truncatedTo(ChronoUnit.MICROS));
                due.add(new Advance(
                        leases.stream()
                                .filter(it -> it.shard().holds(one.key().slot()))
                                .findFirst()
                                .orElseThrow(),
                        one.key(),
                        one.place(),
                        Optional.of(EVER),
                        EVER,
                        List.of(new Claim(arrival, RequestSlot.of(one.key().tenant(), Launcher.requestId(arrival))))));
            }
            assertEquals(12, schedules.advance(due).size());
            for (Timetable one : all) {
                List<Tick> ticks = one.settled(small, 1);
                assertEquals(
                        List.of("started"), ticks.stream().map(Tick::status).toList());
            }
            assertEquals(12, executions(small, "quota"));
        }
    }
}
