package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.APPROVED;
import static dev.flowstone.kernel.story.Asks.REJECTED;
import static dev.flowstone.kernel.story.Asks.changed;
import static dev.flowstone.kernel.story.Asks.decide;
import static dev.flowstone.kernel.story.Asks.on;
import static dev.flowstone.kernel.story.Asks.own;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Drift;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R15: decisions are for a version of the subject, and are used once. */
final class SubjectStoryTest {
    private static Asks two(Drift drift) {
        return Asks.of("ask", "ann", "bob").quorum(new Quorum.All()).drift(drift);
    }

    /** Asked, then used by a gate; rejected leads back. */
    private static Programs gated() {
        return gated(Retry.NONE);
    }

    private static Programs gated(Retry retry) {
        return Programs.flow()
                .node(Asks.of("ask", "ann"))
                .node(Asks.gate("gate", "ask", retry))
                .end("yes")
                .edge("start", "ask")
                .on(APPROVED, "ask", "gate")
                .on(REJECTED, "ask", "ask")
                .edge("gate", "yes");
    }

    @Test
    void aDecisionForAnotherVersionIsRefused() {
        Story story = Story.of(Asks.flow(two(Drift.GO_ON)))
                .start()
                .accepted(own(3))
                .by("ann")
                .rejected(RejectionCode.STALE_SUBJECT_VERSION, on(2, "ask#1", APPROVED))
                .rejected(RejectionCode.STALE_SUBJECT_VERSION, on(4, "ask#1", APPROVED))
                .rejected(RejectionCode.STALE_SUBJECT_VERSION, decide("ask#1", APPROVED))
                .accepted(on(3, "ask#1", APPROVED));

        assertEquals(
                Optional.of(3L),
                story.all(HumanEvent.HumanDecided.class).getFirst().subjectVersion());
    }

    @Test
    void aRunWithoutASubjectKnowsNoVersion() {
        Story.of(Asks.flow(two(Drift.GO_ON)))
                .start()
                .by("ann")
                .rejected(RejectionCode.STALE_SUBJECT_VERSION, on(1, "ask#1", APPROVED))
                .accepted(decide("ask#1", APPROVED));
    }

    @Test
    void aChangeByThisRunAdvancesThePinAndDecisionsStay() {
        Story story = Story.of(Asks.flow(two(Drift.FAIL)))
                .start()
                .accepted(own(1))
                .by("ann")
                .accepted(on(1, "ask#1", APPROVED))
                .accepted(own(2))
                .ignored(on(1, "ask#1", APPROVED))
                .by("bob")
                .rejected(RejectionCode.STALE_SUBJECT_VERSION, on(1, "ask#1", APPROVED))
                .accepted(on(2, "ask#1", APPROVED));

        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(List.of(), story.all(HumanEvent.DecisionsVoided.class));
    }

