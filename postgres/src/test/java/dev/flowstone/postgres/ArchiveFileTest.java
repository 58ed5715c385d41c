package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.archive.ArchiveFault;
import dev.flowstone.engine.archive.ArchiveReport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file alone tells whether it is what was written. */
final class ArchiveFileTest extends ArchiveStories {
    private Path file;
    private List<String> lines;

    @SuppressWarnings("NullAway.Init")
    ArchiveFileTest() {}

    @BeforeEach
    void aFile() throws Exception {
        commit(OldRuns.withPayload(
                OldRuns.key(lease, Moves.ACME),
                "[1.0e-7]".replace("1.0e-7", "1e-7").getBytes(StandardCharsets.UTF_8)));
        over(Moves.ACME);
        over(Moves.OTHER);
        file = archived().file();
        lines = lines(file);
    }

    private static ArchiveFault fault(List<String> lines) throws Exception {
        ArchiveReport report = verify(compressed(lines));
        assertTrue(report.totals().isEmpty());
        return report.fault().orElseThrow(() -> new AssertionError("it is whole: " + lines));
    }

    @Test
    void isWholeAndEachLineIsJson() throws Exception {
        assertTrue(verify(Files.readAllBytes(file)).whole());
        assertTrue(verify(compressed(lines)).whole());
        // First and last line; two programs, a payload, three runs and 1 + 3 + 3 entries.
        assertEquals(2 + 2 + 1 + 3 + 7, lines.size());
    }

    @Test
    void aChangedCharacterInAnyLineIsFound() throws Exception {
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at);
            for (int i = 0; i < line.length(); i++) {
                if (!Character.isLetterOrDigit(line.charAt(i))) {
                    continue;
                }
                List<String> changed = new ArrayList<>(lines);
                changed.set(at, line.substring(0, i) + (line.charAt(i) == '1' ? '2' : '1') + line.substring(i + 1));
                fault(changed);
            }
        }
    }

    @Test
    void aChangedEventIsFoundAtItsLine() throws Exception {
        for (int at = 0; at < lines.size(); at++) {
            if (lines.get(at).startsWith("{\"entry\"")) {
                List<String> changed = new ArrayList<>(lines);
                changed.set(at, lines.get(at).replace("\"corr\":\"c\"", "\"corr\":\"d\""));
                assertEquals(at + 1, fault(changed).line());
            }
        }
    }

    @Test
    void aMissingARepeatedAndAMovedLineAreFound() throws Exception {
        for (int at = 0; at < lines.size(); at++) {
            List<String> missing = new ArrayList<>(lines);
            missing.remove(at);
            fault(missing);
            List<String> repeated = new ArrayList<>(lines);
            repeated.add(at, lines.get(at));
            fault(repeated);
            if (at > 0) {
                List<String> moved = new ArrayList<>(lines);
                moved.set(at - 1, lines.get(at));
                moved.set(at, lines.get(at - 1));
                fault(moved);
            }
        }
    }

    @Test
    void aFileThatEndsAnywhereIsFound() throws Exception {
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length += 7) {
            assertTrue(verify(Arrays.copyOf(whole, length)).fault().isPresent(), "after " + length);
        }
        for (int count = 0; count < lines.size(); count++) {
            fault(lines.subList(0, count));
        }
    }

    @Test
    void aFlippedBitInTheCompressedBytesIsFound() throws Exception {
        byte[] whole = Files.readAllBytes(file);
        // The first ten bytes are gzip's header, which says nothing about what follows.
        for (int at = 10; at < whole.length; at++) {
            whole[at] ^= 0x10;
            // A repeated text may be said to stand elsewhere: then it is the same file.
            assertTrue(verify(whole).fault().isPresent() || lines(whole).equals(lines), "byte " + at);
            whole[at] ^= 0x10;
        }
    }

    @Test
    void somethingElseIsNoArchive() throws Exception {
        assertEquals(
                1,
                verify("hello".getBytes(StandardCharsets.UTF_8))
                        .fault()
                        .orElseThrow()
                        .line());
        assertEquals(1, fault(List.of("{\"run\":{}}")).line());
    }
}
