package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the command line tells of a server that isn't well: its database has too few connections left, and a run lost its timer. */
final class UnwellServerTest {
    @Test
    void whatFailsAndWhatStandsStillIsTold() throws Exception {
        try (RemoteServer server = new RemoteServer("health.freeConnections=100000", "stuck.after=1ms")) {
            failingHealth(server);
            aRunWithoutItsTimer(server);
        }
    }

    private static void failingHealth(RemoteServer server) {
        Said health = server.call("health");

        assertEquals(1, health.exit(), health::toString);
        List<String> line = health.out()
                .lines()
                .filter(it -> it.contains("freeConnections"))
                .map(it -> it.split(" {2,}"))
                .map(List::of)
                .findFirst()
                .orElseThrow();
        assertEquals("fail", line.getFirst());
        assertEquals(5, line.size(), () -> "what to do: " + line);
        assertTrue(health.out().endsWith("All together: fail.\n"), health::toString);
        Said json = server.call("health", "--json");
        assertEquals(1, json.exit());
        assertTrue(json.out().contains("\"status\":\"fail\""), json::toString);
    }

    private static void aRunWithoutItsTimer(RemoteServer server) throws Exception {
        String run = server.started("waiting", "{}", "runs", "timers", "rest");
        try (Connection superuser = server.superuser();
                Statement statement = superuser.createStatement()) {
            assertEquals(1, statement.executeUpdate("DELETE FROM flowstone.timers WHERE run_id = '" + run + "'"));
        }

        for (String[] words : List.of(new String[] {"stuck"}, new String[] {"stuck", "--limit", "50"}, new String[] {
            "stuck", "list", "--kind", "rows_differ"
        })) {
            Said stuck = server.until(said -> said.out().contains(run), words);
            List<String> head =
                    List.of(stuck.out().lines().findFirst().orElseThrow().split(" {2,}"));
            assertEquals(List.of("RUN", "WORKFLOW", "KIND", "SINCE", "HELPS", "WHY"), head);
            List<String> row = stuck.out()
                    .lines()
                    .filter(line -> line.contains(run))
                    .map(line -> line.split(" {2,}"))
                    .map(List::of)
                    .findFirst()
                    .orElseThrow();
            assertEquals(List.of(run, "waiting", "rows_differ"), row.subList(0, 3));
            assertEquals("rebuild", row.get(4));
            assertTrue(row.get(5).contains("its log says that rest#1"), row::toString);
        }

        Said rebuilt = server.done("runs", "rebuild", run, "--reason", "its timer is gone");
        assertTrue(rebuilt.out().matches("(?s).*mended +1\\b.*"), rebuilt::toString);
        server.refused(2, "waits_for_nothing", server.call("stuck", "--kind", "nonsense"));
        server.refused(2, "--nonsense", server.call("stuck", "--nonsense"));
        Said none = server.done("stuck");
        assertEquals("Nothing stands still.\n", none.err(), none::toString);
    }
}
