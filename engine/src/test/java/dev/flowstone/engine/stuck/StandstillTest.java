package dev.flowstone.engine.stuck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run stands still if nothing can move it, or if what should move it hasn't for long; whatever it waits for is told apart. */
final class StandstillTest {
    private static final Duration AFTER = Duration.ofMinutes(15);
    private static final Duration SHORT = Duration.ofMinutes(1);
    private static final Duration LONG = Duration.ofHours(2);

    /** How a run comes to wait for each. */
    private static final Map<WaitsFor, UnaryOperator<FakeState>> WAITS = Map.of(
            WaitsFor.ATTEMPT, state -> state.attempt(SHORT),
            WaitsFor.CONTINUATION, FakeState::continuation,
            WaitsFor.TIMER, FakeState::timer,
            WaitsFor.HUMAN_TASK, FakeState::humanTask,
            WaitsFor.SIGNAL, state -> state.await(false),
            WaitsFor.PERMIT, state -> state.await(true),
            WaitsFor.CHILD, state -> state.child(true),
            WaitsFor.INCIDENT, FakeState::incident,
            WaitsFor.ATTESTATION, FakeState::attestation,
            WaitsFor.RESUME, FakeState::suspended);

    private static FakeState waiting(WaitsFor what) {
        return Optional.ofNullable(WAITS.get(what)).orElseThrow().apply(new FakeState());
    }

    private static Optional<Standstill> awake(FakeState state, Duration idle, Duration after) {
        return Standstill.ofAwake(state, idle, after, _ -> false);
    }

    @ParameterizedTest
    @EnumSource
    void whateverItWaitsForIsSeen(WaitsFor what) {
        assertEquals(Set.of(what), WaitsFor.of(waiting(what)));
    }

    @Test
    void whatItDoesNotWaitForMovesNothing() {
        assertEquals(Set.of(), WaitsFor.of(new FakeState()));
        assertEquals(Set.of(), WaitsFor.of(new FakeState().child(false)), "it was only spawned");
        assertEquals(
                EnumSet.of(WaitsFor.TIMER, WaitsFor.SIGNAL),
                WaitsFor.of(new FakeState().timer().await(false)));
    }

    /** The tables have neither timers nor tasks of it, and its row says that it sleeps: that is so, or the rows are wrong. */
    @ParameterizedTest
    @EnumSource
    void aQuietRunIsWellIfSomethingOutsideOfTheTablesCanMoveIt(WaitsFor what) {
        Optional<StuckKind> expected = switch (what) {
            case ATTEMPT, CONTINUATION, TIMER, HUMAN_TASK -> Optional.of(StuckKind.ROWS_DIFFER);
            case SIGNAL, PERMIT, CHILD, INCIDENT, ATTESTATION, RESUME -> Optional.empty();
        };

        assertEquals(expected, Standstill.ofQuiet(waiting(what)).map(Standstill::kind));
    }

    @Test
    void aQuietRunThatWaitsForNothingIsLost() {
        for (RunStatus status :
                new RunStatus[] {RunStatus.RUNNING, RunStatus.FAILING, RunStatus.COMPENSATING, RunStatus.CANCELING}) {
            Standstill lost = Standstill.ofQuiet(new FakeState().status(status)).orElseThrow();
            assertEquals(StuckKind.WAITS_FOR_NOTHING, lost.kind());
            assertEquals(status == RunStatus.RUNNING ? Help.FORCE_FAIL : Help.TERMINATE, lost.help());
            assertTrue(lost.why().contains(status.toString()), lost::why);
        }
    }

    @Test
    void aRunThatIsOverByItsLogHasAWrongRow() {
        Standstill over =
                Standstill.ofQuiet(new FakeState().status(RunStatus.SUCCEEDED)).orElseThrow();

        assertEquals(StuckKind.ROWS_DIFFER, over.kind());
        assertEquals(Help.REBUILD, over.help());
        assertTrue(over.why().contains("SUCCEEDED"), over::why);
    }

    @Test
    void saysWhichRowsAreMissing() {
        assertTrue(
                Standstill.ofQuiet(new FakeState().timer()).orElseThrow().why().contains("a#1 is set"));
        assertTrue(Standstill.ofQuiet(new FakeState().humanTask())
                .orElseThrow()
                .why()
                .contains("a#1 is open"));
    }

    @Test
    void anAttemptMayTakeAsLongAsItsTimeout() {
        FakeState slow = new FakeState().attempt(LONG);

        assertEquals(Optional.empty(), awake(slow, AFTER.plusMinutes(1), AFTER));
        Standstill late = awake(slow, LONG.plusSeconds(1), AFTER).orElseThrow();
        assertEquals(StuckKind.NO_PROGRESS, late.kind());
        assertEquals(Help.REENQUEUE, late.help());
        assertTrue(late.why().contains("a#1 (attempt 1, orders.charge) has no answer"), late::why);
        assertTrue(late.why().contains("PT2H1S"), late::why);
    }

    @Test
    void aShortAttemptMayTakeAsLongAsNobodyWorries() {
        FakeState quick = new FakeState().attempt(SHORT);

        assertEquals(Optional.empty(), awake(quick, AFTER.minusSeconds(1), AFTER));
        assertEquals(
                Optional.of(StuckKind.NO_PROGRESS), awake(quick, AFTER, AFTER).map(Standstill::kind));
    }

    @Test
    void workThatIsLeftIsNeverLeftForLong() {
        FakeState left = new FakeState().continuation().attempt(LONG);

        assertEquals(
                Optional.of(StuckKind.NO_PROGRESS), awake(left, AFTER, AFTER).map(Standstill::kind));
    }

    @Test
    void whatOnlyWorkersCanDoWaitsForThem() {
        Duration month = Duration.ofDays(30);
        FakeState queued = new FakeState().attempt(SHORT);

        Standstill waits = Standstill.ofAwake(queued, month, AFTER, _ -> true).orElseThrow();
        assertEquals(StuckKind.NO_WORKER, waits.kind());
        assertEquals(Help.START_WORKERS, waits.help());
        assertEquals(
                Optional.of(StuckKind.NO_PROGRESS),
                Standstill.ofAwake(queued.continuation(), month, AFTER, _ -> true)
                        .map(Standstill::kind));
    }

    @Test
    void aSuspendedRunWaitsForItsOperatorHoweverLong() {
        FakeState held = new FakeState().attempt(SHORT).suspended();

        assertEquals(Optional.empty(), awake(held, Duration.ofDays(30), AFTER));
    }

    @Test
    void aRowThatSaysThatSomethingIsUnderWayIsWrongIfNothingIs() {
        Standstill wrong = awake(new FakeState().timer(), AFTER, AFTER).orElseThrow();

        assertEquals(StuckKind.ROWS_DIFFER, wrong.kind());
        assertEquals(Help.REBUILD, wrong.help());
    }
}
