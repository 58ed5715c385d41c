package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.program.ProgramText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Executions move to another version and begin at each other's past, over HTTP. Each test has a tenant of its own. */
final class MigrationTest {
    private static final String ROOT = "/api/v1/executions/";
    private static final Program SHORT = ProgramText.program("""
            id: order
            flow:
              a: {task: core.echo, to: wait}
              wait: {timer: 2h, to: b}
              b: {task: core.echo, to: done}
              done: {end: success}
            """);
    private static final Program LONGER = ProgramText.program("""
            id: order
            flow:
              a: {task: core.echo, to: pause}
              pause: {timer: 2h, to: b}
              b: {task: core.echo, to: extra}
              extra: {task: core.echo, to: done}
              done: {end: success}
            """);
    private static final String RENAMED = "\"version\": 2, \"nodes\": {\"wait\": \"pause\"}";
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static String[] tenant(String name, String... more) {
        List<String> headers = new ArrayList<>(List.of(LoopbackCallers.TENANT, name));
        headers.addAll(List.of(more));
        return headers.toArray(String[]::new);
    }

    private static String waiting(String tenant) throws Exception {
        String run = rest.start(SHORT, tenant);
        rest.until(ROOT + run + "/timers", answer -> count(answer) == 1, tenant(tenant));
        return run;
    }

    private static void second(String tenant) {
        Published.next(
                rest.ports().workflows(),
                new TenantId(tenant),
                LONGER,
                rest.ports().clock().now());
    }

    private static Answer post(String tenant, String path, String body, String... more) throws Exception {
        return rest.post(path, body, tenant(tenant, more));
    }

    private static Answer migrate(String tenant, String run, String body, String... more) throws Exception {
        return post(tenant, ROOT + run + "/migrate", "{" + body + "}", more);
    }

    private static int count(Answer list) {
        return ((JsonArray) list.at("/items")).items().size();
    }

    private static Answer finished(String tenant, String run) throws Exception {
        return rest.until(ROOT + run, answer -> !answer.text("/status").equals("Running"), tenant(tenant));
    }

    @Test
    void aWaitingExecutionIsPreviewedMovedAndFinishesTheNewWay() throws Exception {
        String run = waiting("moved");
        second("moved");

        Answer preview = migrate("moved", run, RENAMED + ", \"dryRun\": true");
        assertEquals(200, preview.status(), preview::toString);
        assertEquals("TRUE", preview.at("/possible").toString());
        assertEquals("wait#1", preview.text("/moves/0/from"));
        assertEquals("pause#1", preview.text("/moves/0/to"));
        assertEquals(
                "1",
                rest.get(ROOT + run, tenant("moved")).at("/workflowVersion").toString(),
                "nothing is done");

        Answer moved = migrate("moved", run, RENAMED, "Idempotency-Key", "m-1", "Flowstone-Principal", "user:anna");
        assertEquals(200, moved.status(), moved::toString);
        assertEquals("Migrated", moved.text("/events/1"));
        assertEquals("2", moved.at("/toVersion").toString());
        assertEquals(
                "TRUE",
                migrate("moved", run, RENAMED, "Idempotency-Key", "m-1", "Flowstone-Principal", "user:anna")
                        .at("/repeated")
                        .toString());
        Answer now = rest.get(ROOT + run + "?include=actions", tenant("moved"));
        assertEquals("2", now.at("/workflowVersion").toString());
        assertEquals("pause", now.text("/actions/items/1/nodeId"), now::toString);
        assertEquals(200, rest.get(ROOT + run + "/graph", tenant("moved")).status());
        assertEquals(
                "pause#1", rest.get(ROOT + run + "/timers", tenant("moved")).text("/items/0/activation"));
        assertTrue(rest.get(ROOT + run + "/timeline", tenant("moved"))
                .response()
                .body()
                .contains("Migrated"));
        assertEquals(
                "TRUE",
                migrate("moved", run, RENAMED + ", \"dryRun\": true")
                        .at("/alreadyThere")
                        .toString());

        post("moved", ROOT + run + "/timers/pause%231/fire", "");
        Answer over = finished("moved", run);
        assertEquals("Succeeded", over.text("/status"), over::toString);
        Answer actions = rest.get(ROOT + run + "?include=actions", tenant("moved"));
        assertEquals("extra", actions.text("/actions/items/3/nodeId"), actions::toString);
    }

    @Test
    void badMapsAndTargetsAreToldAndChangeNothing() throws Exception {
        String run = waiting("bad");
        second("bad");

        Answer unmapped = migrate("bad", run, "\"version\": 2");
        assertEquals(409, unmapped.status());
        assertEquals("WFENG002", unmapped.text("/code"));
        assertTrue(unmapped.text("/detail").contains("wait#1 lives"), unmapped::toString);
        Answer preview = migrate("bad", run, "\"version\": 2, \"dryRun\": true");
        assertEquals("FALSE", preview.at("/possible").toString());
        assertTrue(preview.text("/obstacles/0").contains("wait#1 lives"), preview::toString);
        assertEquals(
                409, migrate("bad", run, "\"nodes\": {\"wait\": \"nowhere\"}").status());
        assertEquals(
                409,
                migrate("bad", run, "\"nodes\": {\"wait\": \"pause\", \"nobody\": \"b\"}")
                        .status());
        assertEquals("VERSION_NOT_FOUND", migrate("bad", run, "\"version\": 9").text("/code"));
        assertEquals("/nodes", migrate("bad", run, "\"nodes\": {\"wait\": 7}").text("/faults/0/pointer"));
        assertEquals(400, migrate("bad", run, "\"nodes\": {\"wait\": \"\"}").status());
        assertEquals(400, migrate("bad", run, "\"node\": {}").status());
        assertEquals(404, migrate("somebody-else", run, RENAMED).status());

        assertEquals(
                "1", rest.get(ROOT + run, tenant("bad")).at("/workflowVersion").toString());
        post("bad", ROOT + run + "/terminate", "{\"reason\": \"enough\"}");
        assertEquals(409, migrate("bad", run, RENAMED).status());
        assertTrue(migrate("bad", run, RENAMED + ", \"dryRun\": true")
                .text("/obstacles/0")
                .contains("over"));
    }

