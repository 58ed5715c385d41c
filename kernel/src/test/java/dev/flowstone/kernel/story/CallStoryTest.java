package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.MessageBounds;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.CallTimedOut;
import dev.flowstone.kernel.event.MessageEvent.ChildBegun;
import dev.flowstone.kernel.event.MessageEvent.ChildControlled;
import dev.flowstone.kernel.event.MessageEvent.ChildEnded;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.event.MessageEvent.ParentDetached;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.Message.Ended;
import dev.flowstone.kernel.message.Message.Operation;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R22: calls, children, what reaches them. */
final class CallStoryTest {
    private final Post post = new Post();

    private static Program child() {
        return Programs.dag().named("child").task("work").edge("start", "work").build();
    }

    private static Programs caller(String called) {
        return Programs.dag().named("parent").call("call", called).edge("start", "call");
    }

    private static Programs caller(ChildPolicy onTimeout) {
        return Programs.dag()
                .named("parent")
                .call("call", "child", true, Optional.of("PT1H"), policies(onTimeout))
                .task("late")
                .edge("start", "call")
                .on(Outcome.TIMEOUT, "call", "late");
    }

    private static ChildPolicies policies(ChildPolicy all) {
        return new ChildPolicies(all, all, all, all);
    }

    private Party childOf(Party parent) {
        return post.party(parent.all(ChildStarted.class).getLast().child());
    }

    private static String failure(Party run) {
        return run.all(EventBody.RunFailed.class).getFirst().error().code();
    }

    @Test
    void theChildsOutputIsTheCalls() {
        post.published(child());
        Party parent = post.start(caller("child"));
        post.deliver();
        Party child = childOf(parent);
        assertEquals(1, parent.state().children().size());

        post.ok(child, "work", new JsonString("done"));
        post.deliver();

        assertEquals(new JsonString("done"), parent.output());
        assertTrue(parent.state().children().isEmpty());
    }

    @Test
    void theChildInheritsAndItsVersionIsPinned() {
        post.published(child());
        Party parent = post.start(caller("child").build(), new JsonString("in"));
        post.deliver();
        Party child = childOf(parent);

        ChildStarted started = parent.all(ChildStarted.class).getFirst();
        assertEquals(1, started.childVersion());
        assertEquals(ProgramCodec.hash(child()), started.program());
        assertEquals(
                List.of("RunStarted", "MessageReceived", "ChildBegun"),
                child.kinds().subList(0, 3));
        ChildBegun begun = child.all(ChildBegun.class).getFirst();
        assertEquals(parent.id(), begun.parent());
        assertEquals(parent.id(), begun.root());
        assertEquals(1, begun.depth());
        assertEquals(List.of(new WorkflowId("parent")), begun.lineage());
        assertEquals("user:ada", begun.principal());
        assertEquals("corr-1", child.state().correlation());
        assertEquals(
                new JsonString("in"),
                ((Payload.Inline) child.all(EventBody.RunStarted.class)
                                .getFirst()
                                .input()
                                .getOrDefault("trigger", Payload.of(JsonNull.NULL)))
                        .value());
        assertEquals(Story.BIRTH, child.id().birth());
    }

    @Test
    void aFailedChildFailsItsCallWithItsError() {
        post.published(child());
        Party parent = post.start(Programs.dag()
                .named("parent")
                .call("call", "child")
                .task("mend")
                .edge("start", "call")
                .on(Outcome.FAILURE, "call", "mend"));
        post.deliver();
        post.answer(childOf(parent), "work#1", Story.failed(FailureClass.PERMANENT));
        post.deliver();

        assertEquals(
                "BROKEN",
                parent.all(ChildEnded.class).getFirst().error().orElseThrow().code());
        post.ok(parent, "mend");
        assertEquals(RunStatus.SUCCEEDED, parent.status());
    }

    @Test
    void aSpawnedChildIsNotWaitedFor() {
        post.published(child());
        Party parent =
                post.start(Programs.dag().named("parent").spawn("call", "child").edge("start", "call"));
        post.deliver();
        Party child = childOf(parent);

        assertEquals(RunStatus.SUCCEEDED, parent.status());
        assertEquals(JsonObject.builder().put("run", child.id().toString()).build(), parent.output());
        // It tells how it ended; nobody minds.
        post.ok(child, "work");
        int events = parent.events().size();
        post.deliver();
        assertEquals(events, parent.events().size());
    }