    @Test
    void driftVoidsDecisionsAndAsksAnew() {
        Story story = Story.of(Asks.flow(two(Drift.GO_ON)))
                .start()
                .accepted(own(1))
                .by("ann")
                .accepted(on(1, "ask#1", APPROVED))
                .accepted(changed(2));
        assertEquals(List.of("SubjectChanged", "DecisionsVoided"), story.lastKinds());
        assertEquals(List.of(), story.state().humanTasks().getFirst().task().decisions());

        story.by("bob").accepted(on(2, "ask#1", APPROVED)).by("ann").accepted(on(2, "ask#1", APPROVED));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void driftFailsATaskThatSaysSo() {
        Story story =
                Story.of(Asks.flow(two(Drift.FAIL))).start().accepted(own(1)).accepted(changed(2));

        assertEquals(RunStatus.FAILED, story.status());
        assertEquals(
                "WORKFLOW_VERSION_DRIFT",
                story.all(EventBody.TaskFailed.class).getFirst().error().code());
    }

    @Test
    void driftLeavesByAnEdgeOfItsOwn() {
        Story story = Story.of(Asks.flow(two(Drift.EXIT))
                        .task("amend")
                        .on(Outcome.DRIFT, "ask", "amend")
                        .edge("amend", "ask"))
                .start()
                .accepted(own(1))
                .by("ann")
                .accepted(on(1, "ask#1", APPROVED))
                .accepted(changed(2));

        assertEquals(List.of("amend"), story.open());
        story.ok("amend").rejected(RejectionCode.STALE_ACTIVATION, on(2, "ask#1", APPROVED));
        story.accepted(on(2, "ask#2", APPROVED));
    }

    @Test
    void anOlderVersionIsRefusedTheKnownOneChangesNothing() {
        Story.of(Asks.flow(two(Drift.FAIL)))
                .start()
                .rejected(RejectionCode.INVALID_COMMAND, changed(-1))
                .accepted(own(5))
                .ignored(changed(5))
                .ignored(own(5))
                .rejected(RejectionCode.CONFLICT, changed(4));
    }

    /** R5: the key of what is opened later says for which version it was. */
    @Test
    void theKeyOfAnActivationDependsOnTheVersion() {
        Story plain = Story.of(gated()).start().by("ann").accepted(decide("ask#1", APPROVED));
        Story bound = Story.of(gated()).start().accepted(own(1)).by("ann").accepted(on(1, "ask#1", APPROVED));
        Story other = Story.of(gated()).start().accepted(own(2)).by("ann").accepted(on(2, "ask#1", APPROVED));

        assertNotEquals(key(plain), key(bound));
        assertNotEquals(key(other), key(bound));
    }

    private static String key(Story story) {
        return story.state().openAttempts().getFirst().key().toString();
    }

    @Test
    void aGateAppliesTheDecisionWhenItCompletes() {
        Story story = Story.of(gated()).start().by("ann").accepted(decide("ask#1", APPROVED));
        assertEquals(List.of(), story.all(HumanEvent.DecisionApplied.class));

        story.ok("gate");
        assertEquals(
                List.of("TaskCompleted", "DecisionApplied"), story.lastKinds().subList(0, 2));
        assertEquals(
                ActivationId.parse("ask#1"),
                story.all(HumanEvent.DecisionApplied.class).getFirst().decided());
    }

    @Test
    void anAppliedDecisionCannotBeUsedAgain() {
        Story story = Story.of(Programs.flow()
                        .node(Asks.of("ask", "ann"))
                        .node(Asks.gate("gate", "ask"))
                        .node(Asks.gate("again", "ask"))
                        .end("yes")
                        .edge("start", "ask")
                        .on(APPROVED, "ask", "gate")
                        .edge("gate", "again")
                        .edge("again", "yes"))
                .start()
                .by("ann")
                .accepted(decide("ask#1", APPROVED))
                .ok("gate");

        assertEquals(RunStatus.FAILED, story.status());
        assertEquals(
                "NO_DECISION",
                story.all(EventBody.TaskFailed.class).getFirst().error().code());
        assertEquals(1, story.all(EventBody.TaskScheduled.class).size(), "it was never handed out");
    }

    @Test
    void aGateUsesTheNewestDecision() {
        Story story = Story.of(gated())
                .start()
                .by("ann")
                .accepted(decide("ask#1", REJECTED))
                .accepted(decide("ask#2", APPROVED))
                .ok("gate");

        assertEquals(
                ActivationId.parse("ask#2"),
                story.all(HumanEvent.DecisionApplied.class).getFirst().decided());
    }

    @Test
    void driftVoidsDecisionsThatNoGateHasUsedYet() {
        Story story = Story.of(gated())
                .start()
                .accepted(own(1))
                .by("ann")
                .accepted(on(1, "ask#1", APPROVED))
                .accepted(changed(2));
        assertEquals(List.of("SubjectChanged", "DecisionsVoided"), story.lastKinds());

        story.ok("gate");
        assertEquals(
                List.of("EffectObserved", "TaskFailed"),
                story.lastKinds().subList(0, 2),
                "its effect is not forgotten");
        assertEquals(
                "NO_DECISION",
                story.all(EventBody.TaskFailed.class).getFirst().error().code());
        assertEquals(RunStatus.FAILED, story.status());
    }

    /** The fault simulator found a run that waited for ever for an answer that it refused. */
    @Test
    void anAttemptIsHeardThoughTheOneBeforeHasSettledItsGate() {
        ActivationId gate = ActivationId.parse("gate#1");
        TaskAnswer late = new TaskAnswer.Ok(Payload.of(JsonNumber.of(1)));
        Story story = Story.of(gated(new Retry(2, Duration.ZERO, 1, Duration.ZERO, false)))
                .start()
                .accepted(own(1))
                .by("ann")
                .accepted(on(1, "ask#1", APPROVED))
                .answer("gate", new TaskAnswer.Lost())
                .accepted(changed(2))
                .accepted(new Command.CompleteTask(gate, 1, late));
        assertEquals(1, story.state().openAttempts().size(), "the second attempt goes on");

        story.accepted(new Command.CompleteTask(gate, 2, new TaskAnswer.Ok(Payload.of(JsonNumber.of(2)))));
        assertEquals(2, story.all(EventBody.EffectObserved.class).size(), "its effect is real, too");
        assertEquals(List.of(), story.state().openAttempts());
        assertEquals(RunStatus.FAILED, story.status());
    }

    @Test
    void aChangeByThisRunLeavesDecisionsToBeUsed() {
        Story story = Story.of(gated())
                .start()
                .accepted(own(1))
                .by("ann")
                .accepted(on(1, "ask#1", APPROVED))
                .accepted(own(2))
                .ok("gate");

        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** What a slot decided is still there for a gate behind it, and is gone with the scope that keeps it. */
    @Test
    void aDecisionOutlivesTheSlotThatItWasMadeIn() {
        Story story = Story.of(Programs.flow()
                        .node(Asks.gate("gate", "ask"))
                        .end("end")
                        .settlingScope("slot", "ask", "out", "gate")
                        .node(Asks.of("ask", "ann"))
                        .task("out")
                        .on(APPROVED, "ask", "out")
                        .edge("out", "gate")
                        .edge("start", "ask")
                        .edge("gate", "end"))
                .start()
                .by("ann")
                .accepted(decide("ask#1", APPROVED))
                .ok("out")
                .ok("gate");

        assertEquals(1, story.all(HumanEvent.DecisionApplied.class).size());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    private static Story gatedInASlot() {
        return Story.of(Programs.flow()
                        .task("between")
                        .settlingScope("slot", "ask", "gate", "between")
                        .node(Asks.of("ask", "ann"))
                        .node(Asks.gate("gate", "ask"))
                        .on(APPROVED, "ask", "gate")
                        .on(REJECTED, "ask", "between")
                        .edge("gate", "between")
                        .edge("start", "ask")
                        .edge("between", "ask"))
                .start();
    }

    @Test
    void aDecisionInASlotIsUsedThereAlsoAfterASnapshot() {
        Story story = gatedInASlot()
                .by("ann")
                .accepted(decide("ask#1", APPROVED))
                .restored()
                .ok("gate");

        assertEquals(1, story.all(HumanEvent.DecisionApplied.class).size());
    }

    @Test
    void aDecisionKeptInASlotIsGoneWithIt() {
        Story story = gatedInASlot().by("ann").accepted(decide("ask#1", REJECTED));

        assertTrue(story.state().toJson().find("verdicts").isEmpty(), "it went with its slot");
        assertEquals(List.of("between"), story.open());
    }

    @Test
    void aGateOfWhatIsNoHumanTaskIsRefused() {
        List<ProgramFault.Code> codes = ProgramCheck.faults(Programs.dag()
                        .node(Asks.gate("gate", "nobody"))
                        .node(Asks.gate("other", "gate"))
                        .edge("start", "gate")
                        .edge("gate", "other")
                        .build())
                .stream()
                .map(ProgramFault::code)
                .toList();

        assertEquals(List.of(ProgramFault.Code.INVALID_GATE, ProgramFault.Code.INVALID_GATE), codes);
    }

    /** R4: however many tasks are open, one decision does only so much; nothing slips through in between. */
    @Test
    void aChangeIsDealtWithOverSeveralDecisions() {
        Programs program = Programs.dag();
        for (int i = 0; i < 20; i++) {
            program.node(Asks.of("ask" + i, "ann").drift(i % 2 == 0 ? Drift.GO_ON : Drift.FAIL))
                    .task("mend" + i)
                    .edge("start", "ask" + i)
                    .on(Outcome.FAILURE, "ask" + i, "mend" + i);
        }
        Story story = Story.of(program)
                .with(new Bounds(5, 100, 1 << 20, 1 << 15, 5_000_000))
                .start()
                .goOn()
                .accepted(own(1))
                .accepted(changed(2));
        assertTrue(story.state().continues());
        story.restored();

        story.by("ann")
                .rejected(RejectionCode.STALE_SUBJECT_VERSION, on(1, "ask8#1", APPROVED))
                .rejected(RejectionCode.CONFLICT, on(2, "ask9#1", APPROVED))
                .accepted(on(2, "ask8#1", APPROVED));
        story.accepted(changed(3)).goOn();

        assertEquals(9, story.state().humanTasks().size());
        assertEquals(10, story.open().size());
        assertEquals(29, story.all(HumanEvent.DecisionsVoided.class).size(), "20 for version 2, 9 for version 3");
    }

    @Test
    void nothingChangesAfterTheEnd() {
        Story.of(Asks.flow(Asks.of("ask", "ann")))
                .start()
                .by("ann")
                .accepted(decide("ask#1", APPROVED))
                .rejected(RejectionCode.INVALID_STATE, changed(2))
                .ignored(new Command.ContinueRun());
    }
}
