package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Folders that the client finds right and the server refuses in the middle; each test is a tenant. */
@ExtendWith(RemoteServer.Shared.class)
final class RefusedApplyTest {
    private static final String[] OFFERED = {"--set", "worker.actions=nobody.offers"};

    private final RemoteServer server;

    @TempDir
    private Path folder;

    RefusedApplyTest(RemoteServer server) {
        this.server = server;
    }

    /** The client is told that somebody offers its action, and the server knows better. */
    private static void refused(DeployFolder files, String id) throws Exception {
        Path _ = files.file(
                id + ".json", DeployFolder.definition(id, "{\"id\": \"a\", \"actionType\": \"nobody.offers\"}"));
    }

    private static boolean hasDraft(DeployFolder files, String id) {
        return files.done("workflows", "show", id, "--json").out().contains("\"hasDraft\":true");
    }

    private static String draft(DeployFolder files, String id) {
        return files.done("workflows", "show", id, "--version", "draft", "--json")
                .out();
    }

    @Test
    void whatAServerRefusesItRefusesBeforeAnythingIsPublished() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-refused");
        files.workflow("a-first", "one");
        files.applied();
        files.workflow("a-first", "two");
        files.workflow("b-new", "x");
        refused(files, "c-last");

        Said refused = files.apply(OFFERED);

        assertEquals(2, refused.exit(), refused::toString);
        assertTrue(refused.err().contains("stopped at workflow c-last, after 0 of 3"), refused::toString);
        String listed = files.done("workflows", "list", "--json").out();
        assertTrue(listed.contains("\"id\":\"a-first\""), listed);
        assertFalse(listed.contains("\"id\":\"b-new\""), "its draft is discarded: " + listed);
        assertTrue(files.done("workflows", "list").out().matches("(?s).*a-first +Active +1 +1 .*"));
        assertFalse(files.done("workflows", "show", "a-first", "--json").out().contains("\"hasDraft\":true"));

        files.workflow("c-last", "x");
        Said applied = files.applied();
        assertTrue(applied.out().contains("new version workflow a-first: version 2"), applied::toString);
        assertEquals("Nothing to do: 3 unchanged.\n", files.applied().out());
    }

    @Test
    void whatIsRefusedInTheMiddleLeavesNoDraftOfWhatComesAfter() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-refused-middle");
        for (String id : new String[] {"a-first", "b-archived", "c-active"}) {
            files.workflow(id, "one");
        }
        files.applied();
        files.done("workflows", "archive", "b-archived");
        files.workflow("a-first", "two");
        refused(files, "b-archived");
        files.workflow("c-active", "two");
        files.workflow("d-new", "two");

        Said refused = files.apply("--overwrite", OFFERED[0], OFFERED[1]);

        assertEquals(2, refused.exit(), refused::toString);
        assertTrue(refused.err().contains("stopped at workflow b-archived, after 1 of 4"), refused::toString);
        String listed = files.done("workflows", "list").out();
        assertTrue(listed.matches("(?s).*a-first +Active +2 +2 .*c-active +Active +1 +1 .*"), listed);
        assertFalse(listed.contains("d-new"), listed);
        assertFalse(hasDraft(files, "c-active"), "nobody may publish what wasn't applied");

        files.workflow("b-archived", "two");
        Said applied = files.applied();
        assertTrue(applied.out().endsWith("Applied: 3 of 3.\n"), applied::toString);
        assertEquals("Nothing to do: 4 unchanged.\n", files.applied().out());
    }

    @Test
    void draftsOfOthersAreGivenBackToThem() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-refused-others");
        files.workflow("a-active", "one");
        files.applied();
        files.done(
                "workflows",
                "draft",
                "a-active",
                "--file",
                files.workflow("a-active", "of Anna").toString());
        files.done(
                "workflows",
                "put",
                "--file",
                files.workflow("b-never", "of Anna").toString());
        files.workflow("a-active", "two");
        files.workflow("b-never", "two");
        refused(files, "c-last");

        Said refused = files.apply("--overwrite", OFFERED[0], OFFERED[1]);

        assertEquals(2, refused.exit(), refused::toString);
        assertTrue(refused.err().contains("stopped at workflow c-last, after 0 of 3"), refused::toString);
        assertTrue(draft(files, "a-active").contains("of Anna"));
        assertTrue(draft(files, "b-never").contains("of Anna"));

        files.workflow("c-last", "x");
        Said conflict = files.apply();
        assertEquals(1, conflict.exit(), "they are others' still: " + conflict);
        assertTrue(conflict.out().endsWith("2 conflict.\n"), conflict::toString);
        files.applied("--overwrite");
        assertFalse(hasDraft(files, "a-active"));
        assertEquals("Nothing to do: 3 unchanged.\n", files.applied().out());
    }
}
