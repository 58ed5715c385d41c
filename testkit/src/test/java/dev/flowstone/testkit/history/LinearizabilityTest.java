package dev.flowstone.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.testkit.history.SequenceModel.Answer;
import dev.flowstone.testkit.history.SequenceModel.Ask;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the checker says of a history, and that it always says something. */
final class LinearizabilityTest {
    private static final Target RUN = new Target("run");
    private static final Target OTHER = new Target("other");

    private final Told<SequenceModel.State, Ask, Answer> told = new Told<>(new SequenceModel());
    private final Told<String, String, String> coin = new Told<>(new Coin());

    /** A coin that nobody has tossed yet; what it shows then can't be foretold. */
    private static final class Coin implements SequentialModel<String, String, String> {
        @Override
        public String initial() {
            return "nothing";
        }

        @Override
        public Optional<String> step(String state, String input, String output) {
            return input.equals("toss") || output.equals(state) ? Optional.of(output) : Optional.empty();
        }

        @Override
        public List<String> steps(String state, String input) {
            return input.equals("toss") ? List.of("heads", "tails") : List.of(state);
        }
    }

    private static Ask read(Target target) {
        return new Ask.Read(target);
    }

    private static Ask append(String request) {
        return new Ask.Append(RUN, new RequestId(request));
    }

    private static Answer counted(long count) {
        return new Answer.Counted(count);
    }

    private static Answer number(long number) {
        return new Answer.Appended(number);
    }

    private Verdict<Ask, Answer> verdict(long mostSteps) {
        return Linearizability.check(told.history(), new SequenceModel(), mostSteps);
    }

    private Verdict<Ask, Answer> verdict() {
        return verdict(Linearizability.MOST_STEPS);
    }

    @Test
    void whatCanBeIsExplainedByAnOrder() {
        told.did("anna", 1, 10, append("a"), number(2))
                .did("bob", 2, 9, append("b"), number(1))
                .lost("carl", 3, read(RUN));

        List<Operation<Ask, Answer>> operations = told.history().operations();
        assertEquals(new Verdict.Linearizable<>(List.of(operations.get(1), operations.get(0))), verdict());
        assertEquals(
                List.of(
                        "every answer is explained by this order:",
                        "   [2, 9] bob: Append[target=run, request=b] → Appended[number=1]",
                        "   [1, 10] anna: Append[target=run, request=a] → Appended[number=2]"),
                verdict().lines());
    }

    @Test
    void whatCannotBeIsToldWithHowFarOneComes() {
        told.did("anna", 1, 2, append("a"), number(1))
                .did("bob", 3, 6, append("b"), number(2))
                .did("carl", 7, 10, read(RUN), counted(1))
                .did("dora", 8, 9, append("d"), number(4))
                .lost("emil", 11, read(RUN));

        List<Operation<Ask, Answer>> operations = told.history().operations();
        assertEquals(
                new Verdict.NotLinearizable<>(
                        operations.subList(0, 2),
                        "State[appended=[a, b]]",
                        operations.subList(2, 4),
                        operations.get(3)),
                verdict());
        assertEquals(
                List.of(
                        "no order explains every answer; this one explains the most:",
                        "   [1, 2] anna: Append[target=run, request=a] → Appended[number=1]",
                        "   [3, 6] bob: Append[target=run, request=b] → Appended[number=2]",
                        "it leaves State[appended=[a, b]]",
                        "one of these would have to be next, and none can be (> returned first):",
                        "   [7, 10] carl: Read[target=run] → Counted[count=1]",
                        " > [8, 9] dora: Append[target=run, request=d] → Appended[number=4]"),
                verdict().lines());
    }

    @Test
    void ofALongHistoryTheEndIsShown() {
        for (int i = 1; i <= 30; i++) {
            told.did("anna", 10L * i, 10L * i + 5, append("a" + i), number(i));
        }
        told.did("bob", 400, 401, read(RUN), counted(29));

        List<String> lines = verdict().lines();
        assertEquals("   … 10 before", lines.get(1));
        assertEquals("   [110, 115] anna: Append[target=run, request=a11] → Appended[number=11]", lines.get(2));
        assertEquals(" > [400, 401] bob: Read[target=run] → Counted[count=29]", lines.getLast());
    }

    @Test
    void whatTakesTooManyStepsRemainsUndecided() {
        // given: of thirty lost ones any may count, in any order, and all of them aren't enough
        for (int i = 1; i <= 30; i++) {
            told.lost("anna", i, append("a" + i));
        }
        told.did("bob", 100, 101, read(RUN), counted(31));

        assertEquals(new Verdict.Undecided<>(1_000), verdict(1_000));
        assertEquals(List.of("undecided after 1000 steps"), verdict(1_000).lines());
        assertEquals(new Verdict.Undecided<>(0), verdict(0));
    }

    @Test
    void aLongHistoryTakesAsManyStepsAsOperations() {
        int length = 10_000;
        for (int i = 1; i <= length; i++) {
            told.did("anna", 10L * i, 10L * i + 5, read(RUN), counted(0));
        }

        Verdict.Linearizable<?, ?> held = assertInstanceOf(Verdict.Linearizable.class, verdict(length));
        assertEquals(length, held.order().size());
        assertEquals(new Verdict.Undecided<>(length - 1), verdict(length - 1));
    }

    @Test
    void whatReturnsInTheTickInWhichAnotherIsInvokedOverlapsIt() {
        told.did("anna", 1, 5, append("a"), number(2))
                .did("bob", 5, 6, append("b"), number(1))
                .canBe();
    }

    @Test
    void operationsMayBeGivenInAnyOrder() {
        told.did("bob", 3, 4, append("b"), number(2))
                .did("anna", 1, 2, append("a"), number(1))
                .canBe();
    }

    @Test
    void noOperationReturnsBeforeItsInvocation() {
        assertThrows(IllegalArgumentException.class, () -> told.did("anna", 2, 2, read(RUN), counted(0)));
    }

    @Test
    void eachThingIsJudgedAlone() {
        told.did("anna", 1, 2, append("a"), number(1))
                .did("bob", 3, 4, read(OTHER), counted(0))
                .did("carl", 5, 6, read(RUN), counted(0));

        Map<Target, Verdict<Ask, Answer>> verdicts =
                Linearizability.checkEach(told.history(), Ask::target, new SequenceModel(), 1_000);

        assertEquals(List.of(RUN, OTHER), List.copyOf(verdicts.keySet()));
        assertInstanceOf(Verdict.NotLinearizable.class, verdicts.get(RUN));
        assertInstanceOf(Verdict.Linearizable.class, verdicts.get(OTHER));
    }

    @Test
    void whatWasLostMayHaveDoneAnythingThatTheModelAllows() {
        coin.lost("anna", 1, "toss").did("bob", 2, 3, "read", "tails").canBe();
    }

    @Test
    void whatWasLostHasDoneOneThingOnly() {
        coin.lost("anna", 1, "toss")
                .did("bob", 2, 3, "read", "tails")
                .did("bob", 4, 5, "read", "heads")
                .cannotBe();
    }

    @Test
    void eachThatWasLostMayHaveDoneSomethingElse() {
        coin.lost("anna", 1, "toss")
                .lost("anna", 1, "toss")
                .did("bob", 2, 3, "read", "tails")
                .did("bob", 4, 5, "read", "heads")
                .canBe();
    }
}
