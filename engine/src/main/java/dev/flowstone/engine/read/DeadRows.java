package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Rows that nothing needs any more and that still take room, and what keeps them.
 *
 * @param tables how many by the table's name, a partitioned one's together; as the database estimates it
 * @param oldestSnapshot how long somebody has held the oldest snapshot: no row that was alive then can go. Zero if nobody holds
 *     one; empty if that can't be known
 */
public record DeadRows(SortedMap<String, Long> tables, Optional<Duration> oldestSnapshot) {
    public DeadRows {
        tables = Collections.unmodifiableSortedMap(new TreeMap<>(tables));
        requireNonNull(oldestSnapshot);
    }
}
