package dev.flowstone.engine.archive;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;

/**
 * What an archive holds, all told.
 *
 * @param anchor over the heads of its runs: {@link Anchor}
 * @param content SHA-256 of all lines but the last, uncompressed, each with its line feed
 */
public record ArchiveTotals(
        long runs, long entries, long events, long programs, long payloads, Sha256 anchor, Sha256 content) {
    public ArchiveTotals {
        requireNonNull(anchor);
        requireNonNull(content);
    }
}
