package dev.flowstone.engine.archive;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.verify.EntrySource.Head;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Optional;

/** A line of an archive. What a line refers to stands before it, so that one reading in order is enough. */
sealed interface ArchiveLine {
    /** Of the form that {@link Opening} begins. */
    int FORMAT = 1;

    /** The first line. */
    record Opening(int format, YearMonth month, Instant madeAt, int schema) implements ArchiveLine {
        public Opening {
            requireNonNull(month);
            requireNonNull(madeAt);
        }
    }

    /** Whose hash an {@link Item} has. */
    enum Kind {
        PROGRAM,
        PAYLOAD
    }

    /**
     * A program or a payload, by its content's hash.
     *
     * @param content empty if the database didn't have it
     */
    record Item(Kind kind, TenantId tenant, Sha256 hash, Optional<byte[]> content) implements ArchiveLine {
        public Item {
            requireNonNull(kind);
            requireNonNull(tenant);
            requireNonNull(hash);
            requireNonNull(content);
        }
    }

    /** A run's head; its entries follow. */
    record Run(RunRow row) implements ArchiveLine {
        public Run {
            requireNonNull(row);
        }

        Head head() {
            return new Head(row.key(), row.lastSequence(), row.lastHash());
        }
    }

    /** The events of one decision of the run whose head stood last. */
    record Entry(StoredEntry stored) implements ArchiveLine {
        public Entry {
            requireNonNull(stored);
        }
    }

    /** The last line. */
    record Closing(ArchiveTotals totals) implements ArchiveLine {
        public Closing {
            requireNonNull(totals);
        }
    }
}
