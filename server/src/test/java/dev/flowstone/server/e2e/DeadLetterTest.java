package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What can't be taken up is tried a few times and is then dead, until somebody requeues or purges it; on PostgreSQL. */
@Execution(ExecutionMode.CONCURRENT) // each waits most of its time, on a database of its own
final class DeadLetterTest {
    private static final String ROOT = "/dead-letters";
    private static final Map<String, String> FLAGS =
            Map.of("deadLetter.delay", "300ms", "deadLetter.maxRetries", "2", "deadLetter.name", "our-dlq");
    private static final String CHILD = """
            {"id": "child", "displayName": "C", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "parameters": {"said": "hello"}}]}""";
    private static final String PARENT = """
            {"id": "parent", "displayName": "P", "startNode": "a", "nodes": [
              {"id": "a", "nodeType": "subworkflow", "workflowId": "child"}]}""";
    private static final String PAYING = """
            {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "paying", "name": "P", "start": "paid",
             "states": {"paid": {"wait": {"signal": "paid", "key": "k"}, "next": "done"}, "done": {"end": {}}}}""";

    @TempDir
    Path data = Path.of("");

    private House open() throws Exception {
        return House.open(data, FLAGS, BuiltInActions.registry());
    }

    private static void execute(House house, String... statements) throws Exception {
        try (Connection superuser = Tamper.superuser(house);
                Statement statement = superuser.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static boolean is(House house, String condition) throws Exception {
        try (Connection superuser = Tamper.superuser(house);
                Statement statement = superuser.createStatement();
                ResultSet row = statement.executeQuery(condition)) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static List<JsonObject> items(Answer answer) {
        return answer.object().get("items") instanceof JsonArray array
                ? array.items().stream().map(JsonObject.class::cast).toList()
                : List.of();
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }

    private static int attempts(JsonObject letter) {
        return letter.get("attempts") instanceof JsonNumber number
                ? number.decimalValue().intValueExact()
                : 0;
    }

    /** Waits until there is one letter, and it is so. */
    private static JsonObject until(House house, String query, Predicate<JsonObject> good) throws Exception {
        List<JsonObject> found = new ArrayList<>();
        Company.until("a letter of " + query + " is as it should be", () -> {
            found.clear();
            found.addAll(items(house.get(ROOT + query).expect(200)));
            return found.size() == 1 && good.test(found.getFirst());
        });
        return found.getFirst();
    }

    private static void untilNone(House house) throws Exception {
        Company.until(
                "no letter is left", () -> items(house.get(ROOT).expect(200)).isEmpty());
    }

    private static boolean isDead(JsonObject letter) {
        return text(letter, "state").equals("dead");
    }

    /** The bytes of the child's program, which nobody may change. */
    private static void spoil(House house, boolean spoilt) throws Exception {
        execute(
                house,
                "ALTER TABLE flowstone.programs DISABLE TRIGGER published_is_for_ever",
                "UPDATE flowstone.programs SET bytes = set_byte(bytes, 0, get_byte(bytes, 0) # 1) WHERE hash IN"
                        + " (SELECT program FROM flowstone.workflow_versions WHERE workflow = 'child')",
                "ALTER TABLE flowstone.programs ENABLE ALWAYS TRIGGER published_is_for_ever");
        assertEquals(
                spoilt,
                is(
                        house,
                        "SELECT sha256(p.bytes) <> p.hash FROM flowstone.programs p JOIN flowstone.workflow_versions v"
                                + " ON v.program = p.hash WHERE v.workflow = 'child'"));
    }

    @Test
    void theStartOfAChildThatFailsIsTriedAgainThenDeadAndRequeuedLeadsToItsRun() throws Exception {
        try (House house = open()) {
            house.publish(CHILD);
            house.publish(PARENT);
            spoil(house, true);
            RunId run = house.start("parent", "{}");

            JsonObject waiting = until(house, "?source=message", letter -> true);
            assertEquals("POISON", text(waiting, "reason"));
            JsonObject dead = until(house, "?state=dead", DeadLetterTest::isDead);
            assertEquals(text(waiting, "id"), text(dead, "id"));
            assertEquals(3, attempts(dead), "the first, and two retries");
            assertTrue(text(dead, "lastError").contains("damaged"), dead::toString);
            assertEquals("Running", house.get("/executions/" + run).expect(200).text("status"));

            String one = ROOT + "/" + text(dead, "id");
            Answer whole = house.get(one).expect(200);
            assertEquals("our-dlq", whole.text("queue"));
            assertTrue(whole.text().contains("\"workflow\":\"child\""), whole::text);

            // Archived meanwhile, its start is refused; nothing of what waits is begun.
            spoil(house, false);
            house.post("/workflows/child/archive", "").expect(200);
            house.post(one + "/requeue", "{\"comment\": \"whole again\"}").expect(200);
            JsonObject refused = until(house, "?reason=validation", DeadLetterTest::isDead);
            assertTrue(text(refused, "lastError").contains("child is not active"), refused::toString);

            house.post("/workflows/child/reactivate", "").expect(200);
            house.post(one + "/requeue", "").expect(200);
            assertEquals(RunStatus.SUCCEEDED, house.await(run).status());
            untilNone(house);
            house.get(one).expect(404);
        }
    }

    /** Its sender is told that it failed; nobody else needs to know whether it is sent again. */
    @Test
    void aDeliveryThatCannotBeStartedIsTriedAgainThenDeadAndRequeuedStarts() throws Exception {
        try (House house = open()) {
            house.publish(CHILD);
            Sender sender = Sender.of(house, "child");
            spoil(house, true);

            Answer failed =
                    sender.send(house, "d-1", "{\"n\": 9007199254740993}").expect(500);
            assertTrue(failed.text("detail").contains("kept and tried again"), failed::text);
            JsonObject noted = sender.settled(house, 1).getFirst();
            assertEquals("INTERNAL", text(noted, "code"));
            JsonObject dead = until(house, "?source=trigger", DeadLetterTest::isDead);
            assertEquals(3, attempts(dead), "the first, and two retries");
            assertEquals("POISON", text(dead, "reason"));
            String one = ROOT + "/" + text(dead, "id");
            assertTrue(house.get(one).expect(200).text().contains("\"trigger\":{\"n\":9007199254740993}"));

            spoil(house, false);
            house.post("/workflows/child/archive", "").expect(200);
            house.post(one + "/requeue", "").expect(200);
            until(house, "?source=trigger&reason=VALIDATION", DeadLetterTest::isDead);
            assertEquals(0, Sender.executions(house, "child"));
            house.post("/workflows/child/reactivate", "").expect(200);
            house.post(one + "/requeue", "").expect(200);
            untilNone(house);

            assertEquals(1, Sender.executions(house, "child"));
            assertEquals(List.of("started"), sender.statuses(house, 1));
            String run = text(sender.settled(house, 1).getFirst(), "executionId");
            Answer anew = sender.send(house, "d-1", Instant.now().plusSeconds(1), "{\"n\": 9007199254740993}");
            assertEquals(run, anew.expect(200).text("executionId"));
        }
    }

    @Test
    void aDeliveryWhoseTriggerIsGoneIsPurged() throws Exception {
        try (House house = open()) {
            house.publish(CHILD);
            Sender sender = Sender.of(house, "child");
            spoil(house, true);
            sender.send(house, "d-1", "{}").expect(500);
            house.delete(sender.path()).expect(204);

            JsonObject dead = until(house, "?source=trigger&reason=UNDELIVERABLE", DeadLetterTest::isDead);
            assertTrue(text(dead, "lastError").contains("trigger is gone"), dead::toString);
            assertTrue(house.post(ROOT + "/purge", "{\"source\": \"trigger\"}")
                    .expect(200)
                    .text()
                    .contains("\"purged\":1"));
            untilNone(house);
        }
    }

    @Test
    void aRunThatIsSetAsideIsTriedAgainThenDeadAndRequeuedGoesOn() throws Exception {
        RunId run;
        try (House house = open()) {
            house.publish(PAYING);
            run = house.start("paying", "{}");
            String asleep = "SELECT NOT awake FROM flowstone.runs WHERE run_id = '" + run + "'";
            Company.until("it waits for the signal", () -> is(house, asleep));
            execute(
                    house,
                    "INSERT INTO flowstone.snapshots SELECT tenant, run_id, 1, '\\x78'::bytea FROM flowstone.runs"
                            + " WHERE run_id = '" + run + "'"
                            + " ON CONFLICT (tenant, run_id) DO UPDATE SET bytes = excluded.bytes");
        }
        try (House house = open()) {
            Company.until(
                    "its shard is there to take the signal",
                    () -> house.post("/signals", "{\"type\": \"paid\", \"key\": \"k\"}")
                                    .status()
                            == 202);

            JsonObject dead = until(house, "?source=execution", DeadLetterTest::isDead);
            assertEquals(3, attempts(dead));
            assertEquals(run.toString(), text(dead, "executionId"));
            assertTrue(text(dead, "lastError").contains("snapshot"), dead::toString);
            assertTrue(
                    house.get("/stuck?kind=set_aside").expect(200).text().contains(run.toString()), "both tell of it");

            execute(house, "DELETE FROM flowstone.snapshots WHERE run_id = '" + run + "'");
            house.post(ROOT + "/requeue", "{\"source\": \"execution\", \"state\": \"dead\"}")
                    .expect(200);
            assertEquals(RunStatus.SUCCEEDED, house.await(run).status());
            untilNone(house);
        }
    }

    /** A message that no release can read. */
    private static JsonObject unreadable(House house, String name) throws Exception {
        if (house.get("/workflows/child").status() == 404) {
            house.publish(CHILD);
        }
        RunId run = house.start("child", "{}");
        execute(
                house,
                "INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at)"
                        + " SELECT tenant, 'test', '" + name + "', run_id, slot, 'nonsense',"
                        + " convert_to('{\"text\":\"" + name
                        + "\"}', 'UTF8'), now() FROM flowstone.runs WHERE run_id = '"
                        + run + "'");
        return until(house, "?executionId=" + run, letter -> true);
    }

    @Test
    void whatCannotBeReadIsDeadInTheEndAndPurged() throws Exception {
        try (House house = open()) {
            JsonObject letter = unreadable(house, "grue");
            assertEquals("DESERIALIZATION", text(letter, "reason"));
            JsonObject dead = until(house, "", DeadLetterTest::isDead);
            assertEquals(3, attempts(dead));
            assertTrue(text(dead, "lastError").contains("nonsense"), dead::toString);
            String metrics = house.metrics().expect(200).text();
            assertTrue(metrics.contains("flowstone_dead_letter_changes_total{change=\"enqueued\"} 1.0"), metrics);
            assertTrue(metrics.contains("flowstone_dead_letters{source=\"message\",state=\"dead\"} 1.0"), metrics);

            String one = ROOT + "/" + text(dead, "id");
            assertTrue(house.get(one).expect(200).text().contains("\"text\":\"grue\""));
            house.post(one + "/requeue", "").expect(200);
            until(house, "", it -> isDead(it) && attempts(it) == 6);

            String other = LoopbackCallers.TENANT;
            assertEquals(List.of(), items(house.get(ROOT, other, "other").expect(200)));
            assertEquals(
                    "DEAD_LETTER_NOT_FOUND",
                    house.get(one, other, "other").expect(404).text("code"));
            house.post(one + "/requeue", "{}", other, "other").expect(404);
            assertTrue(house.post(ROOT + "/purge", "{}", other, "other")
                    .expect(200)
                    .text()
                    .contains("\"purged\":0"));

            house.delete(one + "?comment=nobody%20wants%20it").expect(200);
            house.get(one).expect(404);
            house.delete(one).expect(404);
            assertTrue(is(
                    house,
                    "SELECT count(*) = 2 AND bool_or(deed = 'purge' AND comment = 'nobody wants it')"
                            + " FROM flowstone.dead_letter_deeds"));
        }
    }

    @Test
    void requeuedAndPurgedAtOnceALetterIsPurgedOnceAndGone() throws Exception {
        try (House house = open()) {
            for (int round = 0; round < 4; round++) {
                String one = ROOT + "/" + text(unreadable(house, "race-" + round), "id");
                List<Callable<Answer>> all = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    all.add(() -> house.delete(one));
                    all.add(() -> house.post(one + "/requeue", ""));
                }
                int purged = 0;
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    for (Future<Answer> done : threads.invokeAll(all)) {
                        Answer answer = done.get();
                        assertTrue(answer.status() == 200 || answer.status() == 404, answer::text);
                        purged += answer.status() == 200 && answer.text().contains("purged") ? 1 : 0;
                    }
                }
                assertEquals(1, purged);
                house.get(one).expect(404);
            }
        }
    }
}
