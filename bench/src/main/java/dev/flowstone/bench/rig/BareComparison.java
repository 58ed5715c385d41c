package dev.flowstone.bench.rig;

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
public record BareComparison(List<Result> results) {
    private static final Duration WARM_UP = Duration.ofSeconds(1);

    /** Where the ceiling is looked for. */
    public static final List<Shape> SHAPES =
            List.of(new Shape(1, 200), new Shape(2, 100), new Shape(2, 200), new Shape(2, 500), new Shape(4, 200));

    /** So many loops, each with so many decisions in a commit. */
    public record Shape(int shards, int batch) {}

    public BareComparison {
        results = List.copyOf(results);
    }

    /**
     * What is to be compared with.
     *
     * @param shards of the engine
     * @param batch decisions that the engine had in a commit
     * @param entryBytes of a decision, as it was stored
     * @param decisionsPerRun about
     */
    public record Engine(int shards, int batch, int entryBytes, int decisionsPerRun) {
        /** One whose stored decisions and commits were counted. */
        public static Engine of(int shards, StoredCount stored, long commits, int decisionsPerRun) {
            long batch = Math.round((double) stored.entries() / Math.max(1, commits));
            return new Engine(
                    shards, (int) Math.max(1, batch), Math.max(1, stored.entryBytes()), Math.max(1, decisionsPerRun));
        }
    }

    /**
     * Measures.
     *
     * @param others beside the engine's own shape
     * @param time how long each setting is counted
     */
    public static BareComparison measure(
            PostgresConfig server, Engine engine, List<Shape> others, Duration time, Consumer<String> progress)
            throws PostgresOpenException, JournalException, InterruptedException {
        List<Settings> all = new ArrayList<>();
        all.add(settings(engine, engine.shards(), engine.batch(), time));
        for (Shape shape : others) {
            all.add(settings(engine, shape.shards(), shape.batch(), time));
        }
        List<Result> results = new ArrayList<>();
        for (Settings settings : all) {
            progress.accept("bare loop: " + settings.shards() + " × batches of " + settings.batch());
            results.add(BareLoop.run(server, settings));
        }
        return new BareComparison(results);
    }

    private static Settings settings(Engine engine, int shards, int batch, Duration time) {
        return new Settings(shards, batch, engine.entryBytes(), engine.decisionsPerRun(), WARM_UP, time);
    }

    public Result atEngineBatch() {
        return results.getFirst();
    }

    public Result best() {
        return results.stream()
                .max(Comparator.comparingDouble(Result::decisionsPerSecond))
                .orElseThrow();
    }
}
