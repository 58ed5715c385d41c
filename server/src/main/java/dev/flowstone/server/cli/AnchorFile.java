package dev.flowstone.server.cli;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.verify.HistoryAnchor;
import dev.flowstone.engine.verify.HistoryAnchors.Comparison;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.server.node.AnchorAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lines of a file of anchors, and what is said of a database that was compared with them. */
final class AnchorFile {
    private AnchorFile() {}

    /** From the oldest to the newest; at least one. */
    static List<HistoryAnchor> read(Path file) throws UsageException {
        List<HistoryAnchor> anchors = new ArrayList<>();
        int number = 0;
        for (String line : lines(file)) {
            number++;
            if (!line.isBlank()) {
                anchors.add(anchor(file, number, line));
            }
        }
        if (anchors.isEmpty()) {
            throw new UsageException("--anchor: " + file + " is empty; flowstone anchor --append writes a line");
        }
        return anchors;
    }

    private static List<String> lines(Path file) throws UsageException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new UsageException("--anchor: there is no file " + file);
        } catch (IOException e) {
            throw new UsageException("--anchor: " + file + " can't be read: " + Definitions.reason(e));
        }
    }

    private static HistoryAnchor anchor(Path file, int number, String line) throws UsageException {
        try {
            return HistoryAnchor.read(JsonParser.parse(line.getBytes(StandardCharsets.UTF_8), JsonLimits.STORED));
        } catch (JsonSyntaxException | IllegalArgumentException e) {
            throw new UsageException("--anchor: line " + number + " of " + file
                    + " is not what flowstone anchor writes: " + e.getMessage());
        }
    }

    /** Compares with the newest, and where that finds an older database, with those before it, to tell which one it is. */
    static Result compare(List<HistoryAnchor> anchors, AnchorAccess access) throws JournalException {
        HistoryAnchor newest = anchors.getLast();
        Optional<String> fault = fault(newest, access.compare(newest));
        if (fault.isPresent()) {
            for (HistoryAnchor older : anchors.subList(0, anchors.size() - 1).reversed()) {
                if (access.compare(older) instanceof Comparison.Same) {
                    return new Result(fault, Optional.of(older.takenAt()));
                }
            }
            return new Result(fault, Optional.empty());
        }
        return new Result(fault, Optional.of(newest.takenAt()));
    }

    /**
     * What was found.
     *
     * @param fault what is wrong, for people; empty if nothing is
     * @param holds when the newest anchor was taken that the database holds; empty if it holds none
     */
    record Result(Optional<String> fault, Optional<Instant> holds) {}

    private static Optional<String> fault(HistoryAnchor anchor, Comparison found) {
        return switch (found) {
            case Comparison.Same _ -> Optional.empty();
            case Comparison.Older older ->
                Optional.of("this database is older than the anchor of " + anchor.takenAt() + ": " + older.commits()
                        + (older.commits() == 1 ? " commit is" : " commits are") + " missing");
            case Comparison.Other other ->
                Optional.of("this is another history than the anchor's of " + anchor.takenAt() + ": run "
                        + other.point().run().run() + " of tenant "
                        + other.point().run().tenant() + " has not the events from "
                        + other.point().first()
                        + " on that it had; somebody went on with an older copy, or changed it");
        };
    }
}
