package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.ControlEvent.RunSuspended;
import dev.flowstone.kernel.event.MessageEvent.ChildControlled;
import dev.flowstone.kernel.event.MessageEvent.ChildEnded;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.message.Message.Ended;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R22 and R25 together, case 14: what operators do to a run reaches the whole tree, and nothing of it is orphaned. */
final class ControlTreeTest {
    private static final Command TERMINATE = new ControlCommand.TerminateRun("now");
    private static final Command CANCEL =
            new ControlCommand.CancelRun("enough", ControlCommand.Undo.RUN, Optional.empty());
    private static final Command SUSPEND = new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run");
    private static final Command RESUME = new ControlCommand.ResumeRun("done");

    private final Post post = new Post();

    private Party tree() {
        return tree(ChildPolicy.CASCADE);
    }

    /** A run that calls one that calls one that works; each also has something undoable behind it. */
    private Party tree(ChildPolicy policy) {
        ChildPolicies policies = new ChildPolicies(policy, policy, policy, ChildPolicy.CASCADE);
        post.published(
                Programs.dag().named("leaf").task("work").edge("start", "work").build());
        post.published(Programs.dag()
                .named("middle")
                .undoable("done")
                .call("call", "leaf", true, Optional.empty(), policies)
                .chain("start", "done", "call")
                .build());
        return post.start(Programs.dag()
                .named("top")
                .call("call", "middle", true, Optional.empty(), policies)
                .task("after")
                .edge("start", "call")
                .on(Outcome.CANCELED, "call", "after"));
    }

