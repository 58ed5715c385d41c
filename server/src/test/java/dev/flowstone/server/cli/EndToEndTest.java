package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Real processes on one data directory, as a user would use it, one after another. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class EndToEndTest {
    private static final String EXAMPLES = "../examples/dag/";
    private static final Pattern RUN = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}");

    @TempDir
    private static Path folder;

    private static String data() {
        return folder.resolve("data").toString();
    }

    private static String runId(String text) {
        Matcher matcher = RUN.matcher(text);
        assertTrue(matcher.find(), text);
        return matcher.group();
    }

    /** Times and ids differ from run to run; the rest doesn't. */
    private static String golden(String timeline) {
        return RUN.matcher(timeline)
                .replaceAll("RUN")
                .replaceAll("(?m)^ +[0-9.]+ s", "TIME")
                .replaceAll("[0-9.]+ (ms|s)\\b", "TOOK")
                .replace(data(), "DATA");
    }

    @Test
    @Order(1)
    void fanOutFanInShowsThatBRanCWasSkippedAndDJoinedOnce() throws Exception {
        Said said = Cli.process("run", EXAMPLES + "fan-out-fan-in.json", "--data", data());

        assertEquals(0, said.exit(), said::err);
        assertEquals("""
                Run RUN
                TIME                        started    fanout-fanin version 1
                TIME  A                     started    core.echo
                TIME  A                     done       TOOK  {"msg":"start"}
                TIME  B                     started    core.echo
                TIME  C                     skipped
                TIME  B                     done       TOOK  {"msg":"B"}
                TIME  D                     started    core.echo
                TIME  D                     done       TOOK  {"msg":"Join"}
                TIME                        succeeded  TOOK  {"msg":"Join"}

                Succeeded in TOOK
                {"msg":"Join"}

                Look at it again   ./flowstone show RUN --data DATA
                Draw what it did   ./flowstone graph RUN --data DATA --output run.svg
                Check its chain    ./flowstone verify RUN --data DATA
                """, golden(said.out()));

        Said shown = Cli.process("show", runId(said.out()), "--data", data());
        assertEquals(0, shown.exit(), shown::err);
        assertEquals(golden(said.out()).replace("Run RUN\n", ""), golden(shown.out()));
    }

    @Test
    @Order(2)
    void anEditedFileBecomesTheNextVersion() throws Exception {
        Path file = folder.resolve("edited.json");
        String definition = Files.readString(Path.of(EXAMPLES + "fan-out-fan-in.json"));
        Files.writeString(file, definition.replace("\"Join\"", "\"Joined\""));

        Said said = Cli.process("run", file.toString(), "--data", data(), "--json");

        List<String> lines = said.out().lines().toList();
        assertTrue(lines.getFirst().contains("\"kind\":\"RunStarted\""), said::out);
        assertTrue(lines.getFirst().contains("\"type_version\":2"), said::out);
        assertTrue(lines.getLast().contains("\"output\":{\"msg\":\"Joined\"},\"run\":"), said::out);
        assertTrue(lines.stream().allMatch(line -> line.startsWith("{") && line.endsWith("}")));
    }

    @Test
    @Order(3)
    void aFailedRunExitsWith1() throws Exception {
        Path file = folder.resolve("failing.json");
        Files.writeString(file, """
                {"id": "failing", "displayName": "Failing", "startNode": "no", "nodes": [
                  {"id": "no", "actionType": "core.fail", "parameters": {"code": "HTTP_503", "message": "it can't"}}]}
                """);

        Said said = Cli.process("run", file.toString(), "--data", data());

        assertEquals(1, said.exit(), said::err);
        assertTrue(said.out().contains(" at no: HTTP_503, it can't"), said::out);
        assertTrue(said.out().contains("What went wrong    ./flowstone explain HTTP_503\n"), said::out);
    }

    @Test
    @Order(4)
    void aKilledRunIsResumedWhereItWas() throws Exception {
        Path file = folder.resolve("long.json");
        Files.writeString(file, """
                {"id": "long", "displayName": "Long", "startNode": "first", "nodes": [
                  {"id": "first", "actionType": "core.echo", "edges": [{"targetNode": "wait"}]},
                  {"id": "wait", "actionType": "core.delay", "parameters": {"durationMs": 6000},
                   "edges": [{"targetNode": "last"}]},
                  {"id": "last", "actionType": "core.echo", "parameters": {"text": "over"}}]}
                """);
        String run;
        try (Cli.Running running = Cli.Running.start("run", file.toString(), "--data", data())) {
            run = runId(running.line());
            running.lineWith("waits");
            running.kill();
        }

        Said resumed = Cli.process("run", "--resume", run, "--data", data());

        assertEquals(0, resumed.exit(), resumed::err);
        assertEquals(
                1,
                resumed.out()
                        .lines()
                        .filter(line -> line.contains("first") && line.contains("done"))
                        .count());
        assertTrue(resumed.out().contains("{\"text\":\"over\"}"), resumed::out);
    }

    @Test
    @Order(5)
    void aServedDirectoryIsReadBesideTheServerAndRefusedToASecondOne() throws Exception {
        try (Cli.Running server = Cli.Running.start("serve", "--port", "0", "--data", data())) {
            String ready = server.line();
            assertTrue(ready.matches("Flowstone is ready: http://127\\.0\\.0\\.1:[0-9]+/api/v1 \\(.*\\)"), ready);
            String api = ready.replaceFirst(".*(http\\S+).*", "$1");

            Said runs = Cli.process("runs", "--data", data());
            assertEquals(0, runs.exit(), runs::err);
            assertTrue(runs.out().contains("fanout-fanin v2"), runs::out);
            Said whole = Cli.process("verify", "--data", data());
            assertEquals(0, whole.exit(), whole::out);
            assertTrue(whole.out().startsWith("whole: "), whole::out);
            Said drawn = Cli.process("graph", runId(runs.out()), "--data", data(), "--format", "mermaid");
            assertTrue(drawn.out().contains("flowchart"), drawn::err);

            Said second = Cli.process("run", EXAMPLES + "sequence.json", "--data", data());
            assertEquals(3, second.exit());
            assertTrue(second.err().contains("belongs to a running Flowstone, process "), second::err);
            assertFalse(second.err().contains("Exception"), second::err);

            HttpRequest start = HttpRequest.newBuilder(URI.create(api + "/workflows/fanout-fanin/execute"))
                    .POST(BodyPublishers.noBody())
                    .build();
            assertEquals(
                    202,
                    HttpClient.newHttpClient()
                            .send(start, BodyHandlers.ofString())
                            .statusCode());

            server.terminate();
            Said ended = server.end();
            assertEquals(0, ended.exit(), ended::err);
            assertEquals("", ended.out(), "one line on standard output, and no more");
            assertEquals("", ended.err());
        }
    }

    @Test
    @Order(6)
    void aPortInUseIsToldBeforeAnythingIsOpened() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path unused = folder.resolve("unused");

            Said said =
                    Cli.here("serve", "--port", Integer.toString(taken.getLocalPort()), "--data", unused.toString());

            assertEquals(3, said.exit());
            assertTrue(said.err().contains("--port 0"), said::err);
            assertFalse(Files.exists(unused));
        }
    }

    @Test
    @Order(7)
    void interruptedWatchingSaysHowToGoOn() throws Exception {
        try (Cli.Running running =
                Cli.Running.start("run", folder.resolve("long.json").toString(), "--data", data())) {
            String run = runId(running.line());
            running.lineWith("waits");
            running.terminate();

            Said said = running.end();

            assertEquals(143, said.exit());
            assertTrue(said.err().contains("./flowstone run --resume " + run + " --data " + data()), said::err);
            Said again = Cli.process("run", "--resume", run, "--data", data());
            assertEquals(0, again.exit(), again::err);
        }
    }

    @Test
    @Order(8)
    void inputComesFromAFileAndRunsAreListedInColumns() throws Exception {
        Path file = folder.resolve("said.json");
        Files.writeString(file, """
                {"id": "a-workflow-of-a-long-name", "displayName": "Said", "startNode": "only", "nodes": [
                  {"id": "only", "actionType": "core.echo", "parameters": {"said": "{{ trigger }}"}}]}
                """);
        Path input = folder.resolve("in put.json");
        Files.writeString(input, "{\"n\": 7615917337495251231, \"d\": 0.1000000000000000055}");

        Said said = Cli.process("run", file.toString(), "--input", "@" + input, "--data", data());

        assertEquals(0, said.exit(), said::err);
        assertTrue(
                said.out().contains("{\"said\":{\"d\":0.1000000000000000055,\"n\":7615917337495251231}}"), said::out);
        List<String> table = Cli.process("runs", "--data", data()).out().lines().toList();
        assertEquals(table.get(0).indexOf("STATUS"), table.get(1).indexOf("Succeeded"), table::toString);
        assertEquals(table.get(0).indexOf("TOOK"), table.get(1).lastIndexOf("Z  ") + 3, table::toString);
    }

    /** Whenever the signal comes: once the server's file is there, its start is under way or over. */
    @Test
    @Order(9)
    void anInterruptedStartLeavesNoServerBehind() throws Exception {
        Path interrupted = folder.resolve("interrupted");
        Path server = interrupted.resolve("postgres").resolve("postmaster.pid");
        try (Cli.Running running = Cli.Running.start("serve", "--port", "0", "--data", interrupted.toString())) {
            while (!Files.exists(server)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
            running.terminate();

            Said said = running.end();

            assertEquals(0, said.exit(), said::err);
            assertFalse(Files.exists(server), said::err);
        }
    }
}
