package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.server.e2e.House.Answer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows that somebody has spoiled are found, and mended to exactly what they were; runs that can't go on are failed. On a database
 * that is read and spoiled behind the engine's back.
 */
@SuppressWarnings("InlineFormatString") // each is a text of its own
final class StuckTest {
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final String STATES = """
            {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "%s", "name": "%s", "start": "%s",
             "roles": {"legal": {}}, "states": {%s, "done": {"end": {}}}}""";

    /** Everything that the database says of a run beside its log. */
    private static final String ROWS = """
            SELECT (SELECT row(status, awake, ended_at, last_seq)::text FROM flowstone.runs WHERE run_id = '%1$s')
                || (SELECT coalesce(string_agg(t::text, ';' ORDER BY timer_id), '') FROM flowstone.timers t
                    WHERE run_id = '%1$s')
                || (SELECT coalesce(string_agg(h::text, ';' ORDER BY activation), '') FROM flowstone.human_tasks h
                    WHERE run_id = '%1$s')
                || (SELECT coalesce(string_agg(p::text, ';' ORDER BY party), '') FROM flowstone.human_task_parties p
                    WHERE run_id = '%1$s')
            """;

    @TempDir
    static Path data = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private static House house;

    @SuppressWarnings("NullAway.Init")
    private static Connection superuser;

    @BeforeAll
    static void open() throws Exception {
        house = House.open(
                data,
                Map.of("stuck.after", "1ms", "stuck.every", "50ms", "worker.actions", "orders.charge"),
                BuiltInActions.registry());
        PostgresConfig config =
                EmbeddedPostgres.running(EmbeddedConfig.in(data)).orElseThrow();
        superuser = DriverManager.getConnection(
                config.url(), config.admin().user(), config.admin().password());
        publish("review", "ask", """
                "ask": {"human": {"assignees": [{"user": "anna"}, {"role": "legal"}]},
                        "transitions": [{"on": "approve", "to": "done"}, {"on": "reject", "to": "done"}]}""");
        publish("resting", "rest", """
                "rest": {"timer": {"after": "P30D"}, "next": "done"}""");
        publish("paying", "paid", """
                "paid": {"wait": {"signal": "paid", "key": "k"}, "next": "done"}""");
        publish("charging", "charge", """
                "charge": {"task": {"action": "orders.charge", "timeout": "PT1S"}, "next": "done"}""");
        publish("quick", "echo", """
                "echo": {"task": {"action": "core.echo"}, "next": "done"}""");
    }

    @AfterAll
    static void close() throws Exception {
        superuser.close();
        house.close();
    }

    private static void publish(String id, String start, String states) throws Exception {
        house.publish(STATES.formatted(id, id, start, states));
    }

    private static void spoil(String sql, RunId run) throws Exception {
        try (Statement statement = superuser.createStatement()) {
            assertTrue(statement.executeUpdate(sql + " WHERE run_id = '" + run + "'") > 0, sql);
        }
    }

    private static String rows(RunId run) throws Exception {
        try (Statement statement = superuser.createStatement();
                ResultSet row = statement.executeQuery(ROWS.formatted(run))) {
            assertTrue(row.next());
            return row.getString(1);
        }
    }

    /** Starts a run and waits until its rows say that it waits. */
    private static RunId waiting(String workflow, Predicate<String> rows) throws Exception {
        RunId run = house.start(workflow, "{}");
        until(() -> rows.test(rows(run)), workflow);
        return run;
    }

    /** Something that may throw. */
    @FunctionalInterface
    private interface Check {
        boolean holds() throws Exception;
    }