    private Party childOf(Party parent) {
        return post.party(parent.all(ChildStarted.class).getLast().child());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void aTerminatedTreeEndsWhereverItsMessagesAre(int delivered) {
        Party top = tree();
        int left = delivered;
        while (left > 0 && post.deliverOne(null)) {
            left--;
            post.parties().stream()
                    .filter(party -> party.state().openAttempts().stream()
                            .anyMatch(open -> open.activation().node().value().equals("done")))
                    .forEach(party -> post.ok(party, "done"));
        }
        post.accepted(top, TERMINATE);
        assertEquals(RunStatus.TERMINATED, top.status());

        post.deliver();

        for (Party party : post.parties()) {
            assertEquals(RunStatus.TERMINATED, party.status(), party.tale());
        }
    }

    /** Bounds of one piece of work a decision, letters in any order and twice, the operator at any moment. */
    @Test
    void nothingIsOrphanedWheneverTheTreeIsTerminated() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed * 0x9e3779b97f4a7c15L);
            Post office = new Post().with(new Bounds(1 + random.nextInt(2), 20, 1 << 20, 1 << 15, 5_000_000));
            office.published(
                    Programs.dag().named("c").task("work").edge("start", "work").build());
            office.published(Programs.dag()
                    .named("b")
                    .call("call", "c")
                    .spawn("side", "c")
                    .edge("start", "call")
                    .edge("start", "side")
                    .build());
            Party top = office.start(Programs.dag().named("a").call("call", "b").edge("start", "call"));
            for (int steps = random.nextInt(25); steps > 0; steps--) {
                step(office, random);
            }
            if (!top.status().isFinal()) {
                office.accepted(top, TERMINATE);
            }
            for (int steps = 0; steps < 400; steps++) {
                step(office, random);
            }
            office.parties().forEach(party -> goOn(office, party));
            office.deliver();
            for (Party party : office.parties()) {
                assertTrue(party.status().isFinal(), "seed " + seed + "\n" + party.tale());
            }
        }
    }

    private static void step(Post office, Random random) {
        if (random.nextBoolean()) {
            office.deliverOne(random);
        } else {
            List<Party> parties = office.parties();
            Party party = parties.get(random.nextInt(parties.size()));
            if (party.state().continues()) {
                office.accepted(party, new Command.ContinueRun());
            }
        }
    }

    private static void goOn(Post office, Party party) {
        while (party.state().continues()) {
            office.accepted(party, new Command.ContinueRun());
        }
    }

    @Test
    void aCanceledTreeUndoesWhatEachOfItHasDone() {
        Party top = tree();
        post.deliver();
        Party middle = childOf(top);
        post.ok(middle, "done");
        post.deliver();
        Party leaf = childOf(middle);

        post.accepted(top, CANCEL);
        post.deliver();

        assertEquals(RunStatus.CANCELED, top.status());
        assertEquals(RunStatus.COMPENSATING, middle.status());
        assertEquals(RunStatus.CANCELING, leaf.status(), "its attempt is still out");
        post.answer(middle, "done#-1", new TaskAnswer.Ok(Payload.of(JsonNull.NULL)));
        post.ok(leaf, "work");
        assertEquals(RunStatus.CANCELED, middle.status());
        assertEquals(RunStatus.CANCELED, leaf.status());
    }

    @Test
    void aChildThatIsCanceledByItselfCancelsItsCall() {
        Party top = tree();
        post.deliver();
        Party middle = childOf(top);
        post.accepted(middle, TERMINATE);
        post.deliver();

        ChildEnded ended = top.all(ChildEnded.class).getFirst();
        assertEquals(Ended.CANCELED, ended.ended());
        assertEquals("CHILD_TERMINATED", ended.error().orElseThrow().code());
        post.ok(top, "after");
        assertEquals(RunStatus.SUCCEEDED, top.status());
    }

    @Test
    void aRunWaitsForAChildThatMayCompleteFirst() {
        Party top = tree(ChildPolicy.COMPLETE_THEN_CANCEL);
        post.deliver();
        Party middle = childOf(top);
        post.ok(middle, "done");
        post.deliver();
        Party leaf = childOf(middle);

        post.accepted(top, CANCEL);
        post.deliver();
        assertEquals(RunStatus.CANCELING, top.status());
        assertEquals(RunStatus.RUNNING, middle.status());

        post.ok(leaf, "work");
        post.deliver();
        assertEquals(RunStatus.SUCCEEDED, middle.status());
        assertEquals(RunStatus.CANCELED, top.status());
    }

    @Test
    void aDetachedChildGoesOnAlone() {
        Party top = tree(ChildPolicy.DETACH);
        post.deliver();
        Party middle = childOf(top);
        post.accepted(top, TERMINATE);
        post.deliver();

        assertEquals(RunStatus.TERMINATED, top.status());
        assertEquals(RunStatus.RUNNING, middle.status());
        assertTrue(middle.state().parentage().orElseThrow().detached());
    }

    @Test
    void suspendingReachesTheTreeAndResumingToo() {
        Party top = tree();
        post.deliver();
        Party middle = childOf(top);
        post.ok(middle, "done");
        post.deliver();
        Party leaf = childOf(middle);

        post.accepted(top, SUSPEND);
        post.deliver();
        assertEquals(List.of(Hold.SUSPENDED, Hold.SUSPENDED, Hold.SUSPENDED), holds(top, middle, leaf));
        post.ok(leaf, "work");
        assertEquals(List.of("InputBuffered"), leaf.lastKinds());

        post.accepted(top, RESUME);
        post.deliver();
        assertEquals(List.of(Hold.NONE, Hold.NONE, Hold.NONE), holds(top, middle, leaf));
        assertEquals(RunStatus.SUCCEEDED, top.status());
    }

    /** What the child's own program declares, whatever the operator wanted of its parent. */
    @Test
    void aChildIsSuspendedAsItsProgramDeclares() {
        JsonObject strict = JsonObject.builder()
                .put("suspend", JsonObject.builder().put("inbox", "reject").build())
                .build();
        post.published(Programs.dag()
                .named("strict")
                .metadata(strict)
                .task("work")
                .edge("start", "work")
                .build());
        Party top =
                post.start(Programs.dag().named("top").call("call", "strict").edge("start", "call"));
        post.deliver();

        post.accepted(top, SUSPEND);
        post.deliver();

        assertEquals(
                HoldPolicy.InputRule.REJECT,
                childOf(top).all(RunSuspended.class).getFirst().policy().input());
        assertEquals(HoldPolicy.DEFAULT, top.all(RunSuspended.class).getFirst().policy());
    }

    @Test
    void whatAnOperatorHasSuspendedStaysSoWhenTheParentGoesOn() {
        Party top = tree();
        post.deliver();
        Party middle = childOf(top);
        post.accepted(middle, SUSPEND);
        post.accepted(top, SUSPEND);
        post.deliver();
        post.accepted(top, RESUME);
        post.deliver();

        assertEquals(Hold.SUSPENDED, middle.state().hold());
        assertEquals(2, top.all(ChildControlled.class).size());
    }

    /** A parent takes back what it did itself. A hold of the tenant reaches each run without its parent's doing. */
    @Test
    void aParentsResumeLeavesItsChildToWhatHoldsTheTenant() {
        Party top = tree();
        post.deliver();
        Party middle = childOf(top);
        post.accepted(middle, WideHolds.heed(WideHolds.suspend(1, 0)));
        assertEquals(List.of(), middle.all(ChildControlled.class));
        post.accepted(top, SUSPEND);
        post.deliver();
        assertEquals(
                "run/" + top.id(), middle.state().suspension().orElseThrow().scope());

        post.accepted(top, RESUME);
        post.deliver();

        assertEquals(Hold.NONE, top.state().hold());
        assertEquals("tenant/acme", middle.state().suspension().orElseThrow().scope());
        post.accepted(middle, WideHolds.heed(WideHolds.go(2, 1)));
        assertEquals(Hold.NONE, middle.state().hold());
    }

    /** Nobody would answer a call whose child was refused: it begins, and stands still. */
    @Test
    void aChildIsBornHeldEvenWhereInputIsRefused() {
        Party top = tree();
        post.bornUnder(WideHolds.suspend(1, 0, WideHolds.REJECT));
        post.deliver();

        Party middle = childOf(top);

        assertEquals(Hold.SUSPENDED, middle.state().hold());
        assertEquals(List.of(), middle.state().openAttempts());
        post.accepted(middle, WideHolds.heed(WideHolds.go(2, 1)));
        assertEquals(1, middle.state().openAttempts().size());
    }

    /** What a child says is kept while its parent stands still, once however often it comes. */
    @Test
    void aSuspendedParentHearsItsChildLater() {
        Party top = tree(ChildPolicy.FENCE_PARENT_ONLY);
        post.deliver();
        Party middle = childOf(top);
        post.accepted(top, SUSPEND);
        post.deliver();
        assertEquals(Hold.NONE, middle.state().hold());
        post.ok(middle, "done");
        post.deliver();
        post.ok(childOf(middle), "work");
        post.deliver();
        assertEquals(List.of("MessageReceived", "InputBuffered"), top.lastKinds());
        post.deliverOne(new Random(3));
        assertEquals(1, top.state().buffered());

        post.later(Duration.ofDays(1)).accepted(top, RESUME);
        assertEquals(1, top.all(ChildEnded.class).size());
        assertEquals(RunStatus.SUCCEEDED, top.status());
    }

    /** The fault simulator found a call that waited for a child which had been let go. */
    @Test
    void aChildThatIsWaitedForIsNotLetGoByASuspension() {
        Party top = tree(ChildPolicy.DETACH);
        post.deliver();
        Party middle = childOf(top);
        post.accepted(top, SUSPEND);
        post.deliver();
        post.ok(middle, "done");
        post.deliver();
        post.ok(childOf(middle), "work");
        post.deliver();

        post.accepted(top, RESUME);
        assertEquals(RunStatus.SUCCEEDED, top.status());
    }

    @Test
    void aChildThatASuspensionCancelsIsHeardWhenItsParentGoesOn() {
        Party top = tree(ChildPolicy.CANCEL_CHILDREN);
        post.deliver();
        Party middle = childOf(top);
        post.accepted(top, SUSPEND);
        post.deliver();
        post.answer(middle, "done#1", Story.failed(FailureClass.PERMANENT));
        post.deliver();
        assertEquals(RunStatus.CANCELED, middle.status());

        post.accepted(top, RESUME);
        assertEquals(Ended.CANCELED, top.all(ChildEnded.class).getFirst().ended());
        post.ok(top, "after");
        assertEquals(RunStatus.SUCCEEDED, top.status());
    }

    private static List<Hold> holds(Party... parties) {
        return Arrays.stream(parties).map(party -> party.state().hold()).toList();
    }
}
