package dev.flowstone.bench.load;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * How long it took from a call that another process made until its run was over, durably. Either may be heard of first. Both
 * processes read one clock, the machine's.
 */
public final class MoveMeter implements Observer {
    private final Map<RunKey, Long> halves = new ConcurrentHashMap<>();
    private final Recorder times = new Recorder(LoadMeter.LONGEST_MICROS, 3);
    private final LongAdder over = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /** A call for the run was begun, in microseconds of the epoch. */
    public void called(RunKey run, long micros) {
        Long moved = halves.putIfAbsent(run, micros);
        if (moved != null) {
            record(run, moved - micros);
        }
    }

    @Override
    public void moved(RunKey run, long lastSequence, RunStatus status) {
        if (!status.isFinal()) {
            return;
        }
        Instant now = Instant.now();
        long micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
        Long called = halves.putIfAbsent(run, micros);
        if (called != null) {
            record(run, micros - called);
        }
        (status == RunStatus.SUCCEEDED ? over : failed).increment();
    }

    private void record(RunKey run, long micros) {
        halves.remove(run);
        times.recordValue(Math.clamp(micros, 0, LoadMeter.LONGEST_MICROS));
    }

    /** Runs that are over, ever. */
    public long over() {
        return over.sum() + failed.sum();
    }

    public long failed() {
        return failed.sum();
    }

    /** Since the last reading. */
    public Histogram read() {
        return times.getIntervalHistogram();
    }
}
