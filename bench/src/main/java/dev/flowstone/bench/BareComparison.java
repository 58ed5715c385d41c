package dev.flowstone.bench;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.BareLoop;
import dev.flowstone.postgres.BareLoop.Result;
import dev.flowstone.postgres.BareLoop.Settings;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.PostgresOpenException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * The database's share alone, on the same server in the same minutes: first at the engine's own batch and number of shards,
 * then at others, so that the best of them is a fair ceiling.
 */
record BareComparison(List<Result> results) {
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final int[][] SHARDS_AND_BATCHES = {{1, 200}, {2, 100}, {2, 200}, {2, 500}, {4, 200}};

    BareComparison {
        results = List.copyOf(results);
    }

    static BareComparison measure(
            PostgresConfig server,
            int engineShards,
            int engineBatch,
            int entryBytes,
            int decisionsPerRun,
            Duration time,
            Consumer<String> progress)
            throws PostgresOpenException, JournalException, InterruptedException {
        List<Settings> all = new ArrayList<>();
        all.add(new Settings(engineShards, engineBatch, entryBytes, decisionsPerRun, WARM_UP, time));
        for (int[] pair : SHARDS_AND_BATCHES) {
            all.add(new Settings(pair[0], pair[1], entryBytes, decisionsPerRun, WARM_UP, time));
        }
        List<Result> results = new ArrayList<>();
        for (Settings settings : all) {
            progress.accept("bare loop: " + settings.shards() + " × batches of " + settings.batch());
            results.add(BareLoop.run(server, settings));
        }
        return new BareComparison(results);
    }

    Result atEngineBatch() {
        return results.getFirst();
    }

    Result best() {
        return results.stream()
                .max(Comparator.comparingDouble(Result::decisionsPerSecond))
                .orElseThrow();
    }
}
