package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Workflows, executions, triggers and dead letters from the command line, against a real server; each test is a tenant. */
@ExtendWith(RemoteServer.Shared.class)
final class RemoteCatalogTest {
    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

    private final RemoteServer server;

    @TempDir
    private Path folder;

    RemoteCatalogTest(RemoteServer server) {
        this.server = server;
    }

    private Said as(String tenant, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--tenant", tenant));
        return server.call(all.toArray(String[]::new));
    }

    private Said done(String tenant, String... words) {
        Said said = as(tenant, words);
        assertEquals(0, said.exit(), said::toString);
        return said;
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private String workflow(String id, String text) throws IOException {
        return file(id + ".json", """
                {"id": "%s", "displayName": "%s", "startNode": "a",
                 "nodes": [{"id": "a", "actionType": "core.echo", "parameters": {"text": "%s"}}]}""".formatted(id, id, text));
    }

    @Test
    void aWorkflowGoesFromDraftToArchive() throws Exception {
        String tenant = "cli-workflows";
        assertTrue(done(tenant, "workflows", "put", "--file", workflow("order", "one"))
                .out()
                .contains("Draft"));
        server.refused(1, "(PRECONDITION_FAILED)", as(tenant, "workflows", "publish", "order", "--revision", "17"));
        assertTrue(done(tenant, "workflows", "publish", "order", "--revision", "1")
                .out()
                .contains("Active"));
        server.refused(
                2,
                "POST /api/v1/workflows/order/draft",
                as(tenant, "workflows", "put", "--file", workflow("order", "two")));
        done(tenant, "workflows", "draft", "order", "--file", workflow("order", "two"));
        assertTrue(done(tenant, "workflows", "show", "order", "--version", "draft")
                .out()
                .contains("two"));
        done(tenant, "workflows", "publish", "order", "--stage");
        Said listed = done(tenant, "workflows", "list");
        assertTrue(
                listed.out().matches("(?s)WORKFLOW +STATUS +CURRENT +LATEST.*order +Active +1 +2 +.*"),
                listed::toString);
        String versions = done(tenant, "workflows", "versions", "order").out();
        assertTrue(versions.matches("(?s)VERSION +CURRENT +PUBLISHED +CHECKSUM *\\n2 +.*\\n1 +.*"), versions);
        String page = done(tenant, "workflows", "versions", "order", "--limit", "1", "--json")
                .out();
        assertTrue(page.contains("\"version\":2") && page.contains("\"isCurrent\":false"), page);
        server.refused(1, "(WORKFLOW_NOT_FOUND)", as(tenant, "workflows", "versions", "none"));
        done(tenant, "workflows", "draft", "order");
        done(tenant, "workflows", "discard", "order");
        done(tenant, "workflows", "archive", "order");
        server.refused(1, "(NOT_EXECUTABLE)", as(tenant, "executions", "start", "order"));
        done(tenant, "workflows", "reactivate", "order");
        server.refused(1, "(WORKFLOW_STATE)", as(tenant, "workflows", "remove", "order"));
        done(tenant, "workflows", "put", "--file", workflow("never", "x"));
        assertEquals("Done.\n", done(tenant, "workflows", "remove", "never").out());
        server.refused(2, "broken.json", as(tenant, "workflows", "put", "--file", file("broken.json", "{\"id\": ")));
        Said faulty = as(tenant, "workflows", "put", "--file", file("faulty.json", "{\"id\": \"x\"}"));
        server.refused(2, "(WFENG005)", faulty);
        assertTrue(faulty.err().contains("→ "), faulty::toString);
    }

    @Test
    void anExecutionIsStartedFollowedToItsEndAndListedByPages() throws Exception {
        String tenant = "cli-executions";
        done(tenant, "workflows", "put", "--file", workflow("order", "it was {{ trigger.amount }}"));
        done(tenant, "workflows", "publish", "order");
        Matcher run = RemoteServer.RUN.matcher(
                done(tenant, "executions", "start", "order", "--input", "{\"amount\": 7}", "--request-id", "one")
                        .out());
        assertTrue(run.find());
        Said followed = done(tenant, "executions", "follow", run.group());
        assertTrue(followed.out().contains("started    order version 1"), followed::toString);
        assertTrue(followed.out().contains("Succeeded"), followed::toString);
        assertTrue(followed.out().contains("it was 7"), followed::toString);
        assertTrue(followed.out().contains("executions events " + run.group() + " --server "), followed::toString);
        List<String> lines = done(tenant, "executions", "events", run.group(), "--json")
                .out()
                .lines()
                .toList();
        assertTrue(lines.getFirst().contains("\"kind\":\"RunStarted\""), lines::toString);
        assertTrue(lines.getLast().startsWith("{\"result\":"), lines::toString);
        assertTrue(done(tenant, "executions", "show", run.group()).out().contains("it was 7"));
        assertTrue(done(tenant, "executions", "hierarchy", run.group()).out().contains(run.group()));
        for (int i = 0; i < 4; i++) {
            done(tenant, "executions", "start", "order", "--input", "{\"amount\": 1}");
        }
        Said page = done(tenant, "executions", "list", "--limit", "2");
        assertEquals(3, page.out().lines().count(), page::toString);
        assertTrue(page.err().contains("More: --after "), page::toString);
        Said all = done(tenant, "executions", "list", "--limit", "2", "--all");
        assertEquals(6, all.out().lines().count(), all::toString);
        Said json = done(tenant, "executions", "list", "--limit", "2", "--all", "--json");
        assertEquals(5, json.out().lines().filter(line -> line.startsWith("{")).count(), json::toString);
        assertEquals(
                "", done(tenant, "executions", "list", "--status", "Failed").out());
        server.refused(1, "(EXECUTION_NOT_FOUND)", as("cli-nobody", "executions", "follow", run.group()));
    }

    @Test
    void followingWaitsForWhatIsToComeAndSaysThatItFailed() throws Exception {
        String run = server.started("waiting", "{}", "runs", "timers", "rest");
        try (Cli.Running following = Cli.Running.start("executions", "follow", run, "--server", server.address())) {
            following.lineWith("rest");
            server.done("executions", "terminate", run, "--reason", "enough");
            following.lineWith("Cancelled");
            assertEquals(1, following.end().exit());
        }
        Matcher failing = RemoteServer.RUN.matcher(
                server.done("executions", "start", "stopping").out());
        assertTrue(failing.find());
        server.until(said -> said.out().contains("NO"), "executions", "incidents", failing.group());
        server.done("executions", "force-fail", failing.group(), "--reason", "no way on");
        Said failed = server.call("executions", "follow", failing.group());
        assertEquals(1, failed.exit(), failed::toString);
        assertTrue(failed.out().contains("FORCED, no way on"), failed::toString);
    }

    @Test
    void aTriggerIsMadeChangedFiredAndRemoved() throws Exception {
        String tenant = "cli-triggers";
        done(tenant, "workflows", "put", "--file", workflow("order", "x"));
        done(tenant, "workflows", "publish", "order");
        String schedule = file("nightly.json", """
                {"workflowId": "order", "triggerType": "Schedule", "config": {"cron": "30 1 * * *", "timeZone": "Europe/Berlin"}}""");
        Matcher id = ID.matcher(
                done(tenant, "triggers", "create", "--file", schedule, "--json").out());
        assertTrue(id.find());
        String trigger = id.group(1);
        assertTrue(done(tenant, "triggers", "list", "--type", "Schedule").out().contains(trigger));
        assertEquals(
                4,
                done(tenant, "triggers", "next", trigger, "--count", "3")
                        .out()
                        .lines()
                        .count());
        String change = file("change.json", "{\"config\": {\"cron\": \"0 2 * * *\"}}");
        server.refused(
                1,
                "(PRECONDITION_FAILED)",
                as(tenant, "triggers", "put", trigger, "--file", change, "--revision", "9"));
        assertTrue(done(tenant, "triggers", "put", trigger, "--file", change, "--revision", "1")
                .out()
                .contains("0 2 * * *"));
        done(tenant, "triggers", "disable", trigger);
        server.refused(1, "(TRIGGER_DISABLED)", as(tenant, "triggers", "fire", trigger));
        done(tenant, "triggers", "enable", trigger);
        assertTrue(done(tenant, "triggers", "fire", trigger, "--input", "{\"amount\": 1}")
                .out()
                .contains("executionId"));
        assertTrue(done(tenant, "triggers", "deliveries", trigger).out().contains("started"));
        assertEquals("Done.\n", done(tenant, "triggers", "remove", trigger).out());
        server.refused(1, "(TRIGGER_NOT_FOUND)", as(tenant, "triggers", "show", trigger));
        server.refused(
                2,
                "(INVALID_REQUEST)",
                as(tenant, "triggers", "create", "--file", file("bad.json", "{\"workflowId\": \"order\"}")));
    }

    @Test
    void actionsAreListedShownAndTurnedOff() throws Exception {
        String tenant = "cli-actions";
        Said listed = done(tenant, "actions", "list", "--connector", "core", "--search", "timer");
        assertEquals(2, listed.out().lines().count(), listed::out);
        assertTrue(listed.out().lines().toList().getFirst().startsWith("ACTION"), listed::out);
        assertTrue(listed.out().contains("core.delay"), listed::out);
        assertTrue(done(tenant, "actions", "show", "core.http", "--json").out().contains("\"parameterSchema\":{"));
        assertTrue(done(tenant, "connectors", "list").out().contains("Core"));
        assertTrue(done(tenant, "connectors", "show", "core").out().contains("1.0.0"));
        assertTrue(done(tenant, "connectors", "actions", "core", "--all").out().contains("core.echo"));
        server.refused(1, "(ACTION_NOT_FOUND)", as(tenant, "actions", "show", "acme.none"));
        server.refused(1, "(CONNECTOR_NOT_FOUND)", as(tenant, "connectors", "disable", "acme"));

        done(tenant, "actions", "disable", "core.transform", "--reason", "it floods them", "--revision", "0");
        assertTrue(done(tenant, "actions", "list", "--enabled", "false").out().contains("core.transform"));
        server.refused(
                1, "(PRECONDITION_FAILED)", as(tenant, "actions", "enable", "core.transform", "--revision", "0"));
        done(tenant, "actions", "enable", "core.transform", "--revision", "1");
        assertEquals(
                "No actions.\n",
                done(tenant, "actions", "list", "--enabled", "false").err());
    }

    @Test
    void aDeadLetterIsRequeuedAndDiscarded() throws Exception {
        server.post("/workflows/telling/execute", "{}");
        Said listed = server.until(
                said -> said.out().contains("effect"), "dead-letters", "list", "--source", "effect", "--state", "dead");
        String letter = listed.out().lines().skip(1).findFirst().orElseThrow().split(" ", 2)[0];
        assertTrue(server.done("dead-letters", "show", letter).out().contains("payload"));
        assertTrue(server.done("dead-letters", "requeue", letter, "--comment", "once more")
                        .exit()
                == 0);
        server.until(said -> said.out().contains(letter), "dead-letters", "list", "--state", "dead");
        server.done("dead-letters", "discard", letter, "--comment", "the shop is gone");
        server.refused(1, "(DEAD_LETTER_NOT_FOUND)", server.call("dead-letters", "show", "4711"));
        server.refused(2, "", server.call("dead-letters", "requeue-all", "--source", "effect", "--per-second", "5000"));
    }
}
