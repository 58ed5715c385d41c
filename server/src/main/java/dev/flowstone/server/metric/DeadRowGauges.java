package dev.flowstone.server.metric;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.DeadRowReader;
import dev.flowstone.engine.read.DeadRows;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What still takes room in the database though nothing needs it, and who keeps it; asked when somebody scrapes, at most every
 * few seconds. While the database can't be asked the gauges are missing, which an alert may watch for. Thread-safe.
 */
public final class DeadRowGauges {
    private static final System.Logger LOG = System.getLogger(DeadRowGauges.class.getName());
    private static final Duration FRESH = Duration.ofSeconds(5);

    private DeadRowGauges() {}

    public static void addTo(Meters meters, DeadRowReader reader) {
        Supplier<Optional<DeadRows>> recent = new Recent<>(() -> read(reader), FRESH);
        meters.add(new Gauges(
                "flowstone_dead_rows",
                "Rows that were changed or deleted and still take room.",
                sink -> recent.get()
                        .ifPresent(rows -> rows.tables().forEach((table, dead) -> sink.is(dead.doubleValue(), table))),
                "table"));
        meters.add(new Gauges(
                "flowstone_oldest_snapshot_seconds",
                "How long somebody has held the oldest snapshot, which keeps them.",
                sink -> recent.get()
                        .flatMap(DeadRows::oldestSnapshot)
                        .ifPresent(age -> sink.is(age.toMillis() / 1_000.0))));
    }

    private static Optional<DeadRows> read(DeadRowReader reader) {
        try {
            return Optional.of(reader.read());
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "dead rows can't be counted now: " + e.getMessage());
            return Optional.empty();
        }
    }
}
