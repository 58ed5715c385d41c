package dev.flowstone.testkit.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.simulation.action.Action;
import dev.flowstone.testkit.simulation.fault.Fault;
import dev.flowstone.testkit.simulation.planted.ForgetsToCancelTimers;
import dev.flowstone.testkit.simulation.program.Pieces;
import dev.flowstone.testkit.simulation.program.ProgramPiece;
import dev.flowstone.testkit.simulation.world.Coverage;
import dev.flowstone.testkit.simulation.world.Step;
import dev.flowstone.testkit.simulation.world.Tampering;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Every rule holds in every seed, whatever goes wrong. {@code -Dflowstone.simulations=N} plays more of them,
 * {@code -Dflowstone.seed=S} begins with another.
 */
final class FaultSimulatorTest {
    private static final long SEEDS = Long.getLong("flowstone.simulations", 2_000);
    private static final long FIRST = Long.getLong("flowstone.seed", 0);

    @Test
    void everyRuleHoldsWhateverGoesWrong() {
        SimulationReport report = FaultSimulator.quiet().run(FIRST, SEEDS);

        assertTrue(report.passed(), () -> String.join("\n", report.lines()));
        assertEquals(SEEDS, report.seeds());
    }

    @Test
    void aSeedGivesTheSameHistoryEveryTime() {
        SimulationReport first = FaultSimulator.quiet().run(FIRST, 50);
        SimulationReport second = FaultSimulator.quiet().run(FIRST, 50);

        assertEquals(first.toJson(), second.toJson());
        assertFalse(first.events() == 0);
    }

    @Test
    void theNumberOfThreadsChangesNothing() {
        SimulationReport alone = new FaultSimulator(Tampering.NONE, _ -> {}, 1).run(FIRST, 60);
        SimulationReport crowd = new FaultSimulator(Tampering.NONE, _ -> {}, 5).run(FIRST, 60);

        assertEquals(alone.toJson(), crowd.toJson());
    }

    @Test
    void theFirstFailureIsReportedThoughLaterSeedsFailToo() {
        Tampering planted = new ForgetsToCancelTimers();
        List<Long> seeds = new ArrayList<>();
        SimulationReport alone = new FaultSimulator(planted, _ -> {}, 1).run(FIRST, 100);
        SimulationReport crowd = new FaultSimulator(planted, report -> seeds.add(report.seeds()), 5).run(FIRST, 100);

        assertEquals(alone.toJson(), crowd.toJson());
        assertEquals(LongStream.range(1, crowd.seeds()).boxed().toList(), seeds, "the listener is told in order");
    }

    @Test
    void aFailureIsMadeSmallAndItsCommandPlaysItAgain() {
        FaultSimulator simulator = new FaultSimulator(new ForgetsToCancelTimers(), _ -> {});

        Failure failure = simulator.run(FIRST, 100).failure().orElseThrow();
        Plan small = failure.plan();
        Failure again =
                simulator.replay(Plan.of(small.seed(), small.text())).failure().orElseThrow();

        assertTrue(small.steps().size() <= 10, () -> "still " + small.steps().size() + " steps");
        assertTrue(
                failure.command().endsWith("--seed " + small.seed() + " --steps " + small.text()), failure.command());
        assertTrue(failure.violation().startsWith("I3:"), failure.violation());
        assertEquals(failure.violation(), again.violation());
        assertEquals(failure.trace(), again.trace());
    }

    @Test
    void everyKindOfNodeHasAPieceAndEveryFaultAndActionIsPlayed() {
        assertEquals(
                Kinds.of(Coverage.Sort.NODE),
                Pieces.ALL.stream()
                        .map(ProgramPiece::kind)
                        .map(Class::getSimpleName)
                        .distinct()
                        .sorted()
                        .toList());
        assertEquals(
                Kinds.of(Coverage.Sort.FAULT),
                Fault.ALL.stream().map(Step::name).sorted().toList());
        assertEquals(
                Kinds.of(Coverage.Sort.ACTION),
                Action.ALL.stream().map(Step::name).sorted().toList());
    }

    @Test
    void aKindThatHardlyEverHappensFailsTheRun() {
        SimulationReport nothing = new SimulationReport(0, 20_000, 1, 1, 1, new Coverage(), Optional.empty());

        assertFalse(nothing.passed());
        assertEquals(0L, nothing.rare().get("event TokenDiscarded"));
    }

    @Test
    void aShortRunMayFallBehindByChanceAndAWholeOneMayNot() {
        assertTrue(each(2_000, 61).passed(), "four standard deviations behind 100 are 60");
        assertFalse(each(2_000, 59).passed());
        assertTrue(each(20_000, 1_000).passed());
        assertFalse(each(20_000, 999).passed());
    }

    /** Every kind of everything happened so often. */
    private static SimulationReport each(long seeds, long times) {
        Coverage coverage = new Coverage();
        for (Coverage.Sort sort : Coverage.Sort.values()) {
            for (String name : Kinds.of(sort)) {
                for (long i = 0; i < times; i++) {
                    coverage.count(sort, name);
                }
            }
        }
        return new SimulationReport(0, seeds, 1, 1, 1, coverage, Optional.empty());
    }

    @Test
    void aPlanIsReadAsItIsWritten() {
        Plan plan = new Plan(7, List.of(0, 1, 2, 5, 9, 10));

        assertEquals("0-2,5,9-10", plan.text());
        assertEquals(plan, Plan.of(7, plan.text()));
        assertThrows(IllegalArgumentException.class, () -> Plan.of(7, "3-1"));
        assertThrows(IllegalArgumentException.class, () -> Plan.of(7, "one"));
    }
}
