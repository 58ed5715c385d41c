package dev.flowstone.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.simulation.world.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Histories out of seeds, of which is known whether they can be. {@code -Dflowstone.histories=N} tries more of the short ones,
 * {@code -Dflowstone.seed=S} begins with another.
 */
final class RandomHistoryTest {
    private static final long HISTORIES = Long.getLong("flowstone.histories", 3_000);
    private static final long FIRST = Long.getLong("flowstone.seed", 0);
    private static final Target RUN = new Target("run");
    private static final int TARGETS = 50;

    /** 3,000 operations of twelve clients; a dozen of them are under way at any time. */
    private static final RandomHistory.Shape LARGE = new RandomHistory.Shape(3_000, 12, 1_200, 3);

    @Test
    void ofShortHistoriesOfDecisionsTheSearchSaysWhatAllOrdersSay() {
        agree(new DecisionModel(), () -> new DecisionMachine(RUN));
    }

    @Test
    void ofShortHistoriesOfSequencesTheSearchSaysWhatAllOrdersSay() {
        agree(new SequenceModel(), () -> new SequenceMachine(RUN));
    }

    @Test
    void whatWasDoneOneAfterTheOtherCanBeHoweverItOverlaps() {
        RandomHistory.Shape shape = new RandomHistory.Shape(120, 8, 600, 2);

        long held = count(50, dice -> {
            canBe(RandomHistory.right(dice, List.of(new DecisionMachine(RUN)), shape), new DecisionModel());
            canBe(RandomHistory.right(dice, List.of(new SequenceMachine(RUN)), shape), new SequenceModel());
            return true;
        });

        assertEquals(50, held);
    }

    @Test
    void aLongHistoryOfDecisionsEndsWithinItsSteps() {
        History<DecisionModel.Ask, DecisionModel.Answer> history =
                RandomHistory.right(new Dice(FIRST, "long"), machines(DecisionMachine::new), LARGE);

        Linearizability.checkEach(history, DecisionModel.Ask::target, new DecisionModel(), Linearizability.MOST_STEPS)
                .forEach(RandomHistoryTest::held);
    }

    @Test
    void aLongHistoryOfSequencesEndsWithinItsSteps() {
        History<SequenceModel.Ask, SequenceModel.Answer> history =
                RandomHistory.right(new Dice(FIRST, "long"), machines(SequenceMachine::new), LARGE);

        Linearizability.checkEach(history, SequenceModel.Ask::target, new SequenceModel(), Linearizability.MOST_STEPS)
                .forEach(RandomHistoryTest::held);
    }

    @Test
    void inALongHistoryTheOneWrongAnswerIsFound() {
        // given: a reader who comes last and counts what isn't there
        Target wrong = new Target("run-7");
        List<Operation<SequenceModel.Ask, SequenceModel.Answer>> operations =
                new ArrayList<>(RandomHistory.right(new Dice(FIRST, "long"), machines(SequenceMachine::new), LARGE)
                        .operations());
        operations.add(new Operation<>(
                "late",
                new SequenceModel.Ask.Read(wrong),
                10_000_000,
                new Ending.Returned<>(10_000_001, new SequenceModel.Answer.Counted(1_000_000))));

        // when
        Map<Target, Verdict<SequenceModel.Ask, SequenceModel.Answer>> verdicts = Linearizability.checkEach(
                new History<>(operations), SequenceModel.Ask::target, new SequenceModel(), Linearizability.MOST_STEPS);

        // then
        verdicts.forEach((target, verdict) -> {
            if (target.equals(wrong)) {
                assertInstanceOf(Verdict.NotLinearizable.class, verdict, () -> text(verdict));
            } else {
                held(target, verdict);
            }
        });
        assertTrue(verdicts.containsKey(wrong));
    }

    private static <I, O> List<Machine<I, O>> machines(Function<Target, Machine<I, O>> machine) {
        return IntStream.range(0, TARGETS)
                .mapToObj(number -> machine.apply(new Target("run-" + number)))
                .toList();
    }

    private static <I, O> void held(Target target, Verdict<I, O> verdict) {
        assertInstanceOf(
                Verdict.Linearizable.class, verdict, () -> "seed " + FIRST + ", " + target + ": " + text(verdict));
    }

    private static <S, I, O> void canBe(History<I, O> history, SequentialModel<S, I, O> model) {
        Verdict<I, O> verdict = Linearizability.check(history, model);
        assertInstanceOf(Verdict.Linearizable.class, verdict, () -> text(verdict));
    }

    /** Both kinds have to be tried often, or nothing was. */
    private static <S, I, O> void agree(SequentialModel<S, I, O> model, Supplier<Machine<I, O>> machines) {
        long held = count(HISTORIES, dice -> {
            Machine<I, O> machine = machines.get();
            History<I, O> right = RandomHistory.right(dice, List.of(machine), small(dice));
            canBe(right, model);
            History<I, O> told = dice.percent(50)
                    ? RandomHistory.oneElse(dice, right, machine)
                    : RandomHistory.allElse(dice, right, machine);
            return judgeAlike(told, model);
        });

        assertTrue(held >= HISTORIES / 20, () -> "only " + held + " can be");
        assertTrue(held <= HISTORIES - HISTORIES / 20, () -> held + " can be");
    }

    private static RandomHistory.Shape small(Dice dice) {
        return new RandomHistory.Shape(dice.between(1, 6), 3, dice.between(1, 500), 15);
    }

    /** Whether it can be. */
    private static <S, I, O> boolean judgeAlike(History<I, O> history, SequentialModel<S, I, O> model) {
        boolean canBe = EveryOrder.explains(history, model);
        Verdict<I, O> verdict = Linearizability.check(history, model);
        if (!canBe) {
            assertInstanceOf(Verdict.NotLinearizable.class, verdict, () -> "no order explains it: " + history);
            return false;
        }
        if (!(verdict instanceof Verdict.Linearizable<I, O> held)) {
            throw new AssertionError("an order explains it: " + text(verdict));
        }
        assertTrue(EveryOrder.isExplanation(held.order(), model), () -> text(verdict));
        assertTrue(
                held.order()
                        .containsAll(history.operations().stream()
                                .filter(Operation::isReturned)
                                .toList()),
                () -> text(verdict) + "\nleaves something out of " + history);
        return true;
    }

    private static String text(Verdict<?, ?> verdict) {
        return String.join("\n", verdict.lines());
    }

    /** For how many seeds it is so. */
    private static long count(long seeds, Predicate<Dice> isSo) {
        long count = 0;
        for (long seed = FIRST; seed < FIRST + seeds; seed++) {
            try {
                count += isSo.test(new Dice(seed, "history")) ? 1 : 0;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + " (-Dflowstone.seed=" + seed + "): " + e.getMessage(), e);
            }
        }
        return count;
    }
}
