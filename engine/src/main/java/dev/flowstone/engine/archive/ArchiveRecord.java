package dev.flowstone.engine.archive;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;
import java.time.Instant;
import java.time.YearMonth;

/**
 * An archive, as the database remembers it.
 *
 * @param number of those of its month, from 1
 * @param file its name, without the folder
 * @param anchor over the heads of its runs: {@link Anchor}
 * @param content SHA-256 of the file's lines before the last one, uncompressed
 */
public record ArchiveRecord(
        YearMonth month,
        int number,
        String file,
        long runs,
        long entries,
        long events,
        Sha256 anchor,
        Sha256 content,
        Instant madeAt) {
    public ArchiveRecord {
        requireNonNull(month);
        requireNonNull(file);
        requireNonNull(anchor);
        requireNonNull(content);
        requireNonNull(madeAt);
    }

    /** The same under the number that the database gave it. */
    ArchiveRecord numbered(int given) {
        return new ArchiveRecord(month, given, file, runs, entries, events, anchor, content, madeAt);
    }
}
