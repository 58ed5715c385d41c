package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs and scopes under an operator's hand, from the command line, against a real server. */
@ExtendWith(RemoteServer.Shared.class)
final class RemoteRunTest {
    private final RemoteServer server;

    RemoteRunTest(RemoteServer server) {
        this.server = server;
    }

    @Test
    void aRunIsSuspendedResumedDrainedAndCanceled() throws Exception {
        String run = server.started("waiting", "{}", "runs", "timers", "rest");

        assertTrue(server.done("runs", "set", run, "--variables", "{\"limit\": 500}", "--reason", "agreed")
                .out()
                .contains("Done"));
        assertEquals("limit  500\n", server.done("runs", "variables", run).out());
        assertTrue(
                server.done("runs", "suspend", run, "--reason", "audit").out().contains("RunSuspended"));
        assertTrue(server.done("runs", "set", run, "--variables", "{\"limit\": 1}", "--reason", "no")
                .out()
                .startsWith("Recorded"));
        assertTrue(server.done("runs", "resume", run, "--reason", "over").out().contains("RunResumed"));
        assertTrue(server.done("runs", "rollback", run, "--to", "mark", "--reason", "wrong")
                .out()
                .contains("Roll"));
        server.until(said -> said.out().contains("rest"), "runs", "timers", run);
        assertTrue(server.done("runs", "drain", run, "--reason", "update", "--within", "10m")
                .out()
                .contains("RunDraining"));
        server.refused(2, "", server.call("runs", "suspend", run));
        assertTrue(server.done("runs", "cancel", run, "--reason", "withdrawn", "--no-undo")
                .out()
                .startsWith("Done"));
        server.refused(1, "", server.call("runs", "terminate", run, "--reason", "late"));
    }

    @Test
    void aRunIsRebuiltTakenUpAgainAndFailed() throws Exception {
        String run = server.started("waiting", "{}", "runs", "timers", "rest");

        Said rebuilt = server.done("runs", "rebuild", run, "--reason", "look");
        assertTrue(rebuilt.out().contains("mended             0"), rebuilt::toString);
        Said taken = server.done("runs", "reenqueue", run, "--reason", "look");
        assertTrue(taken.out().contains("attemptsHandedOut  0"), taken::toString);
        assertTrue(server.done("runs", "force-fail", run, "--reason", "no way on")
                .out()
                .startsWith("Done: RunFailing"));
        server.refused(1, "(WFENG002)", server.call("runs", "reenqueue", run, "--reason", "late"));
        server.refused(2, "Missing required option: '--reason=TEXT'", server.call("runs", "rebuild", run));
    }

    @Test
    void healthIsATableAndAnExitCode() {
        Said health = server.done("health");
        assertTrue(health.out().startsWith("STATUS"), health::toString);
        assertTrue(health.out().contains("partitionsAheadDays"), health::toString);
        assertTrue(health.out().contains("All together: "), health::toString);
        Said json = server.done("health", "--json");
        assertTrue(json.out().contains("\"item\":\"database\""), json::toString);
    }

    @Test
    void nothingStandsStill() {
        assertEquals(0, server.done("stuck", "list").exit());
        server.refused(2, "waits_for_nothing", server.call("stuck", "list", "--kind", "nonsense"));
        server.refused(3, "nobody answers", Cli.here("stuck", "list", "--server", "http://127.0.0.1:1"));
    }

    @Test
    void aResumeIsPreviewedWithoutResuming() throws Exception {
        String run = server.started("waiting", "{}", "runs", "timers", "rest");
        server.done("runs", "suspend", run, "--reason", "audit");
        server.done("runs", "set", run, "--variables", "{\"limit\": 7}", "--reason", "agreed");

        Said preview = server.done("runs", "resume", run, "--reason", "look", "--dry-run");

        assertTrue(preview.out().contains("inputs"), preview::toString);
        assertTrue(preview.out().contains("SetVariables"), preview::toString);
        assertEquals("", server.done("runs", "variables", run).out(), "nothing was decided");
        assertTrue(server.done("runs", "resume", run, "--reason", "over").out().contains("RunResumed"));
        server.until(said -> said.out().equals("limit  7\n"), "runs", "variables", run);
    }