    @Test
    void aBatchMovesWhatCanMoveAPageAtATimeAndMayBeRepeated() throws Exception {
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            runs.add(waiting("batch"));
        }
        post("batch", ROOT + runs.get(1) + "/timers/wait%231/fire", "");
        finished("batch", runs.get(1));
        second("batch");
        String path = "/api/v1/workflows/order/migrate";

        Answer dry = post("batch", path, "{" + RENAMED + ", \"dryRun\": true}");
        assertEquals("4", dry.at("/possible").toString(), dry::toString);
        Answer unmapped = post("batch", path, "{\"version\": 2, \"dryRun\": true}");
        assertEquals("4", unmapped.at("/refused").toString());
        assertTrue(unmapped.text("/items/0/reasons/0").contains("wait#1 lives"), unmapped::toString);
        migrate("batch", runs.get(4), RENAMED);

        Answer first = post("batch", path, "{" + RENAMED + ", \"limit\": 2}", "Idempotency-Key", "b-1");
        assertEquals("1", first.at("/moved").toString(), first::toString);
        assertEquals("1", first.at("/skipped").toString(), "one is there already");
        Answer rest2 =
                post("batch", path, "{" + RENAMED + ", \"limit\": 9, \"after\": \"" + first.text("/next") + "\"}");
        assertEquals("2", rest2.at("/moved").toString(), rest2::toString);
        assertEquals(JsonNull.NULL, rest2.at("/next"));
        Answer again = post("batch", path, "{" + RENAMED + "}");
        assertEquals("4", again.at("/skipped").toString(), again::toString);
        assertEquals(0, count(post("batch", path, "{" + RENAMED + ", \"fromVersion\": 1}")));
        assertEquals(
                404, post("batch", "/api/v1/workflows/nobody/migrate", "{}").status());
        assertEquals(
                "1",
                rest.get(ROOT + runs.get(1), tenant("batch"))
                        .at("/workflowVersion")
                        .toString(),
                "it is over");
    }

    @Test
    void anExecutionBeginsAtAPointOfAnother() throws Exception {
        String old = waiting("reset");
        String last = rest.get(ROOT + old, tenant("reset")).at("/lastSeq").toString();

        Answer begun = post("reset", ROOT + old + "/reset", "{\"sequence\": " + last + "}", "Idempotency-Key", "again");
        assertEquals(202, begun.status(), begun::toString);
        String run = begun.text("/executionId");
        assertNotEquals(old, run);
        assertEquals(ROOT + run, begun.header("Location").orElseThrow());
        Answer same = post("reset", ROOT + old + "/reset", "{\"sequence\": " + last + "}", "Idempotency-Key", "again");
        assertEquals(200, same.status(), same::toString);
        assertEquals(run, same.text("/executionId"));
        Answer other = post("reset", ROOT + old + "/reset", "{\"sequence\": 1}", "Idempotency-Key", "again");
        assertEquals("IDEMPOTENCY_KEY_REUSED", other.text("/code"));
        rest.until(ROOT + run + "/timers", answer -> count(answer) == 1, tenant("reset"));
        post("reset", ROOT + run + "/timers/wait%231/fire", "");
        Answer over = finished("reset", run);
        assertEquals("Succeeded", over.text("/status"), over::toString);
        assertEquals(old, over.text("/resetFrom/executionId"));
        assertEquals(last, over.at("/resetFrom/sequence").toString());
        assertEquals(JsonNull.NULL, rest.get(ROOT + old, tenant("reset")).at("/resetFrom"));
        assertEquals(last, rest.get(ROOT + old, tenant("reset")).at("/lastSeq").toString(), "it stays as it is");
        Answer looked = rest.get(ROOT + old, tenant("reset"));
        assertEquals(1, ((JsonArray) looked.at("/resets")).items().size(), looked::toString);
        assertEquals(run, looked.text("/resets/0/executionId"));
        assertEquals(last, looked.at("/resets/0/sequence").toString());
        assertEquals(List.of(), ((JsonArray) over.at("/resets")).items());
    }

    @Test
    void pointsThatNeverWereAndOtherTenantsExecutionsAreRefused() throws Exception {
        String old = waiting("points");

        assertEquals(
                "INVALID_COMMAND",
                post("points", ROOT + old + "/reset", "{\"sequence\": 999}").text("/code"));
        assertEquals(
                "INVALID_COMMAND",
                post("points", ROOT + old + "/reset", "{\"sequence\": 0}").text("/code"));
        assertEquals(400, post("points", ROOT + old + "/reset", "{}").status());
        assertEquals(
                404, post("others", ROOT + old + "/reset", "{\"sequence\": 1}").status());
    }
}
