package dev.flowstone.testkit.history;

import dev.flowstone.testkit.history.DecisionModel.Answer;
import dev.flowstone.testkit.history.DecisionModel.Ask;
import dev.flowstone.testkit.history.DecisionModel.Choice;
import org.junit.jupiter.api.Test;

/** Histories of one open question: those that must hold, and those that mustn't. */
final class DecisionHistoryTest {
    private static final Target RUN = new Target("run");
    private static final Choice YES = new Choice("yes");
    private static final Choice NO = new Choice("no");
    private static final Ask READ = new Ask.Read(RUN);
    private static final Answer UNDECIDED = new Answer.Undecided();

    private final Told<DecisionModel.State, Ask, Answer> told = new Told<>(new DecisionModel());

    private static Ask decide(String request, Choice choice) {
        return new Ask.Decide(RUN, new RequestId(request), choice);
    }

    private static Answer accepted(long sequence) {
        return new Answer.Accepted(sequence);
    }

    private static Answer duplicate(long sequence) {
        return new Answer.Duplicate(sequence);
    }

    private static Answer already(Choice choice) {
        return new Answer.AlreadyDecided(choice);
    }

    private static Answer decided(Choice choice) {
        return new Answer.Decided(choice);
    }

    // What can be.

    @Test
    void nothingAtAllCanBe() {
        told.canBe();
    }

    @Test
    void aDecisionIsReadFromThenOn() {
        told.did("bob", 1, 2, READ, UNDECIDED)
                .did("anna", 3, 4, decide("a", YES), accepted(7))
                .did("bob", 5, 6, READ, decided(YES))
                .did("carl", 7, 8, decide("c", NO), already(YES))
                .did("dora", 9, 10, decide("d", YES), new Answer.TooLate())
                .canBe();
    }

    @Test
    void whileADecisionIsUnderWayAReaderMaySeeItOrNot() {
        told.did("anna", 1, 10, decide("a", YES), accepted(7))
                .did("bob", 2, 3, READ, UNDECIDED)
                .did("bob", 4, 5, READ, decided(YES))
                .did("carl", 2, 9, READ, UNDECIDED)
                .canBe();
    }

    @Test
    void ofTwoDecisionsAtOnceTheLaterOneMayWin() {
        told.did("anna", 1, 10, decide("a", YES), already(NO))
                .did("bob", 2, 9, decide("b", NO), accepted(7))
                .did("carl", 11, 12, READ, decided(NO))
                .canBe();
    }

    @Test
    void whatComesAgainIsToldTheSame() {
        told.did("anna", 1, 2, decide("a", YES), accepted(7))
                .did("bob", 3, 4, decide("b", NO), already(YES))
                .did("anna", 5, 6, decide("a", YES), duplicate(7))
                .did("bob", 7, 8, decide("b", NO), already(YES))
                .did("anna", 9, 10, decide("a", NO), new Answer.OtherRequest())
                .canBe();
    }

    @Test
    void whatIsSentTwiceAtOnceIsAcceptedOnceWhicheverOfThemItIs() {
        told.did("anna", 1, 10, decide("a", YES), duplicate(7))
                .did("anna", 2, 3, decide("a", YES), accepted(7))
                .did("anna", 4, 9, decide("a", YES), duplicate(7))
                .canBe();
    }

    @Test
    void aLostDecisionMayHaveBeenMade() {
        told.lost("anna", 1, decide("a", YES))
                .did("bob", 2, 3, READ, decided(YES))
                .did("bob", 4, 5, decide("b", NO), already(YES))
                .canBe();
    }

    @Test
    void aLostDecisionMayNeverHaveBeenMade() {
        told.lost("anna", 1, decide("a", YES))
                .did("bob", 2, 3, READ, UNDECIDED)
                .did("bob", 4, 5, decide("b", NO), accepted(7))
                .did("bob", 6, 7, READ, decided(NO))
                .canBe();
    }

    @Test
    void aLostDecisionMayBeMadeLongAfterwards() {
        told.lost("anna", 1, decide("a", YES))
                .did("bob", 2, 3, READ, UNDECIDED)
                .did("bob", 100, 101, READ, UNDECIDED)
                .did("bob", 200, 201, READ, decided(YES))
                .canBe();
    }

    @Test
    void whoRepeatsALostDecisionMayBeTheFirst() {
        told.lost("anna", 1, decide("a", YES))
                .did("anna", 5, 6, decide("a", YES), accepted(7))
                .did("anna", 7, 8, decide("a", YES), duplicate(7))
                .canBe();
    }

    @Test
    void whoRepeatsALostDecisionMayHearThatItWasMade() {
        told.lost("anna", 1, decide("a", YES))
                .did("anna", 5, 6, decide("a", YES), duplicate(7))
                .did("anna", 7, 8, decide("a", YES), duplicate(7))
                .canBe();
    }

    @Test
    void ofTwoLostDecisionsOneIsSeen() {
        told.lost("anna", 1, decide("a", YES))
                .lost("bob", 2, decide("b", NO))
                .did("carl", 3, 4, READ, decided(NO))
                .did("dora", 3, 4, READ, UNDECIDED)
                .did("carl", 5, 6, decide("c", YES), already(NO))
                .canBe();
    }

    // What can't be.

    @Test
    void aReaderComesAfterwardsAndDoesNotSeeTheDecision() {
        told.did("anna", 1, 2, decide("a", YES), accepted(7))
                .did("bob", 3, 4, READ, UNDECIDED)
                .cannotBe();
    }

    @Test
    void twoDecisionsAreAccepted() {
        told.did("anna", 1, 10, decide("a", YES), accepted(7))
                .did("bob", 2, 9, decide("b", NO), accepted(8))
                .cannotBe();
    }