    private static void until(Check check, String what) throws Exception {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!check.holds()) {
            assertTrue(System.nanoTime() < end, what);
            Thread.onSpinWait();
        }
    }

    /** What is told of a run, over all pages. */
    private static List<JsonObject> told(RunId run, String query) throws Exception {
        List<JsonObject> found = new ArrayList<>();
        String after = "";
        while (true) {
            JsonObject page =
                    house.get("/stuck?limit=1" + query + after).expect(200).object();
            for (JsonValue item : ((JsonArray) page.find("items").orElseThrow()).items()) {
                if (item instanceof JsonObject object
                        && new JsonString(run.toString()).equals(object.get("executionId"))) {
                    found.add(object);
                }
            }
            if (!(page.get("next") instanceof JsonString(String next))) {
                return found;
            }
            after = "&after=" + next;
        }
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }

    private static Answer act(RunId run, String act) throws Exception {
        return house.post("/executions/" + run + "/" + act, "{\"reason\": \"for a test\"}");
    }

    /** Found with these words; mended to what it was; found no more. */
    private static void isMended(RunId run, String rows, String why, String row) throws Exception {
        List<JsonObject> found = told(run, "&kind=rows_differ");
        assertEquals(1, found.size(), why);
        assertEquals("rebuild", text(found.getFirst(), "help"));
        assertTrue(text(found.getFirst(), "why").contains(why), found::toString);

        JsonObject mended = act(run, "rebuild").expect(200).object();

        List<JsonValue> differences = ((JsonArray) mended.find("differences").orElseThrow()).items();
        assertEquals(1, differences.size(), mended::toString);
        assertEquals(row, text((JsonObject) differences.getFirst(), "row"));
        assertEquals(rows, rows(run));
        assertEquals(List.of(), told(run, "&kind=rows_differ"));
        assertEquals(
                "0",
                act(run, "rebuild")
                        .expect(200)
                        .object()
                        .find("mended")
                        .orElseThrow()
                        .toString());
    }

    @Test
    void aTimerThatIsGoneComesBack() throws Exception {
        RunId run = waiting("resting", rows -> rows.contains("rest#1"));
        String rows = rows(run);
        spoil("DELETE FROM flowstone.timers", run);

        isMended(run, rows, "rest#1 is set", "timer rest#1");
    }

    @Test
    void aHumanTaskThatListsHaveLostComesBackWithWhomItAsks() throws Exception {
        RunId run = waiting("review", rows -> rows.contains("ask#1"));
        String rows = rows(run);
        spoil("DELETE FROM flowstone.human_tasks", run);
        assertTrue(!house.get("/tasks?assignee=user:anna").expect(200).text().contains(run.toString()));

        isMended(run, rows, "ask#1 is open", "task ask#1");
        assertTrue(house.get("/tasks?assignee=user:anna").expect(200).text().contains(run.toString()));
    }

    @Test
    void aRunThatSeemsToSleepIsWokenAndOneThatSeemsAwakeIsNot() throws Exception {
        RunId charging = waiting("charging", rows -> rows.contains(",t,"));
        String awake = rows(charging);
        spoil("UPDATE flowstone.runs SET awake = false", charging);
        isMended(charging, awake, "charge#1 (attempt 1, orders.charge) has no answer", "awake");

        RunId paying = waiting("paying", rows -> rows.contains(",f,"));
        String asleep = rows(paying);
        spoil("UPDATE flowstone.runs SET awake = true", paying);
        isMended(paying, asleep, "its log that nothing is", "awake");
    }

    @Test
    void aRunThatIsOverIsOverAgain() throws Exception {
        RunId run = house.run("quick", "{}").key().run();
        String rows = rows(run);
        spoil("UPDATE flowstone.runs SET status = 'RUNNING', ended_at = NULL", run);

        isMended(run, rows, "its log that it is over: SUCCEEDED", "status");
    }

    @Test
    void aSnapshotThatIsNoneIsMadeAnew() throws Exception {
        RunId run = waiting("paying", rows -> rows.contains(",f,"));
        try (Statement statement = superuser.createStatement()) {
            statement.execute(
                    "INSERT INTO flowstone.snapshots SELECT tenant, run_id, 1, '\\x78'::bytea FROM flowstone.runs"
                            + " WHERE run_id = '" + run
                            + "' ON CONFLICT (tenant, run_id) DO UPDATE SET bytes = excluded.bytes");
        }
        assertEquals(1, told(run, "&kind=damaged").size());

        Answer mended = act(run, "rebuild").expect(200);

        assertTrue(mended.text().contains("snapshot at event"), mended.text());
        assertEquals(List.of(), told(run, "&kind=damaged"));
        house.post("/signals", "{\"type\": \"paid\", \"key\": \"k\", \"broadcast\": true}")
                .expect(202);
        assertTrue(house.await(run).status().isFinal());
    }

    @Test
    void aRunWithoutProgressIsTakenUpAgainAsOftenAsSomebodyWants() throws Exception {
        RunId run = waiting("charging", rows -> rows.contains(",t,"));
        until(() -> !told(run, "&kind=no_worker").isEmpty(), "no worker ever came");
        JsonObject found = told(run, "&kind=no_worker").getFirst();
        assertEquals("start-workers", text(found, "help"));
        assertEquals(List.of(), told(run, "&kind=no_progress"));
        assertEquals("charging", text(found, "workflowId"));

        for (int i = 0; i < 3; i++) {
            JsonObject taken = act(run, "reenqueue").expect(200).object();
            assertEquals(
                    "0", taken.find("attemptsHandedOut").orElseThrow().toString(), "it waits for a worker already");
        }
        Answer claimed =
                house.post("/tasks/claim", "{\"worker\": \"w\", \"actions\": [\"orders.charge\"], \"max\": 100}");
        assertEquals(
                2,
                claimed.expect(200).text().split("\"executionId\":\"" + run + "\"", -1).length,
                "once, and no more often");
    }

    @Test
    void aRunThatCannotGoOnIsFailedWithAReason() throws Exception {
        RunId run = waiting("resting", rows -> rows.contains("rest#1"));

        Answer failed = act(run, "force-fail").expect(200);

        assertTrue(failed.text().contains("RunFailing"), failed.text());
        Answer after = house.get("/executions/" + run + "?include=events").expect(200);
        assertEquals("Failed", after.text("status"));
        assertTrue(after.text().contains("FORCED"), after.text());
        assertTrue(after.text().contains("for a test"), after.text());
        assertEquals("WFENG002", act(run, "force-fail").expect(409).text("code"));
        assertEquals("WFENG002", act(run, "reenqueue").expect(409).text("code"));
        act(run, "rebuild").expect(200);
    }

    @Test
    void whatMakesNoSenseIsRefused() throws Exception {
        RunId nobody = RunId.parse("01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d");
        for (String act : List.of("rebuild", "reenqueue", "force-fail")) {
            assertEquals("EXECUTION_NOT_FOUND", act(nobody, act).expect(404).text("code"));
            house.post("/executions/" + nobody + "/" + act, "{}").expect(400);
        }
        house.get("/stuck?kind=nonsense").expect(400);
        house.get("/stuck?after=nonsense").expect(400);
        house.get("/stuck?limit=0").expect(400);
    }

    /** The watch of the node counts them, for alerts; healthily it counts none. */
    @Test
    void healthAndMetricsCountThem() throws Exception {
        RunId run = waiting("resting", rows -> rows.contains("rest#1"));
        spoil("DELETE FROM flowstone.timers", run);
        until(() -> !house.metrics().text().contains("flowstone_stuck_runs{kind=\"rows_differ\"} 0.0"), "no count");
        until(() -> house.vitals().text().contains("rows_differ"), "health says nothing");

        act(run, "rebuild").expect(200);

        until(() -> house.metrics().text().contains("flowstone_stuck_runs{kind=\"rows_differ\"} 0.0"), "still counted");
    }
}
