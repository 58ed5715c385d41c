package dev.flowstone.bench.torture.fault;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/**
 * A fault that has been.
 *
 * @param begin in seconds since the beginning of all
 * @param end likewise
 * @param recovery until runs started and finished again at every node that was there: from its beginning if all was mended while it lasted, else
 *     from its end; empty if that took longer than anybody waits
 * @param whole the same from its end and at every node
 */
public record FaultRecord(
        FaultKind kind, String where, double begin, double end, Optional<Duration> recovery, Optional<Duration> whole) {
    public FaultRecord {
        requireNonNull(kind);
        requireNonNull(where);
        requireNonNull(recovery);
        requireNonNull(whole);
    }

    /** Whether others took over, and that took longer than this until all went on at them. */
    public boolean isTakenOverLate(Duration longest) {
        return kind.takesOver()
                && recovery.filter(time -> time.compareTo(longest) <= 0).isEmpty();
    }

    public boolean recovered() {
        return recovery.isPresent() && whole.isPresent();
    }
}
