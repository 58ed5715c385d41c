package dev.flowstone.testkit.simulation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.simulation.planted.AnswersBeforeTheCommit;
import dev.flowstone.testkit.simulation.planted.AppliesDecisionsTwice;
import dev.flowstone.testkit.simulation.planted.BelievesOldSettings;
import dev.flowstone.testkit.simulation.planted.ConsumesNothing;
import dev.flowstone.testkit.simulation.planted.CountsAttemptsAtCompletion;
import dev.flowstone.testkit.simulation.planted.DropsBufferedInput;
import dev.flowstone.testkit.simulation.planted.FiresJoinsTwice;
import dev.flowstone.testkit.simulation.planted.ForgetsReceipts;
import dev.flowstone.testkit.simulation.planted.ForgetsTimers;
import dev.flowstone.testkit.simulation.planted.ForgetsToCancelTimers;
import dev.flowstone.testkit.simulation.planted.ForgetsWhatIsRecorded;
import dev.flowstone.testkit.simulation.planted.ForgetsWhoIsAwake;
import dev.flowstone.testkit.simulation.planted.HearsLettersAgain;
import dev.flowstone.testkit.simulation.planted.KeepsTheOldProgram;
import dev.flowstone.testkit.simulation.planted.LosesEarlySignals;
import dev.flowstone.testkit.simulation.planted.OpensWindows;
import dev.flowstone.testkit.simulation.planted.PostsBeforeTheCommit;
import dev.flowstone.testkit.simulation.planted.RemembersPolicies;
import dev.flowstone.testkit.simulation.planted.ReusesActivationIds;
import dev.flowstone.testkit.simulation.planted.SkipsTheEpochCheck;
import dev.flowstone.testkit.simulation.planted.TellsEverybodyItIsTheirs;
import dev.flowstone.testkit.simulation.planted.UndoesTheOlderFirst;
import dev.flowstone.testkit.simulation.world.Tampering;
import dev.flowstone.testkit.simulation.world.Trace;
import dev.flowstone.testkit.simulation.world.Violation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator sees: each engine that breaks a rule on purpose is found by the ordinary invariants, soon. What is found isn't made
 * small here, which would take hundreds of plays of each: {@link FaultSimulatorTest} does that, with one of them.
 */
final class PlantedFaultsTest {
    private static final int WITHIN_SEEDS = 5_000;

    /** Each with the rules by which it may be noticed. */
    static Stream<Arguments> planted() {
        return Stream.of(
                Arguments.of(new SkipsTheEpochCheck(), List.of("I12")),
                Arguments.of(new AnswersBeforeTheCommit(), List.of("I12", "I7")),
                Arguments.of(new CountsAttemptsAtCompletion(), List.of("R11")),
                Arguments.of(new ReusesActivationIds(), List.of("I4", "R11", "R17")),
                Arguments.of(new ForgetsToCancelTimers(), List.of("I3")),
                Arguments.of(new ForgetsTimers(), List.of("I3", "I8")),
                Arguments.of(new ForgetsWhoIsAwake(), List.of("I3", "I7", "I8", "R17")),
                Arguments.of(new ForgetsReceipts(), List.of("I12")),
                Arguments.of(new ConsumesNothing(), List.of("R21", "I8")),
                Arguments.of(new FiresJoinsTwice(), List.of("I5", "I1", "I3", "ENGINE")),
                Arguments.of(new AppliesDecisionsTwice(), List.of("I9")),
                Arguments.of(new LosesEarlySignals(), List.of("R20")),
                Arguments.of(new HearsLettersAgain(), List.of("R21")),
                Arguments.of(new PostsBeforeTheCommit(), List.of("R21")),
                Arguments.of(new UndoesTheOlderFirst(), List.of("I10")),
                Arguments.of(new DropsBufferedInput(), List.of("I3", "R25")),
                Arguments.of(new BelievesOldSettings(), List.of("R25")),
                Arguments.of(new RemembersPolicies(), List.of("R1")),
                Arguments.of(new TellsEverybodyItIsTheirs(), List.of("R20")),
                Arguments.of(new OpensWindows(), List.of("R16")),
                Arguments.of(new ForgetsWhatIsRecorded(), List.of("R17")),
                Arguments.of(new KeepsTheOldProgram(), List.of("ENGINE", "I2")));
    }

    @ParameterizedTest
    @MethodSource("planted")
    void isFoundByTheOrdinaryInvariants(Tampering planted, List<String> rules) {
        String violation = firstViolation(planted).map(Violation::getMessage).orElse("nothing");

        assertTrue(
                rules.stream().anyMatch(rule -> violation.startsWith(rule + ":")),
                () -> planted.getClass().getSimpleName() + " is noticed as: " + violation);
    }

    private static Optional<Violation> firstViolation(Tampering planted) {
        try (QuietLog _ = new QuietLog();
                SeedsAtOnce played = new SeedsAtOnce(
                        Runtime.getRuntime().availableProcessors(),
                        0,
                        WITHIN_SEEDS,
                        seed -> Simulation.of(Plan.of(seed), planted, Trace.off()))) {
            for (int i = 0; i < WITHIN_SEEDS; i++) {
                Optional<Violation> violation = played.next().violation();
                if (violation.isPresent()) {
                    return violation;
                }
            }
            return Optional.empty();
        }
    }
}
