package dev.flowstone.testkit.simulation;

import static java.util.Objects.requireNonNull;

import dev.flowstone.testkit.simulation.world.Tampering;
import dev.flowstone.testkit.simulation.world.Trace;
import dev.flowstone.testkit.simulation.world.Violation;
import java.util.Optional;
import java.util.function.Consumer;

/** Plays seeds one after another until one breaks a rule, and makes that one small. On the caller's thread. */
public final class FaultSimulator {
    private static final int TRACE_LINES = 60;

    private final Tampering tampering;
    private final Consumer<SimulationReport> listener;

    /**
     * A simulator.
     *
     * @param tampering nothing, but in tests of the simulator itself
     * @param listener is told how it goes, after every seed
     */
    public FaultSimulator(Tampering tampering, Consumer<SimulationReport> listener) {
        this.tampering = requireNonNull(tampering);
        this.listener = requireNonNull(listener);
    }

    /** One that nobody watches. */
    public static FaultSimulator quiet() {
        return new FaultSimulator(Tampering.NONE, _ -> {});
    }

    /** Plays so many seeds, from the first one on; ends early at a violation. */
    public SimulationReport run(long firstSeed, long seeds) {
        try (QuietLog _ = new QuietLog()) {
            SimulationReport report = SimulationReport.of(firstSeed);
            for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
                Plan plan = Plan.of(seed);
                Simulation.Result result = Simulation.of(plan, tampering, Trace.off());
                report = report.and(result);
                if (result.violation().isPresent()) {
                    return report.with(failure(plan, result.violation().get()));
                }
                listener.accept(report);
            }
            return report;
        }
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
