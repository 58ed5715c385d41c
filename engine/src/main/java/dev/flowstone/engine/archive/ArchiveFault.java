package dev.flowstone.engine.archive;

import static java.util.Objects.requireNonNull;

/**
 * Where an archive is broken.
 *
 * @param line of the uncompressed file, from 1
 */
public record ArchiveFault(long line, String reason) {
    public ArchiveFault {
        requireNonNull(reason);
    }

    @Override
    public String toString() {
        return "line " + line + ": " + reason;
    }
}
