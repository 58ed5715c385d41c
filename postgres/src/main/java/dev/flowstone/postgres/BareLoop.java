package dev.flowstone.postgres;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How many decisions a second a loop manages that does only what no engine can leave out: three events hashed into their
 * run's chain, packed into one entry, in the journal's own commit; no kernel, no engine. What the engine is measured against.
 * Works in a database of its own on the same server and removes it afterwards.
 */
public final class BareLoop {
    private static final TenantId TENANT = new TenantId("default");
    private static final WorkflowId WORKFLOW = new WorkflowId("bare");
    private static final Duration LEASE = Duration.ofHours(1);
    private static final int EVENTS = 3;

    private BareLoop() {}

    /**
     * What to measure.
     *
     * @param shards loops, each on its own thread and connection
     * @param batch decisions in a commit
     * @param entryBytes of a decision's packed events
     * @param decisionsPerRun the first of them creates the run
     * @param warmUp not counted
     * @param time counted
     */
    public record Settings(int shards, int batch, int entryBytes, int decisionsPerRun, Duration warmUp, Duration time) {
        /** Three events of 160 bytes; a start and five steps. */
        public static Settings of(int shards, int batch, Duration time) {
            return new Settings(shards, batch, 480, 6, Duration.ofSeconds(2), time);
        }
    }

    /** What it did in the counted time; latencies are a commit's. */
    public record Result(
            Settings settings, long decisions, long commits, double decisionsPerSecond, Duration p50, Duration p95) {}

    public static Result run(PostgresConfig server, Settings settings)
            throws PostgresOpenException, JournalException, InterruptedException {
        try (ScratchDatabase scratch = ScratchDatabase.on(server, "bare");
                PostgresPorts ports = PostgresPorts.open(
                        scratch.config().withShards(settings.shards()).withConnections(settings.shards(), 1))) {
            return run(ports, settings);
        }
    }

    private static Result run(PostgresPorts ports, Settings settings) throws JournalException, InterruptedException {
        long begin = System.nanoTime();
        long count = begin + settings.warmUp().toNanos();
        long end = count + settings.time().toNanos();
        List<Callable<long[]>> loops = new ArrayList<>();
        for (Shard shard : ports.ports().leases().shards()) {
            Lease lease =
                    ports.ports().leases().acquire(shard.id(), "bare", LEASE).orElseThrow();
            Loop loop = new Loop(ports.ports().journal(), lease, settings);
            loops.add(() -> loop.until(count, end));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(loops.size())) {
            List<long[]> latencies = new ArrayList<>();
            for (Future<long[]> loop : threads.invokeAll(loops)) {
                latencies.add(loop.get());
            }
            return result(settings, latencies);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof JournalException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private static Result result(Settings settings, List<long[]> latencies) {
        long[] sorted =
                latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        long decisions = (long) sorted.length * settings.batch();
        double seconds = settings.time().toNanos() / 1e9;
        return new Result(
                settings, decisions, sorted.length, decisions / seconds, quantile(sorted, 0.5), quantile(sorted, 0.95));
    }

    private static Duration quantile(long[] sorted, double q) {
        return sorted.length == 0
                ? Duration.ZERO
                : Duration.ofNanos(sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * q))]);
    }

    /** One shard's loop: the same runs move in every commit, at different points of their lives. */
    private static final class Loop {
        private final Journal journal;
        private final Lease lease;
        private final Settings settings;
        private final SplittableRandom random;
        private final RunKey[] runs;
        private final long[] sequences;
        private final Sha256[] hashes;
        private final MessageDigest digest = Sha256.newDigest();
        private final byte[] bytes;
        private final Sha256 program = Sha256.digest(new byte[0]);

        Loop(Journal journal, Lease lease, Settings settings) {
            this.journal = journal;
            this.lease = lease;
            this.settings = settings;
            this.random = new SplittableRandom(lease.shard().id().number());
            this.runs = new RunKey[settings.batch()];
            this.sequences = new long[settings.batch()];
            this.hashes = new Sha256[settings.batch()];
            Arrays.fill(hashes, Sha256.ZERO);
            this.bytes = new byte[settings.entryBytes()];
            random.nextBytes(bytes);
            Arrays.setAll(runs, i -> fresh());
        }

        long[] until(long count, long end) throws JournalException {
            long[] latencies = new long[1 << 10];
            int counted = 0;
            for (long commit = 0; ; commit++) {
                List<RunMove> moves = moves(commit);
                long before = System.nanoTime();
                int moved = journal.commit(new Commit(lease, moves, List.of()))
                        .moved()
                        .size();
                long after = System.nanoTime();
                if (moved != moves.size()) {
                    throw new IllegalStateException("only " + moved + " of " + moves.size() + " runs moved");
                }
                if (after > end) {
                    return Arrays.copyOf(latencies, counted);
                }
                if (before >= count) {
                    latencies = counted < latencies.length ? latencies : Arrays.copyOf(latencies, counted * 2);
                    latencies[counted++] = after - before;
                }
            }
        }

        private List<RunMove> moves(long commit) {
            List<RunMove> moves = new ArrayList<>(runs.length);
            for (int i = 0; i < runs.length; i++) {
                long decision = (commit + i) % settings.decisionsPerRun();
                if (decision == 0 && sequences[i] > 0) {
                    runs[i] = fresh();
                    sequences[i] = 0;
                    hashes[i] = Sha256.ZERO;
                }
                moves.add(move(i, decision == settings.decisionsPerRun() - 1));
            }
            moves.sort((a, b) -> a.key().compareTo(b.key()));
            return moves;
        }

        private RunMove move(int i, boolean last) {
            long expected = sequences[i];
            sequences[i] += EVENTS;
            for (int event = 0; event < EVENTS; event++) {
                hashes[i].feed(digest);
                digest.update(bytes, event * (bytes.length / EVENTS), bytes.length / EVENTS);
                hashes[i] = Sha256.of(digest);
            }
            return new RunMove(
                    runs[i],
                    WORKFLOW,
                    1,
                    program,
                    "bare",
                    expected,
                    List.of(new JournalEntry(expected + 1, expected + EVENTS, bytes, hashes[i])),
                    last ? RunStatus.SUCCEEDED : RunStatus.RUNNING,
                    !last,
                    Instant.now(),
                    List.of(),
                    List.of(),
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of());
        }

        private RunKey fresh() {
            Shard shard = lease.shard();
            int slot = random.nextInt(shard.firstSlot(), shard.lastSlot() + 1);
            return new RunKey(TENANT, RunId.of(Instant.now(), new Slot(slot), random.nextLong()));
        }
    }
}
