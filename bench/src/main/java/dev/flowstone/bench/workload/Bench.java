package dev.flowstone.bench.workload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.rig.BareComparison;
import dev.flowstone.bench.rig.HttpDoor;
import dev.flowstone.bench.rig.StoredCount;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.PostgresOpenException;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a workload is given.
 *
 * @param server on which it makes its databases
 * @param http opens the real server in front of one
 * @param progress is told what goes on, about once a second
 */
public record Bench(PostgresConfig server, HttpDoor http, BenchOptions options, Consumer<String> progress) {
    public Bench {
        requireNonNull(server);
        requireNonNull(http);
        requireNonNull(options);
        requireNonNull(progress);
    }

    /** The same with other options. */
    Bench with(BenchOptions other) {
        return new Bench(server, http, other, progress);
    }

    void tell(String what) {
        progress.accept(what);
    }

    /** The bare loop at the sizes that the engine was seen to have. */
    BareComparison bare(List<Shard> shards, StoredCount stored, long commits, int decisionsPerRun)
            throws PostgresOpenException, JournalException, InterruptedException {
        return BareComparison.measure(
                server,
                BareComparison.Engine.of(shards.size(), stored, commits, decisionsPerRun),
                options.shapes(),
                options.bare(),
                progress);
    }
}
