package dev.flowstone.server.metric;

import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.dead.DeadLetterStore.Depth;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.BacklogReader;
import dev.flowstone.engine.time.Clock;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * How many dead letters there are, and since when, looked up when somebody scrapes and not more often than every few seconds. While
 * the database can't be asked the gauges are missing. Thread-safe.
 */
public final class DeadLetterGauges {
    private static final System.Logger LOG = System.getLogger(DeadLetterGauges.class.getName());
    private static final Duration FRESH = Duration.ofSeconds(5);

    private DeadLetterGauges() {}

    public static void addTo(Meters meters, DeadLetterStore store, Clock clock) {
        Supplier<List<Depth>> depths = new Recent<>(() -> read(store), FRESH);
        meters.add(new Gauges(
                "flowstone_dead_letters",
                "What could not be taken up.",
                sink -> depths.get()
                        .forEach(depth -> sink.is(
                                (double) depth.count(),
                                depth.source().name(),
                                depth.state().name().toLowerCase(Locale.ROOT))),
                "source",
                "state"));
        meters.add(new Gauges(
                "flowstone_dead_letters_oldest_seconds",
                "How long ago the first of them failed first.",
                sink -> oldest(depths.get())
                        .forEach((source, since) -> sink.is(
                                Math.max(0, Duration.between(since, clock.now()).toMillis() / 1_000.0), source)),
                "source"));
    }

    private static Map<String, Instant> oldest(List<Depth> depths) {
        Map<String, Instant> oldest = new TreeMap<>();
        depths.forEach(depth ->
                oldest.merge(depth.source().name(), depth.oldest(), (one, other) -> one.isBefore(other) ? one : other));
        return oldest;
    }

    private static List<Depth> read(DeadLetterStore store) {
        try {
            return store.depths(BacklogReader.MOST);
        } catch (JournalException e) {
            LOG.log(Level.WARNING, "dead letters can't be counted now: " + e.getMessage());
            return List.of();
        }
    }
}
