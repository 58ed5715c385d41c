package dev.flowstone.engine.archive;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/** What became of a month. */
public sealed interface ArchiveResult {
    Archives.Staged found();

    /** How many runs stay although they are over, because people have been asked to attest something. */
    long attesting();

    /** No run of it may go; there is no file. */
    record Nothing(Archives.Staged found, long attesting) implements ArchiveResult {
        public Nothing {
            requireNonNull(found);
        }
    }

    /** Its runs that are over are in the file, and no longer in the database. */
    record Archived(Archives.Staged found, long attesting, Path file, ArchiveRecord record) implements ArchiveResult {
        public Archived {
            requireNonNull(found);
            requireNonNull(file);
            requireNonNull(record);
        }
    }
}
