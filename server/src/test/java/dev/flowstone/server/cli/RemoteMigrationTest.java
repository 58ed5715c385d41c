package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs are moved to another version from the command line, one or all of a workflow, against a real server. */
@ExtendWith(RemoteServer.Shared.class)
final class RemoteMigrationTest {
    /** A workflow that waits in a state of some name. */
    private static final String MOVING = """
            "mark": {"task": {"action": "core.echo", "sideEffects": false}, "next": "%s"},
            "%s": {"timer": {"after": "P30D"}, "next": "done"},
            "done": {"end": {}}""";

    private final RemoteServer server;

    RemoteMigrationTest(RemoteServer server) {
        this.server = server;
    }

    @Test
    void aRunIsMovedToAnotherVersionAfterALookAtWhatThatTakes() throws Exception {
        server.publish("moving", MOVING.formatted("rest", "rest"), "mark");
        String run = server.started("moving", "{}", "runs", "timers", "rest");
        server.post("/workflows/moving/draft", "");
        server.publish("moving", MOVING.formatted("pause", "pause"), "mark");

        Said blind = server.done("runs", "migrate", run, "--dry-run");
        assertTrue(blind.out().contains("rest#1"), blind::toString);
        assertTrue(Pattern.compile("(?m)^possible +false$").matcher(blind.out()).find(), blind::toString);
        server.refused(1, "(WFENG002)", server.call("runs", "migrate", run));
        server.refused(1, "(VERSION_NOT_FOUND)", server.call("runs", "migrate", run, "--version", "9"));

        String names = "{\"rest\": \"pause\"}";
        Said look = server.done("runs", "migrate", run, "--version", "2", "--nodes", names, "--dry-run");
        assertTrue(Pattern.compile("(?m)^possible +true$").matcher(look.out()).find(), look::toString);
        assertTrue(server.done("runs", "timers", run).out().contains("rest"), "nothing was moved");
        assertTrue(server.done("runs", "migrate", run, "--version", "2", "--nodes", names)
                .out()
                .contains("Migrated"));
        assertTrue(server.done("runs", "timers", run).out().contains("pause"));
        assertEquals(
                "Nothing to do: it is so already.\n",
                server.done("runs", "migrate", run).out());
    }

    @Test
    void allRunsOfAWorkflowAreMovedBatchByBatch() throws Exception {
        server.publish("fleet", MOVING.formatted("rest", "rest"), "mark");
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            runs.add(server.started("fleet", "{}", "runs", "timers", "rest"));
        }
        server.post("/workflows/fleet/draft", "");
        server.publish("fleet", MOVING.formatted("pause", "pause"), "mark");
        String names = "{\"rest\": \"pause\"}";

        Said blind = server.call("workflows", "migrate", "fleet", "--limit", "2", "--dry-run");
        assertEquals(1, blind.exit(), "who can't be moved counts");
        assertTrue(blind.out().contains("  " + runs.getLast() + "  v1  WFENG002: rest#1 lives"), blind::toString);
        assertTrue(blind.out().endsWith("In all: 0 can be moved, 0 already there, 5 can't be moved.\n"), blind::out);
        Said look = server.done("workflows", "migrate", "fleet", "--nodes", names, "--dry-run");
        assertTrue(look.out().endsWith("In all: 5 can be moved, 0 already there, 0 can't be moved.\n"), look::out);
        assertTrue(server.done("runs", "timers", runs.getFirst()).out().contains("rest"), "nothing was moved");

        Said first = server.done("workflows", "migrate", "fleet", "--nodes", names, "--limit", "2", "--batches", "1");
        assertEquals(
                "Batch 1: 2 moved, 0 already there, 0 can't be moved; on with --after " + runs.get(3)
                        + " --version 2\nIn all: 2 moved, 0 already there, 0 can't be moved.\n",
                first.out());
        Said rest =
                server.done("workflows", "migrate", "fleet", "--nodes", names, "--limit", "2", "--after", runs.get(3));
        assertTrue(rest.out().contains("Batch 2: 1 moved"), rest::out);
        assertTrue(rest.out().endsWith("In all: 3 moved, 0 already there, 0 can't be moved.\n"), rest::out);
        Said again = server.done("workflows", "migrate", "fleet", "--nodes", names, "--json");
        assertTrue(again.out().contains("\"skipped\":5"), again::out);
        assertTrue(server.done("runs", "timers", runs.getFirst()).out().contains("pause"));
        server.refused(1, "(VERSION_NOT_FOUND)", server.call("workflows", "migrate", "fleet", "--version", "9"));
        server.refused(2, "--limit takes a number", server.call("workflows", "migrate", "fleet", "--limit", "all"));
    }
}