    @Test
    void aNewRunBeginsAtARecordedPointOfAnOldOne() throws Exception {
        String run = server.started("waiting", "{}", "runs", "timers", "rest");
        String last = server.done("runs", "suspend", run, "--reason", "look", "--json")
                .out()
                .replaceFirst("(?s).*\"lastSeq\":([0-9]+).*", "$1");
        String before = Long.toString(Long.parseLong(last) - 1);

        Said begun = server.done("runs", "reset", run, "--sequence", before, "--idempotency-key", "again");

        Matcher id = RemoteServer.RUN.matcher(begun.out());
        assertTrue(id.find(), begun::toString);
        assertFalse(id.group().equals(run), begun::toString);
        assertTrue(begun.out().contains("resetFrom"), begun::toString);
        server.until(said -> said.out().contains("rest"), "runs", "timers", id.group());
        assertTrue(server.done("runs", "reset", run, "--sequence", before, "--idempotency-key", "again")
                .out()
                .contains(id.group()));
        server.refused(2, "Missing required option: '--sequence=N'", server.call("runs", "reset", run));
        server.refused(2, "--sequence takes a number", server.call("runs", "reset", run, "--sequence", "last"));
        server.refused(2, "(INVALID_COMMAND)", server.call("runs", "reset", run, "--sequence", "99999"));
    }

    @Test
    void aTimerIsFiredByHand() throws Exception {
        String run = server.started("waiting", "{}", "runs", "timers", "rest");
        String timer =
                server.done("runs", "timers", run, "--json").out().replaceFirst("(?s).*\"timer\":\"([^\"]+)\".*", "$1");
        assertTrue(
                Pattern.compile("(?m)T[0-9]{2}:[0-9]{2}:[0-9]{2}Z  ")
                        .matcher(server.done("runs", "timers", run).out())
                        .find(),
                "to the second");

        assertTrue(server.done("runs", "fire", run, timer).out().contains("TimerForced"));
        server.refused(1, "", server.call("runs", "fire", run, timer));
        assertEquals("", server.done("runs", "timers", run).out());
        assertEquals("No timers.\n", server.done("runs", "timers", run).err());
    }

    @Test
    void incidentsAreListedRetriedSkippedAndFailed() throws Exception {
        String run = server.started("stopping", "{}", "runs", "incidents", "work");
        String number = server.done("runs", "incidents", run, "--json")
                .out()
                .replaceFirst("(?s).*\"incident\":([0-9]+).*", "$1");

        assertTrue(server.done("runs", "incidents", run).out().startsWith("INCIDENT"));
        assertTrue(server.done("runs", "retry", run, number).out().startsWith("Done"));
        server.refused(1, "(NOT_FOUND)", server.call("runs", "skip", run, "999"));
        String next = server.until(
                        said -> said.out().contains("\"incident\":")
                                && !said.out().contains("\"incident\":" + number + ","),
                        "runs",
                        "incidents",
                        run,
                        "--json")
                .out()
                .replaceFirst("(?s).*\"incident\":([0-9]+).*", "$1");
        assertTrue(server.done("runs", "skip", run, next, "--output", "{\"by\": \"hand\"}")
                .out()
                .startsWith("Done"));

        String other = server.started("stopping", "{}", "runs", "incidents", "work");
        String its = server.done("runs", "incidents", other, "--json")
                .out()
                .replaceFirst("(?s).*\"incident\":([0-9]+).*", "$1");
        assertTrue(server.done("runs", "fail", other, its, "--code", "GIVEN_UP", "--message", "nobody answers")
                .out()
                .startsWith("Done"));
    }

    @Test
    void holdsAWorkflowAndLetsItGo() throws Exception {
        Said held = server.done(
                "control", "suspend", "workflow", "--workflow", "paying", "--reason", "audit", "--as", "anna");
        assertTrue(held.out().contains("workflow/paying"), held::toString);

        Said list = server.done("control", "list");
        assertTrue(list.out().contains("user:anna") && list.out().contains("suspend"), list::toString);

        server.done("control", "resume", "workflow", "--workflow", "paying", "--reason", "done");
        assertTrue(server.done("control", "list").out().contains("clear"));
        assertEquals(
                2, server.call("control", "suspend", "planet", "--reason", "x").exit());
    }
}
