package dev.flowstone.engine.archive;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.YearMonth;
import java.util.Optional;

/**
 * What a reading of an archive found.
 *
 * @param month whose runs it holds; empty if its first line can't be read
 * @param madeAt likewise
 * @param runs whose chains were recomputed and stand
 * @param events likewise
 * @param totals as recomputed; empty if there is a fault
 * @param fault the first
 */
public record ArchiveReport(
        Optional<YearMonth> month,
        Optional<Instant> madeAt,
        long runs,
        long events,
        Optional<ArchiveTotals> totals,
        Optional<ArchiveFault> fault) {
    public ArchiveReport {
        requireNonNull(month);
        requireNonNull(madeAt);
        requireNonNull(totals);
        requireNonNull(fault);
    }

    public boolean whole() {
        return fault.isEmpty();
    }
}
