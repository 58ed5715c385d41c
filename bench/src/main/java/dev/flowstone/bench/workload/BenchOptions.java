package dev.flowstone.bench.workload;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.rig.BareComparison;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How to measure.
 *
 * @param measure how long is counted
 * @param inflight runs at once, or callers; empty: what is best, or what the workload says
 * @param offered runs a second to offer, whatever becomes of them; empty: as many in flight as said
 * @param trials how many runs at once to try for a moment each
 * @param trial how long each is tried
 * @param warmUp how long load goes on before anything is tried or counted
 * @param shapes of the bare loop, beside the engine's own
 * @param bare how long each of them is counted
 * @param sizes how much there is of everything that a workload needs beforehand
 */
public record BenchOptions(
        Duration measure,
        OptionalInt inflight,
        OptionalDouble offered,
        List<Integer> trials,
        Duration trial,
        Duration warmUp,
        List<BareComparison.Shape> shapes,
        Duration bare,
        BenchSizes sizes) {
    private static final Duration SUSTAINED = Duration.ofMinutes(1);
    private static final Duration BARE_SUSTAINED = Duration.ofSeconds(10);

    public BenchOptions {
        requireNonNull(measure);
        requireNonNull(inflight);
        requireNonNull(offered);
        trials = List.copyOf(trials);
        requireNonNull(trial);
        requireNonNull(warmUp);
        shapes = List.copyOf(shapes);
        requireNonNull(bare);
        requireNonNull(sizes);
    }

    public static BenchOptions of(Duration measure) {
        return new BenchOptions(
                measure,
                OptionalInt.empty(),
                OptionalDouble.empty(),
                List.of(500, 1_000, 2_000, 4_000),
                Duration.ofSeconds(3),
                Duration.ofSeconds(6),
                BareComparison.SHAPES,
                Duration.ofSeconds(3),
                BenchSizes.DEFAULT);
    }

    public BenchOptions withInflight(int runs) {
        return new BenchOptions(measure, OptionalInt.of(runs), offered, trials, trial, warmUp, shapes, bare, sizes);
    }

    public BenchOptions withOffered(double perSecond) {
        return new BenchOptions(
                measure, inflight, OptionalDouble.of(perSecond), trials, trial, warmUp, shapes, bare, sizes);
    }

    public BenchOptions withSizes(BenchSizes other) {
        return new BenchOptions(measure, inflight, offered, trials, trial, warmUp, shapes, bare, other);
    }

    public BenchOptions withTrials(List<Integer> runs) {
        return new BenchOptions(measure, inflight, offered, runs, trial, warmUp, shapes, bare, sizes);
    }

    public BenchOptions withWarmUp(Duration time) {
        return new BenchOptions(measure, inflight, offered, trials, trial, time, shapes, bare, sizes);
    }

    /**
     * For a rate that is to be sustained, if figures are to say something: warmed up and counted for a minute at least, and every
     * setting of the bare loop for ten seconds, since the best of several that are short is the one that was lucky.
     */
    public BenchOptions sustained() {
        return inEarnest()
                ? new BenchOptions(
                        longer(measure),
                        inflight,
                        offered,
                        trials,
                        trial,
                        longer(warmUp),
                        shapes,
                        BARE_SUSTAINED,
                        sizes)
                : this;
    }

    private static Duration longer(Duration time) {
        return time.compareTo(SUSTAINED) < 0 ? SUSTAINED : time;
    }

    /** The same without a rate, and measured for so long only: to find how many runs at once are best. */
    BenchOptions closed(Duration time) {
        return new BenchOptions(time, inflight, OptionalDouble.empty(), trials, trial, warmUp, shapes, bare, sizes);
    }

    /** Whether figures are to say something. */
    public boolean inEarnest() {
        return !shapes.isEmpty();
    }

    /** Runs at once where what is best isn't tried: as many as are given, or a middling number of those that would be. */
    int givenOrMiddling() {
        return inflight.orElseGet(() -> trials.get((trials.size() - 1) / 2));
    }

    /** Hardly anything of everything, to see that it works: such figures say nothing. */
    public static BenchOptions shortest(Duration measure) {
        Duration moment = Duration.ofMillis(200);
        return new BenchOptions(
                measure,
                OptionalInt.empty(),
                OptionalDouble.empty(),
                List.of(20),
                moment,
                moment.multipliedBy(2),
                List.of(),
                moment,
                BenchSizes.SHORT);
    }
}
