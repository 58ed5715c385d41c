package dev.flowstone.server.cli;

import dev.flowstone.engine.verify.HistoryAnchor;
import dev.flowstone.engine.verify.HistoryAnchors.Comparison;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The last line of a file of anchors, and what is said of a database that was compared with it. */
final class AnchorFile {
    private AnchorFile() {}

    static HistoryAnchor last(Path file) throws UsageException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file).stream()
                    .filter(line -> !line.isBlank())
                    .toList();
        } catch (IOException e) {
            throw new UsageException("--anchor: " + file + " can't be read: " + Definitions.reason(e));
        }
        if (lines.isEmpty()) {
            throw new UsageException("--anchor: " + file + " is empty; flowstone anchor --append writes a line");
        }
        try {
            return HistoryAnchor.read(
                    JsonParser.parse(lines.getLast().getBytes(StandardCharsets.UTF_8), JsonLimits.STORED));
        } catch (JsonSyntaxException | IllegalArgumentException e) {
            throw new UsageException("--anchor: line " + lines.size() + " of " + file
                    + " is not what flowstone anchor writes: " + e.getMessage());
        }
    }

    /** What is wrong, for people; empty if nothing is. */
    static Optional<String> fault(HistoryAnchor anchor, Comparison found) {
        return switch (found) {
            case Comparison.Same _ -> Optional.empty();
            case Comparison.Older older ->
                Optional.of("this database is older than the anchor of " + anchor.takenAt() + ": " + older.commits()
                        + (older.commits() == 1 ? " commit is" : " commits are") + " missing");
            case Comparison.Other other ->
                Optional.of("this is another history than the anchor's of " + anchor.takenAt() + ": run "
                        + other.run().run() + " of tenant " + other.run().tenant() + " has not the event "
                        + other.sequence() + " that it had; somebody went on with an older copy, or changed it");
        };
    }
}
