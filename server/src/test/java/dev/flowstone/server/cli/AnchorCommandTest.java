package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup that is older than what was noted elsewhere is told, and so is one that somebody went on with. */
final class AnchorCommandTest {
    private static final String WORKFLOW = "../examples/dag/fan-out-fan-in.json";

    @TempDir
    private Path folder = Path.of("");

    private Said run(Path data) throws Exception {
        // One shard: what is made there instead of the anchored commits has their numbers.
        Said ran = Cli.process("run", WORKFLOW, "--data", data.toString(), "--set", "database.shards=1");
        assertEquals(0, ran.exit(), ran::err);
        return ran;
    }

    private static Said verify(Path data, Path anchors) throws Exception {
        return Cli.process("verify", "--data", data.toString(), "--anchor", anchors.toString());
    }

    @Test
    void anOldBackupIsTold() throws Exception {
        Path data = folder.resolve("data");
        Path backup = folder.resolve("backup");
        Path anchors = folder.resolve("anchors");
        run(data);
        Said first = Cli.process("anchor", "--data", data.toString(), "--append", anchors.toString());
        assertEquals(0, first.exit(), first::err);
        assertTrue(first.out().startsWith("anchored "), first::out);
        copy(data, backup);
        Said kept = verify(backup, anchors);
        assertEquals(0, kept.exit(), kept::out);
        assertTrue(kept.out().contains("as anchored"), kept::out);

        run(data);
        assertEquals(
                0,
                Cli.process("anchor", "--data", data.toString(), "--append", anchors.toString())
                        .exit());
        assertEquals(2, Files.readAllLines(anchors).size());
        Said whole = verify(data, anchors);
        assertEquals(0, whole.exit(), whole::out);
        Said old = verify(backup, anchors);
        assertEquals(1, old.exit(), old::out);
        assertTrue(old.out().matches("(?s)whole: .*older than the anchor of .* missing.*as anchored at .*"), old::out);

        // Who goes on with it makes as many commits, and others.
        run(backup);
        run(backup);
        run(backup);
        Said other = verify(backup, anchors);
        assertEquals(1, other.exit(), other::out);
        assertTrue(other.out().contains("another history than the anchor's"), other::out);
    }

    private static void copy(Path from, Path to) throws Exception {
        Process copying = new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                .inheritIO()
                .start();
        assertEquals(0, copying.waitFor());
    }

    @Test
    void whatIsNoAnchorIsRefused() throws Exception {
        Path file = folder.resolve("anchors");
        Files.writeString(file, "\n");
        told(file, "is empty");
        Files.writeString(file, "{\"takenAt\": \"yesterday\", \"streams\": []}\n");
        told(file, "line 1 of");
        Files.writeString(file, "{\"takenAt\"");
        told(file, "line 1 of");
        told(folder.resolve("missing"), "there is no file");
    }

    private static void told(Path file, String words) {
        Said said = Cli.here("verify", "--anchor", file.toString());
        assertEquals(2, said.exit(), said::err);
        assertTrue(said.err().contains(words), said::err);
    }
}
