package dev.flowstone.bench;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Watches an engine under load: how long runs and decisions take, how large batches are, and when a run is over. */
final class LoadMeter implements Observer {
    private static final long LONGEST_MICROS = Duration.ofMinutes(10).toNanos() / 1_000;

    private final Map<RunKey, Long> begun = new ConcurrentHashMap<>();
    private final Recorder runs = new Recorder(LONGEST_MICROS, 3);
    private final Recorder decisions = new Recorder(LONGEST_MICROS, 3);
    private final LongAdder commits = new LongAdder();
    private final LongAdder finished = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Semaphore places;

    LoadMeter(Semaphore places) {
        this.places = places;
    }

    /** Latencies in microseconds. */
    record Reading(Histogram runs, Histogram decisions, long commits, long finished, long failed) {}

    void began(RunKey run, long nanoTime) {
        begun.put(run, nanoTime);
    }

    @Override
    public void round(ShardId shard, int decided, int moved) {
        commits.increment();
    }

    @Override
    public void decided(ShardId shard, Instant enqueuedAt, Instant committedAt) {
        decisions.recordValue(micros(Duration.between(enqueuedAt, committedAt).toNanos()));
    }

    @Override
    public void moved(RunKey run, long lastSequence, RunStatus status) {
        if (!status.isFinal()) {
            return;
        }
        Long since = begun.remove(run);
        if (since != null) {
            runs.recordValue(micros(System.nanoTime() - since));
            (status == RunStatus.SUCCEEDED ? finished : failed).increment();
            places.release();
        }
    }

    /** What happened since the last reading. */
    Reading read() {
        return new Reading(
                runs.getIntervalHistogram(),
                decisions.getIntervalHistogram(),
                commits.sumThenReset(),
                finished.sumThenReset(),
                failed.sumThenReset());
    }

    private static long micros(long nanos) {
        return Math.clamp(nanos / 1_000, 0, LONGEST_MICROS);
    }
}
