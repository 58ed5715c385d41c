package dev.flowstone.bench.rig;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Fills a database with copies of runs, through the journal's own commit, every shard at once. No engine may run meanwhile. */
public final class RunCopies {
    private static final Duration LEASE = Duration.ofHours(6);
    private static final int BATCH = 500;

    /** Copies are older than whatever is measured beside them, by their names. */
    private static final Duration AGE = Duration.ofHours(2);

    private static final Duration SPREAD = Duration.ofHours(1);

    private final Ports ports;
    private final LongConsumer progress;
    private final AtomicLong made = new AtomicLong();

    /** @param progress is told how many were made so far, on several threads */
    public RunCopies(Ports ports, LongConsumer progress) {
        this.ports = ports;
        this.progress = progress;
    }

    /** Makes so many, spread over all shards and over an hour in which they are said to be born. */
    public void make(RunTemplate template, int count) throws JournalException, InterruptedException {
        List<Shard> shards = ports.leases().shards();
        try (ExecutorService threads = Executors.newFixedThreadPool(shards.size())) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < shards.size(); i++) {
                int share = count / shards.size() + (i < count % shards.size() ? 1 : 0);
                Shard shard = shards.get(i);
                all.add(threads.submit(() -> {
                    fill(template, shard, share);
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof JournalException failure) {
                throw failure;
            }
            throw new IllegalStateException("copying failed", e.getCause());
        }
    }

    private void fill(RunTemplate template, Shard shard, int count) throws JournalException {
        Lease lease = ports.leases()
                .acquire(shard.id(), Rig.NODE, LEASE)
                .orElseThrow(() -> new IllegalStateException("somebody holds " + shard));
        try {
            SplittableRandom random = new SplittableRandom();
            for (int n = 0; n < count; n += BATCH) {
                List<RunMove> moves = new ArrayList<>();
                for (int i = n; i < Math.min(count, n + BATCH); i++) {
                    moves.add(template.copy(name(template, shard, (double) i / count, random)));
                }
                moves.sort(Comparator.comparing(RunMove::key));
                int moved = ports.journal()
                        .commit(new Commit(lease, moves, List.of()))
                        .moved()
                        .size();
                if (moved != moves.size()) {
                    throw new IllegalStateException("only " + moved + " of " + moves.size() + " copies were made");
                }
                progress.accept(made.addAndGet(moves.size()));
            }
        } finally {
            ports.leases().release(lease);
        }
    }

    private static RunKey name(RunTemplate template, Shard shard, double age, SplittableRandom random) {
        Instant birth = template.time().minus(AGE).plusMillis((long) (SPREAD.toMillis() * age));
        Slot slot = new Slot(random.nextInt(shard.firstSlot(), shard.lastSlot() + 1));
        return new RunKey(Rig.TENANT, RunId.of(birth, slot, random.nextLong()));
    }
}
