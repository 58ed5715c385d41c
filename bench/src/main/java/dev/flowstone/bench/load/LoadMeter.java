package dev.flowstone.bench.load;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.HdrHistogram.Recorder;

/**
 * Watches an engine under load: how long runs and decisions take, how large batches are, and when a run is over. Of runs it
 * sees those that {@link #began} named, so that two loads on one engine have a meter each.
 */
public final class LoadMeter implements Observer {
    /** Longer latencies count as this one. */
    public static final long LONGEST_MICROS = Duration.ofMinutes(10).toNanos() / 1_000;

    /** Of runs that others have begun, at most. */
    private static final int MOST_UNKNOWN = 100_000;

    private final Map<RunKey, Long> begun = new ConcurrentHashMap<>();
    private final Map<RunKey, Over> unknown = new ConcurrentHashMap<>();
    private final AtomicInteger beginning = new AtomicInteger();
    private final Recorder runs = new Recorder(LONGEST_MICROS, 3);
    private final Recorder decisions = new Recorder(LONGEST_MICROS, 3);
    private final LongAdder commits = new LongAdder();
    private final LongAdder finished = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder over = new LongAdder();
    private final Semaphore places = new Semaphore(0);
    private final Consumer<RunKey> ended;

    public LoadMeter() {
        this(run -> {});
    }

    /** One that tells of each run that is over, on an engine thread, right after the commit. */
    public LoadMeter(Consumer<RunKey> ended) {
        this.ended = ended;
    }

    /** That a run was over, and when. */
    private record Over(RunStatus status, long nanoTime) {}

    /** A run is going to be started: it may be over before whoever starts it knows what it is called. */
    void beginning() {
        beginning.incrementAndGet();
    }

    /** One of those that were {@linkplain #beginning beginning} {@linkplain #began began}, or didn't begin. */
    void knows() {
        beginning.decrementAndGet();
    }

    /** This run counts from now on, and from this point of {@link System#nanoTime} on. */
    public void began(RunKey run, long nanoTime) {
        begun.put(run, nanoTime);
        Over over = unknown.remove(run);
        if (over != null) {
            over(run, over);
        }
    }

    /** One place for each run that is over, or that could not begin. */
    public Semaphore places() {
        return places;
    }

    /** Runs that are over, ever. */
    public long over() {
        return over.sum();
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
        Over now = new Over(status, System.nanoTime());
        if (over(run, now)) {
            return;
        }
        if (beginning.get() > 0) {
            if (unknown.size() >= MOST_UNKNOWN) {
                unknown.clear();
            }
            unknown.put(run, now);
        }
        // It may have become known meanwhile.
        if (over(run, now)) {
            unknown.remove(run);
        }
    }

    /** Counts it once, if it is known that it began. */
    private boolean over(RunKey run, Over now) {
        Long since = begun.remove(run);
        if (since == null) {
            return false;
        }
        runs.recordValue(micros(now.nanoTime() - since));
        (now.status() == RunStatus.SUCCEEDED ? finished : failed).increment();
        over.increment();
        ended.accept(run);
        places.release();
        return true;
    }

    /** What happened since the last reading. */
    public Reading read() {
        return new Reading(
                runs.getIntervalHistogram(),
                decisions.getIntervalHistogram(),
                commits.sumThenReset(),
                finished.sumThenReset(),
                failed.sumThenReset());
    }

    /** As histograms here count. */
    public static long micros(long nanos) {
        return Math.clamp(nanos / 1_000, 0, LONGEST_MICROS);
    }
}
