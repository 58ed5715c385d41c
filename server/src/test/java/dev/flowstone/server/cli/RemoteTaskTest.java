package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tasks of people and signals from the command line, against a real server. */
@ExtendWith(RemoteServer.Shared.class)
final class RemoteTaskTest {
    private final RemoteServer server;

    RemoteTaskTest(RemoteServer server) {
        this.server = server;
    }

    @Test
    void aTaskIsFoundClaimedGivenBackHandedOnAndDecided() throws Exception {
        String run = server.started("review", "{}", "tasks", "list", "ask#1");

        assertTrue(server.done("tasks", "list").out().startsWith("RUN "));
        assertTrue(
                server.done("tasks", "list", "--assignee", "role:legal").out().contains(run));
        assertTrue(server.done("tasks", "mine", "--as", "anna").out().contains(run));
        assertFalse(server.done("tasks", "mine", "--as", "zoe").out().contains(run));
        assertTrue(server.done("tasks", "mine", "--as", "zoe", "--roles", "sales,legal")
                .out()
                .contains(run));
        assertTrue(server.done("tasks", "show", run, "ask#1").out().contains("user:anna"));
        server.refused(1, "there is no 'ask#2'", server.call("tasks", "show", run, "ask#2"));

        assertTrue(server.done("tasks", "claim", run, "ask#1", "--as", "anna", "--lease", "10m")
                .out()
                .contains("TaskClaimed"));
        assertTrue(server.done("tasks", "heartbeat", run, "ask#1", "--as", "anna")
                .out()
                .startsWith("Done"));
        assertTrue(
                server.done("tasks", "list", "--claimed-by", "user:anna").out().contains(run));
        server.refused(1, "(CONFLICT)", server.call("tasks", "heartbeat", run, "ask#1", "--as", "zoe"));
        assertTrue(server.done("tasks", "release", run, "ask#1", "--as", "anna")
                .out()
                .contains("ClaimReleased"));
        assertTrue(server.done(
                        "tasks", "delegate", run, "ask#1", "--as", "anna", "--to", "user:bob", "--reason", "on leave")
                .out()
                .contains("TaskDelegated"));
        server.refused(
                1,
                "(NOT_ASSIGNED)",
                server.call("tasks", "decide", run, "ask#1", "--as", "anna", "--outcome", "approve"));
        assertTrue(server.done("tasks", "reassign", run, "ask#1", "--to", "user:carl,user:dora", "--reason", "too big")
                .out()
                .contains("TaskReassigned"));
        Said decided = server.done(
                "tasks",
                "decide",
                run,
                "ask#1",
                "--as",
                "dora",
                "--outcome",
                "approve",
                "--rationale",
                "fine",
                "--idempotency-key",
                "k1");
        assertTrue(decided.out().contains("ask#1 is settled: approve."), decided::toString);
        Said again = server.done(
                "tasks",
                "decide",
                run,
                "ask#1",
                "--as",
                "dora",
                "--outcome",
                "approve",
                "--rationale",
                "fine",
                "--idempotency-key",
                "k1");
        assertTrue(again.out().contains("done before"), again::toString);
    }

    @Test
    void anOperatorResolvesATask() throws Exception {
        String run = server.started("review", "{}", "tasks", "list", "ask#1");

        Said said =
                server.done("tasks", "resolve", run, "ask#1", "--outcome", "reject", "--reason", "withdrawn", "--json");

        assertTrue(said.out().contains("\"outcome\":\"reject\""), said::toString);
        assertTrue(said.out().startsWith("{"), said::toString);
    }

    @Test
    void signalsAreDeliveredKeptDroppedAndBroadcast() throws Exception {
        server.post("/workflows/paying/execute", "{\"trigger\": {\"order\": \"o-7\"}}");

        server.until(said -> said.out().equals("Delivered.\n"), "signal", "send", "paid", "o-7", "--keep", "0");
        assertEquals(
                "Kept until somebody waits for it.\n",
                server.done("signal", "send", "paid", "o-8", "--keep", "7d").out());
        assertEquals(
                "Nobody waits for it; it is dropped.\n",
                server.done("signal", "broadcast", "paid", "o-9", "--payload", "{\"amount\": 1}")
                        .out());
        assertTrue(server.done("signal", "send", "paid", "o-10", "--json").out().contains("\"fate\":\"kept\""));
    }
}