    @Test
    void twoDecisionsForTheSameAreAccepted() {
        told.did("anna", 1, 10, decide("a", YES), accepted(7))
                .did("bob", 2, 9, decide("b", YES), accepted(7))
                .cannotBe();
    }

    @Test
    void aReaderSeesTheDecisionAndThenNoneThoughItIsStillUnderWay() {
        told.did("anna", 1, 20, decide("a", YES), accepted(7))
                .did("bob", 2, 3, READ, decided(YES))
                .did("bob", 4, 5, READ, UNDECIDED)
                .cannotBe();
    }

    @Test
    void oneReaderSeesTheDecisionAndThenAnotherOneDoesNot() {
        told.did("anna", 1, 20, decide("a", YES), accepted(7))
                .did("bob", 2, 3, READ, decided(YES))
                .did("carl", 4, 5, READ, UNDECIDED)
                .cannotBe();
    }

    @Test
    void aRepetitionIsToldAnotherSequence() {
        told.did("anna", 1, 2, decide("a", YES), accepted(7))
                .did("anna", 3, 4, decide("a", YES), duplicate(8))
                .cannotBe();
    }

    @Test
    void aRepetitionIsAcceptedAgain() {
        told.did("anna", 1, 2, decide("a", YES), accepted(7))
                .did("anna", 3, 4, decide("a", YES), accepted(7))
                .cannotBe();
    }

    @Test
    void aRepetitionIsRefusedThoughItWasAccepted() {
        told.did("anna", 1, 2, decide("a", YES), accepted(7))
                .did("anna", 3, 4, decide("a", YES), already(YES))
                .cannotBe();
    }

    @Test
    void aRequestIsADuplicateThoughItNeverCameBefore() {
        told.did("anna", 1, 2, decide("a", YES), accepted(7))
                .did("bob", 3, 4, decide("b", YES), duplicate(7))
                .cannotBe();
    }

    @Test
    void aRequestIsCalledAnotherOneThoughNobodyUsedItsId() {
        told.did("anna", 1, 2, decide("a", YES), accepted(7))
                .did("bob", 3, 4, decide("b", NO), new Answer.OtherRequest())
                .cannotBe();
    }

    @Test
    void itIsDecidedBeforeAnybodyDecides() {
        told.did("bob", 1, 2, decide("b", NO), already(YES))
                .did("anna", 3, 4, decide("a", YES), accepted(7))
                .cannotBe();
    }

    @Test
    void itIsTooLateBeforeAnybodyDecides() {
        told.did("bob", 1, 2, decide("b", NO), new Answer.TooLate())
                .did("anna", 3, 4, decide("a", YES), accepted(7))
                .cannotBe();
    }

    @Test
    void aReaderSeesADecisionThatComesLater() {
        told.did("bob", 1, 2, READ, decided(YES))
                .did("anna", 3, 4, decide("a", YES), accepted(7))
                .cannotBe();
    }

    @Test
    void whoIsRefusedIsToldTheChoiceThatLost() {
        told.did("anna", 1, 10, decide("a", YES), accepted(7))
                .did("bob", 2, 9, decide("b", NO), already(NO))
                .cannotBe();
    }

    @Test
    void aReaderSeesTheChoiceThatLost() {
        told.did("anna", 1, 10, decide("a", YES), accepted(7))
                .did("bob", 2, 9, decide("b", NO), already(YES))
                .did("carl", 3, 4, READ, decided(NO))
                .cannotBe();
    }

    @Test
    void allAreRefusedAndNobodyWasAccepted() {
        told.did("anna", 1, 10, decide("a", YES), already(NO))
                .did("bob", 2, 9, decide("b", NO), already(YES))
                .cannotBe();
    }

    @Test
    void theOneThatWasOverFirstIsRefusedForTheOneThatBeganLater() {
        told.did("anna", 1, 2, decide("a", YES), new Answer.TooLate())
                .did("bob", 3, 4, decide("b", NO), accepted(7))
                .did("carl", 5, 6, READ, decided(NO))
                .cannotBe();
    }

    @Test
    void aLostDecisionIsSeenBeforeItIsInvoked() {
        told.did("bob", 1, 2, READ, decided(YES))
                .lost("anna", 3, decide("a", YES))
                .cannotBe();
    }

    @Test
    void aLostDecisionIsSeenAndThenAnotherOneIsAccepted() {
        told.lost("anna", 1, decide("a", YES))
                .did("carl", 2, 3, READ, decided(YES))
                .did("bob", 4, 5, decide("b", NO), accepted(7))
                .cannotBe();
    }

    @Test
    void twoLostDecisionsAreBothSeen() {
        told.lost("anna", 1, decide("a", YES))
                .lost("bob", 2, decide("b", NO))
                .did("carl", 3, 4, READ, decided(YES))
                .did("carl", 5, 6, READ, decided(NO))
                .cannotBe();
    }

    @Test
    void aLostDecisionIsToldUnderTwoSequences() {
        told.lost("anna", 1, decide("a", YES))
                .did("anna", 5, 6, decide("a", YES), duplicate(7))
                .did("anna", 7, 8, decide("a", YES), duplicate(8))
                .cannotBe();
    }

    @Test
    void aLostDecisionIsSeenAndItsRepetitionIsAccepted() {
        told.lost("anna", 1, decide("a", YES))
                .did("bob", 2, 3, READ, decided(YES))
                .did("anna", 5, 6, decide("a", YES), accepted(7))
                .cannotBe();
    }

    @Test
    void somebodyElsesLostChoiceIsTold() {
        told.lost("anna", 1, decide("a", YES))
                .did("bob", 2, 3, decide("b", NO), already(NO))
                .cannotBe();
    }
}