    @Test
    void aSpawnedChildThatEndsIsForgotten() {
        post.published(child());
        Party parent = post.start(Programs.dag()
                .named("parent")
                .spawn("call", "child")
                .task("long")
                .edge("start", "call")
                .edge("start", "long"));
        post.deliver();
        assertEquals(1, parent.state().children().size());
        post.ok(childOf(parent), "work");
        post.deliver();

        assertTrue(parent.state().children().isEmpty());
        assertEquals(RunStatus.RUNNING, parent.status());
    }

    @Test
    void anUnknownWorkflowFailsTheCall() {
        Party parent = post.start(caller("nobody"));
        assertEquals("UNKNOWN_WORKFLOW", failure(parent));
    }

    @Test
    void recursionIsRefusedUnlessAllowed() {
        Program self = Programs.dag()
                .named("self")
                .call("call", "self")
                .edge("start", "call")
                .build();
        post.published(self);
        assertEquals("RECURSION_REFUSED", failure(post.start(self, JsonObject.EMPTY)));

        Program there = Programs.dag()
                .named("there")
                .call("call", "back")
                .edge("start", "call")
                .build();
        post.published(there);
        post.published(Programs.dag()
                .named("back")
                .call("call", "there")
                .edge("start", "call")
                .build());
        Party top = post.start(there, JsonObject.EMPTY);
        post.deliver();
        assertEquals("RECURSION_REFUSED", failure(top));
    }

    @Test
    void depthIsBounded() {
        post.with(Bounds.DEFAULT.withMessages(new MessageBounds(10, Duration.ofDays(1), Duration.ofDays(1), 3, true)));
        Program self = Programs.dag()
                .named("self")
                .call("call", "self")
                .edge("start", "call")
                .build();
        post.published(self);
        Party top = post.start(self, JsonObject.EMPTY);
        post.deliver();

        assertEquals(4, post.parties().size());
        assertEquals("NESTING_TOO_DEEP", failure(top));
    }

    @Test
    void aRefusedChildFailsItsCall() {
        post.published(child());
        Party parent = post.start(caller("child"));
        post.accepted(
                parent,
                new Command.Deliver(
                        Post.ACME,
                        parent.id(),
                        parent.all(ChildStarted.class).getFirst().child(),
                        1,
                        new Message.ChildSettled(
                                ActivationId.parse("call#1"),
                                Ended.REFUSED,
                                Payload.of(JsonNull.NULL),
                                Optional.of(new Message.Reason("NO_ROOM", "no room", JsonObject.EMPTY)))));

        assertEquals("NO_ROOM", failure(parent));
    }

    @Test
    void onlyTheChildItselfCanSettleItsCall() {
        post.published(child());
        Party parent = post.start(caller("child"));
        Party other = post.start(child(), JsonObject.EMPTY);
        post.accepted(
                parent,
                new Command.Deliver(
                        Post.ACME,
                        parent.id(),
                        other.id(),
                        1,
                        new Message.ChildSettled(
                                ActivationId.parse("call#1"),
                                Ended.SUCCEEDED,
                                Payload.of(JsonNull.NULL),
                                Optional.empty())));

        assertEquals(List.of("MessageReceived", "WaitDiscounted"), parent.lastKinds());
    }

