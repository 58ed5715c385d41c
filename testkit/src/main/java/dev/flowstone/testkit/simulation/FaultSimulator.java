package dev.flowstone.testkit.simulation;

import static java.util.Objects.requireNonNull;

import dev.flowstone.testkit.simulation.world.Tampering;
import dev.flowstone.testkit.simulation.world.Trace;
import dev.flowstone.testkit.simulation.world.Violation;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Plays seeds until one breaks a rule, and makes that one small. Several seeds are played at once, each by a thread of its own;
 * what is reported is the same whatever the number of threads.
 */
public final class FaultSimulator {
    private static final int TRACE_LINES = 60;

    private final Tampering tampering;
    private final Consumer<SimulationReport> listener;
    private final int threads;

    /**
     * A simulator that uses every processor.
     *
     * @param tampering nothing, but in tests of the simulator itself
     * @param listener is told how it goes, after every seed, by the caller's thread and in order
     */
    public FaultSimulator(Tampering tampering, Consumer<SimulationReport> listener) {
        this(tampering, listener, Runtime.getRuntime().availableProcessors());
    }

    /** The same with so many threads. */
    public FaultSimulator(Tampering tampering, Consumer<SimulationReport> listener, int threads) {
        this.tampering = requireNonNull(tampering);
        this.listener = requireNonNull(listener);
        this.threads = threads;
    }

    /** One that nobody watches. */
    public static FaultSimulator quiet() {
        return new FaultSimulator(Tampering.NONE, _ -> {});
    }

    /** Plays so many seeds, from the first one on; ends early at a violation. */
    public SimulationReport run(long firstSeed, long seeds) {
        try (QuietLog _ = new QuietLog();
                SeedsAtOnce played = new SeedsAtOnce(threads, firstSeed, seeds, this::play)) {
            SimulationReport report = SimulationReport.of(firstSeed);
            for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
                Simulation.Result result = played.next();
                report = report.and(result);
                if (result.violation().isPresent()) {
                    return report.with(failure(Plan.of(seed), result.violation().get()));
                }
                listener.accept(report);
            }
            return report;
        }
    }

    private Simulation.Result play(long seed) {
        return Simulation.of(Plan.of(seed), tampering, Trace.off());
    }

    /** Plays some steps of one seed, and tells what happened whether it fails or not. */
    public SimulationReport replay(Plan plan) {
        try (QuietLog _ = new QuietLog()) {
            Trace trace = Trace.last(TRACE_LINES);
            Simulation.Result result = Simulation.of(plan, tampering, trace);
            SimulationReport report = SimulationReport.of(plan.seed()).and(result);
            return result.violation()
                    .map(violation -> report.with(new Failure(plan, message(violation), trace.lines())))
                    .orElse(report);
        }
    }

    private Failure failure(Plan plan, Violation violation) {
        Plan small = new Minimiser(tampering, violation.invariant()).smallest(plan);
        Trace trace = Trace.last(TRACE_LINES);
        Optional<Violation> again = Simulation.of(small, tampering, trace).violation();
        return new Failure(small, message(again.orElse(violation)), trace.lines());
    }

    private static String message(Violation violation) {
        return String.valueOf(violation.getMessage());
    }
}
