package dev.flowstone.testkit.history;

import dev.flowstone.testkit.history.SequenceModel.Answer;
import dev.flowstone.testkit.history.SequenceModel.Ask;
import org.junit.jupiter.api.Test;

/** Histories of what is appended to one run: those that must hold, and those that mustn't. */
final class SequenceHistoryTest {
    private static final Target RUN = new Target("run");
    private static final Ask READ = new Ask.Read(RUN);

    private final Told<SequenceModel.State, Ask, Answer> told = new Told<>(new SequenceModel());

    private static Ask append(String request) {
        return new Ask.Append(RUN, new RequestId(request));
    }

    private static Answer number(long number) {
        return new Answer.Appended(number);
    }

    private static Answer duplicate(long number) {
        return new Answer.Duplicate(number);
    }

    private static Answer counted(long count) {
        return new Answer.Counted(count);
    }

    // What can be.

    @Test
    void numbersFollowOneAnother() {
        told.did("anna", 1, 2, append("a"), number(1))
                .did("bob", 3, 4, append("b"), number(2))
                .did("carl", 5, 6, READ, counted(2))
                .did("anna", 7, 8, append("a"), duplicate(1))
                .did("carl", 9, 10, READ, counted(2))
                .canBe();
    }

    @Test
    void ofTwoAtOnceTheLaterOneMayBeTheFirst() {
        told.did("anna", 1, 10, append("a"), number(2))
                .did("bob", 2, 9, append("b"), number(1))
                .did("carl", 3, 4, READ, counted(0))
                .did("carl", 5, 6, READ, counted(1))
                .did("carl", 7, 8, READ, counted(2))
                .canBe();
    }

    @Test
    void aLostOneMayCount() {
        told.lost("anna", 1, append("a"))
                .did("bob", 2, 3, append("b"), number(2))
                .did("anna", 4, 5, append("a"), duplicate(1))
                .canBe();
    }

    @Test
    void aLostOneMayNotCount() {
        told.lost("anna", 1, append("a"))
                .did("bob", 2, 3, append("b"), number(1))
                .did("anna", 4, 5, append("a"), number(2))
                .did("bob", 6, 7, READ, counted(2))
                .canBe();
    }

    @Test
    void aLostOneMayCountMuchLater() {
        told.lost("anna", 1, append("a"))
                .did("bob", 2, 3, append("b"), number(1))
                .did("bob", 4, 5, READ, counted(1))
                .did("bob", 6, 7, READ, counted(2))
                .did("bob", 8, 9, append("c"), number(3))
                .canBe();
    }

    @Test
    void aReaderWhoseAnswerIsLostTellsNothing() {
        told.lost("carl", 1, READ)
                .did("anna", 2, 3, append("a"), number(1))
                .lost("carl", 4, READ)
                .did("carl", 5, 6, READ, counted(1))
                .canBe();
    }

    // What can't be.

    @Test
    void aNumberIsGivenTwice() {
        told.did("anna", 1, 10, append("a"), number(1))
                .did("bob", 2, 9, append("b"), number(1))
                .cannotBe();
    }

    @Test
    void aNumberIsLeftOut() {
        told.did("anna", 1, 2, append("a"), number(1))
                .did("bob", 3, 4, append("b"), number(3))
                .cannotBe();
    }

    @Test
    void whatWasAcknowledgedIsNotCounted() {
        told.did("anna", 1, 10, append("a"), number(1))
                .did("bob", 2, 9, append("b"), number(2))
                .did("carl", 11, 12, READ, counted(1))
                .cannotBe();
    }

    @Test
    void theCountGoesBack() {
        told.did("anna", 1, 20, append("a"), number(1))
                .did("carl", 2, 3, READ, counted(1))
                .did("carl", 4, 5, READ, counted(0))
                .cannotBe();
    }

    @Test
    void somethingIsCountedThatNobodyAppended() {
        told.did("anna", 1, 10, append("a"), number(1))
                .did("carl", 2, 9, READ, counted(2))
                .cannotBe();
    }

    @Test
    void somethingIsCountedBeforeItIsAppended() {
        told.did("carl", 1, 2, READ, counted(1))
                .did("anna", 3, 4, append("a"), number(1))
                .cannotBe();
    }

    @Test
    void theOneThatCameLaterGotTheSmallerNumber() {
        told.did("anna", 1, 2, append("a"), number(2))
                .did("bob", 3, 4, append("b"), number(1))
                .cannotBe();
    }

    @Test
    void aThirdOneThatOverlapsBothDoesNotExcuseTheirOrder() {
        told.did("carl", 1, 20, append("c"), number(2))
                .did("anna", 2, 3, append("a"), number(3))
                .did("bob", 4, 5, append("b"), number(1))
                .cannotBe();
    }

    @Test
    void aRepetitionIsToldAnotherNumber() {
        told.did("anna", 1, 2, append("a"), number(1))
                .did("bob", 3, 4, append("b"), number(2))
                .did("anna", 5, 6, append("a"), duplicate(2))
                .cannotBe();
    }

    @Test
    void aRepetitionIsAppendedAgain() {
        told.did("anna", 1, 2, append("a"), number(1))
                .did("anna", 3, 4, append("a"), number(2))
                .cannotBe();
    }

    @Test
    void aLostOneIsCountedBeforeItIsInvoked() {
        told.did("carl", 1, 2, READ, counted(1)).lost("anna", 3, append("a")).cannotBe();
    }

    @Test
    void aLostOneIsCountedTwice() {
        told.lost("anna", 1, append("a"))
                .did("carl", 2, 3, READ, counted(1))
                .did("carl", 4, 5, READ, counted(2))
                .cannotBe();
    }

    @Test
    void aLostOneIsCountedAndThenGone() {
        told.lost("anna", 1, append("a"))
                .did("carl", 2, 3, READ, counted(1))
                .did("bob", 4, 5, append("b"), number(1))
                .cannotBe();
    }

    @Test
    void oneLostOneDoesNotExcuseTwoGaps() {
        told.lost("anna", 1, append("a"))
                .did("bob", 2, 3, append("b"), number(2))
                .did("bob", 4, 5, append("c"), number(4))
                .cannotBe();
    }
}