    @Test
    void whatATimeoutDoesToTheChildIsDeclared() {
        for (ChildPolicy policy : List.of(ChildPolicy.CASCADE, ChildPolicy.CANCEL_CHILDREN)) {
            Party parent = late(policy);
            assertEquals(
                    Operation.CANCEL,
                    parent.all(ChildControlled.class).getFirst().operation());
            post.ok(parent, "late");
            assertEquals(RunStatus.SUCCEEDED, parent.status());
        }
        Party detached = late(ChildPolicy.DETACH);
        Party child = childOf(detached);
        post.deliver();
        assertEquals(1, child.all(ParentDetached.class).size());
        assertTrue(child.state().parentage().orElseThrow().detached());
        post.ok(child, "work");
        int events = detached.events().size();
        post.deliver();
        assertEquals(events, detached.events().size(), "a detached child tells nobody");

        Party waits = late(ChildPolicy.WAIT);
        assertEquals(List.of("TimerFired", "CallTimedOut"), waits.lastKinds());
        post.ok(childOf(waits), "work");
        post.deliver();
        assertEquals(RunStatus.SUCCEEDED, waits.status());

        Party completes = late(ChildPolicy.COMPLETE_THEN_CANCEL);
        assertTrue(completes.state().openAttempts().isEmpty());
        post.ok(childOf(completes), "work");
        post.deliver();
        assertEquals(1, completes.all(CallTimedOut.class).size());
        assertEquals(1, completes.state().openAttempts().size(), "then its outcome is timeout");
    }

    private Party late(ChildPolicy policy) {
        post.published(child());
        Party parent = post.start(caller(policy));
        post.deliver();
        post.fire(parent, "call#1/timeout");
        return parent;
    }

    private Party failing(ChildPolicy policy) {
        post.published(child());
        Party parent = post.start(Programs.dag()
                .named("parent")
                .call("call", "child", true, Optional.empty(), policies(policy))
                .task("boom")
                .edge("start", "call")
                .edge("start", "boom"));
        post.deliver();
        post.answer(parent, "boom#1", Story.failed(FailureClass.PERMANENT));
        return parent;
    }

    @Test
    void whatCancelingACallDoesToTheChildIsDeclared() {
        Party cascades = failing(ChildPolicy.CASCADE);
        assertEquals(
                Operation.CANCEL, cascades.all(ChildControlled.class).getFirst().operation());
        assertEquals(RunStatus.FAILED, cascades.status());
        Party detaches = failing(ChildPolicy.DETACH);
        assertEquals(
                Operation.DETACH, detaches.all(ChildControlled.class).getFirst().operation());
        assertEquals(RunStatus.FAILED, detaches.status());

        Party completes = failing(ChildPolicy.COMPLETE_THEN_CANCEL);
        assertEquals(RunStatus.FAILING, completes.status(), "it may end first");
        post.ok(childOf(completes), "work");
        post.deliver();
        assertEquals(RunStatus.FAILED, completes.status());
        assertEquals(1, completes.all(ChildEnded.class).size());
    }

    /** cases.md 14, the structure: a control never overtakes the start, and a child hears only its own parent. */
    @Test
    void aControlReachesAChildThatIsBeingSpawnedAfterItsStart() {
        post.published(child());
        Party parent = post.start(Programs.dag()
                .named("parent")
                .call("call", "child", true, Optional.empty(), policies(ChildPolicy.DETACH))
                .task("boom")
                .edge("start", "call")
                .edge("start", "boom"));
        // Nothing was delivered yet.
        post.answer(parent, "boom#1", Story.failed(FailureClass.PERMANENT));
        post.deliver();

        Party child = childOf(parent);
        assertTrue(child.state().parentage().orElseThrow().detached());
        assertEquals(RunStatus.RUNNING, child.status());
    }

    @Test
    void aStrangerDoesNotControlARun() {
        post.published(child());
        Party parent = post.start(caller("child"));
        post.deliver();
        Party child = childOf(parent);
        Party stranger = post.start(child(), JsonObject.EMPTY);
        post.accepted(
                child,
                new Command.Deliver(
                        Post.ACME, child.id(), stranger.id(), 1, new Message.Control(Operation.DETACH, "mine")));

        assertFalse(child.state().parentage().orElseThrow().detached());
    }

    @Test
    void onlyAStartMayComeFirst() {
        Party unborn = new Party(post.start(child(), JsonObject.EMPTY).id(), child(), ProgramCodec.hash(child()));
        Decision decision = post.decide(
                unborn,
                new Command.Deliver(
                        Post.ACME, unborn.id(), unborn.id(), 1, new Message.Control(Operation.CANCEL, "x")));

        assertEquals(RejectionCode.NOT_STARTED, ((Decision.Rejected) decision).code());
    }
}
