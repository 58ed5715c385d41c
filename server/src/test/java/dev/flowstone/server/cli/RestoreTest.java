package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flowstone.postgres.InstalledServer;
import dev.flowstone.server.cli.Cli.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/backup.md from its beginning to its end, by the commands that stand there: a dump is restored at another, empty server, is
 * known to be an old one, and a server goes on with it, in parts.
 */
final class RestoreTest {
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15");

    @TempDir
    private Path folder = Path.of("");

    private InstalledServer server(String name) throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        return InstalledServer.start(PROGRAMS, Files.createDirectories(folder.resolve(name)));
    }

    private static String documented() throws Exception {
        return Pattern.compile("(?m)^ *```sh\\n(.*?)^ *```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/backup.md")))
                .results()
                .map(block -> block.group(1).stripTrailing().stripIndent())
                .filter(block -> block.contains("pg_restore"))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> database(InstalledServer server) {
        return List.of(
                "--db",
                server.config().withDatabase("flowstone").url(),
                "--set",
                "database.user=flowstone",
                "--set",
                "database.password=CHANGE-ME");
    }

    private static Said at(InstalledServer server, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(database(server));
        return Cli.process(all.toArray(String[]::new));
    }

    private static boolean hasEnded(RemoteServer server, String run) throws Exception {
        return server.get("/executions/" + run).contains("\"status\":\"Succeeded\"");
    }

    private static void awaitEnd(RemoteServer server, String run) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!hasEnded(server, run)) {
            assertTrue(System.nanoTime() < end, run);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static String started(RemoteServer server, String workflow, String body) throws Exception {
        var id = RemoteServer.RUN.matcher(server.post("/workflows/" + workflow + "/execute", body));
        assertTrue(id.find());
        return id.group();
    }

    @Test
    void whatIsRestoredIsKnownToBeOldAndGoesOnWhenItMay() throws Exception {
        assumeTrue(InstalledServer.isAt(PROGRAMS), InstalledServer.MISSING);
        String early = folder.resolve("early").toString();
        String late = folder.resolve("late").toString();
        try (InstalledServer first = server("first");
                InstalledServer second = server("second")) {
            first.shell(documented().replaceFirst("(?m)^pg_restore.*", ""));
            String waits;
            try (RemoteServer node = RemoteServer.on(database(first))) {
                node.publish("paying", """
                        "paid": {"wait": {"signal": "paid", "key": "{{ trigger.order }}"}, "next": "done"},
                        "done": {"end": {}}""", "paid");
                waits = started(node, "paying", "{\"trigger\": {\"order\": \"o-1\"}}");
                // The dump is of an hour in which one workflow went on by a word of its own.
                node.done("control", "suspend", "system", "--reason", "an incident");
                node.done("control", "resume", "workflow", "--workflow", "paying", "--reason", "it is well");
                assertEquals(0, at(first, "anchor", "--append", early).exit());
                first.shell("pg_dump --format=custom --file=flowstone.dump flowstone");
                node.done("control", "resume", "system", "--reason", "all is well");
                started(node, "paying", "{\"trigger\": {\"order\": \"o-2\"}}");
                assertEquals(0, at(first, "anchor", "--append", late).exit());
            }

            Files.copy(folder.resolve("first/flowstone.dump"), folder.resolve("second/flowstone.dump"));
            second.shell(documented());
            Said same = at(second, "verify", "--anchor", early);
            assertEquals(0, same.exit(), same::toString);
            assertTrue(same.out().contains("as anchored"), same::toString);
            Said old = at(second, "verify", "--anchor", late);
            assertEquals(1, old.exit(), old::toString);
            assertTrue(old.out().contains("older than the anchor"), old::toString);

            Said suspended = at(second, "suspend", "--reason", "restored");
            assertEquals(0, suspended.exit(), suspended::toString);
            assertTrue(suspended.out().contains("by itself: tenant default, workflow paying"), suspended::toString);
            try (RemoteServer node = RemoteServer.on(database(second))) {
                assertTrue(node.done("control", "list").out().contains("restored"));
                node.done("signal", "send", "paid", "o-1");
                String since = started(node, "paying", "{\"trigger\": {\"order\": \"o-3\"}}");
                node.done("signal", "send", "paid", "o-3");
                assertFalse(hasEnded(node, waits));
                assertFalse(hasEnded(node, since));

                node.done("control", "resume", "workflow", "--workflow", "paying", "--reason", "looked");
                awaitEnd(node, waits);
                awaitEnd(node, since);
                node.done("control", "resume", "system", "--reason", "looked");
            }
            assertEquals(0, at(second, "verify").exit());
        }
    }

    @Test
    void aSuspensionWithoutAReasonOrWithAnUnknownRuleIsRefused() {
        Said unreasoned = Cli.here("suspend", "--reason", " ");
        assertEquals(2, unreasoned.exit(), unreasoned::toString);
        Said unruly = Cli.here("suspend", "--reason", "restored", "--timers", "stop");
        assertEquals(2, unruly.exit(), unruly::toString);
        assertTrue(unruly.err().contains("freeze or catch_up"), unruly::toString);
        Said silent = Cli.here("suspend");
        assertEquals(2, silent.exit(), silent::toString);
    }
}
