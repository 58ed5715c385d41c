package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.ResourceLink;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.ResourceClaimed;
import dev.flowstone.kernel.event.MessageEvent.ResourceSettled;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.Message.Linked;
import dev.flowstone.kernel.payload.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R20, resource links: unique over a tenant. */
final class LinkStoryTest {
    private static final ActivationId A = ActivationId.parse("make#1");

    private final Post post = new Post();
    private final Party link = post.link("Order", "4711");
    private final Party one = post.start(Programs.dag().task("make").edge("start", "make"));
    private final Party two = post.start(Programs.dag().task("make").edge("start", "make"));

    private Decision.Accepted ask(Party run, long number, String value) {
        return post.accepted(
                link,
                new Command.Deliver(
                        Post.ACME,
                        link.id(),
                        run.id(),
                        number,
                        new Message.Link(A, "Order", "4711", Payload.of(new JsonString(value)))));
    }

    private static Linked answer(Decision.Accepted accepted) {
        return assertInstanceOf(Linked.class, accepted.messages().getFirst().message());
    }

    @Test
    void theFirstOwnsItAndTheOthersLearnWhose() {
        Linked first = answer(ask(one, 3, "by one"));
        Linked second = answer(ask(two, 3, "by two"));
        Linked again = answer(ask(one, 9, "changed"));

        Payload value = Payload.of(new JsonString("by one"));
        assertEquals(new Linked(A, true, one.id(), value), first);
        assertEquals(new Linked(A, false, one.id(), value), second);
        assertEquals(new Linked(A, true, one.id(), value), again);
    }

    @Test
    void aRepetitionIsAcceptedWithoutEvents() {
        ask(one, 3, "x");
        assertEquals(List.of(), ask(one, 3, "x").events());
        assertEquals(List.of(), ask(one, 2, "y").messages());
    }

    @Test
    void answersReachTheRunAndAreRecorded() {
        ask(one, 3, "x");
        post.deliver();
        assertEquals(List.of("MessageReceived", "ResourceSettled"), one.lastKinds());
    }

    private static Command.CompleteTask made(String value) {
        return new Command.CompleteTask(
                A,
                1,
                new TaskAnswer.Ok(
                        Payload.of(new JsonString("done")),
                        List.of(new ResourceLink("Order", "4711", Payload.of(new JsonString(value))))));
    }

    @Test
    void aTasksLinksAreRecordedAndClaimed() {
        post.accepted(one, made("by one"));
        post.accepted(two, made("by two"));
        post.deliver();

        assertEquals(
                List.of(new ResourceClaimed(A, 1, "Order", "4711", Payload.of(new JsonString("by one")))),
                one.all(ResourceClaimed.class));
        Payload value = Payload.of(new JsonString("by one"));
        assertEquals(List.of(new ResourceSettled(A, link.id(), true, one.id(), value)), one.all(ResourceSettled.class));
        assertEquals(
                List.of(new ResourceSettled(A, link.id(), false, one.id(), value)),
                two.all(ResourceSettled.class),
                "also of a run that has ended");
    }

    @Test
    void aRepeatedAnswerClaimsNothingAgain() {
        post.accepted(one, made("by one"));
        post.accepted(one, made("by one"));

        assertEquals(1, one.all(ResourceClaimed.class).size());
    }

    private static Command.LinkResources links(ActivationId task, int attempt, String key) {
        return new Command.LinkResources(
                task, attempt, List.of(new ResourceLink("Order", key, Payload.of(new JsonString("to come")))));
    }

    private RejectionCode refusal(Party run, Command command) {
        return assertInstanceOf(Decision.Rejected.class, post.decide(run, command))
                .code();
    }

    @Test
    void anAttemptUnderWayClaimsBeforeItAnswersAndItsAnswerClaimsMore() {
        post.accepted(one, links(A, 1, "4711"));
        post.accepted(two, links(A, 1, "4711"));
        post.deliver();

        assertEquals(
                List.of("4711"),
                one.all(ResourceClaimed.class).stream()
                        .map(ResourceClaimed::key)
                        .toList());
        assertEquals(
                List.of(true),
                one.all(ResourceSettled.class).stream()
                        .map(ResourceSettled::owned)
                        .toList());
        assertEquals(
                List.of(one.id()),
                two.all(ResourceSettled.class).stream()
                        .map(ResourceSettled::owner)
                        .toList());

        post.accepted(one, made("made"));
        post.deliver();

        Payload first = Payload.of(new JsonString("to come"));
        assertEquals(
                new ResourceSettled(A, link.id(), true, one.id(), first),
                one.all(ResourceSettled.class).getLast(),
                "it is ours, with what was said first");
    }

    @Test
    void onlyTheAttemptUnderWayClaims() {
        assertEquals(RejectionCode.CONFLICT, refusal(one, links(A, 2, "1")), "an attempt to come");
        assertEquals(RejectionCode.CONFLICT, refusal(one, links(ActivationId.parse("make#2"), 1, "1")));
        assertEquals(RejectionCode.CONFLICT, refusal(one, links(ActivationId.parse("nothing#1"), 1, "1")));
        post.ok(one, "make");
        assertEquals(RejectionCode.CONFLICT, refusal(one, links(A, 1, "1")), "a settled one");
        assertEquals(List.of(), one.all(ResourceClaimed.class));
    }

    /** It is canceled, and still under way: what it makes is made. */
    @Test
    void aCanceledAttemptClaimsUntilItAnswers() {
        Party run = post.start(
                Programs.dag().tasks("make", "other").edge("start", "make").edge("start", "other"));
        post.accepted(
                run, new Command.CompleteTask(ActivationId.parse("other#1"), 1, Story.failed(FailureClass.PERMANENT)));

        post.accepted(run, links(A, 1, "9"));
        post.accepted(run, new Command.CompleteTask(A, 1, Story.failed(FailureClass.PERMANENT)));

        assertEquals(1, run.all(ResourceClaimed.class).size());
        assertEquals(RejectionCode.CONFLICT, refusal(run, links(A, 1, "10")));
    }

    /** Nobody who has made something is sent away, whatever the suspension's policy; it is claimed when the run goes on. */
    @Test
    void aSuspendedRunClaimsWhenItGoesOn() {
        HoldPolicy strict = new HoldPolicy(HoldPolicy.TimerRule.FREEZE, HoldPolicy.InputRule.REJECT);
        post.accepted(one, new ControlCommand.SuspendRun(strict, "audit", "run"));

        post.accepted(one, links(A, 1, "4711"));
        assertEquals(List.of(), one.all(ResourceClaimed.class));
        post.accepted(one, new ControlCommand.ResumeRun("over"));

        assertEquals(
                List.of(new ResourceClaimed(A, 1, "Order", "4711", Payload.of(new JsonString("to come")))),
                one.all(ResourceClaimed.class));
    }

    @Test
    void aLateSuccessKeepsItsLinks() {
        Party run = post.start(
                Programs.dag().tasks("make", "other").edge("start", "make").edge("start", "other"));
        post.accepted(
                run, new Command.CompleteTask(ActivationId.parse("other#1"), 1, Story.failed(FailureClass.PERMANENT)));

        post.accepted(run, made("late"));

        assertEquals(1, run.all(EventBody.EffectObserved.class).size());
        assertEquals(1, run.all(ResourceClaimed.class).size());
    }

    @Test
    void refusesMessagesForOthers() {
        Decision decision =
                post.decide(link, new Command.Deliver(Post.ACME, link.id(), one.id(), 4, new Message.Release(A)));
        assertEquals(
                RejectionCode.INVALID_COMMAND,
                assertInstanceOf(Decision.Rejected.class, decision).code());
        Decision elsewhere = post.decide(
                link,
                new Command.Deliver(
                        Post.ACME,
                        one.id(),
                        one.id(),
                        4,
                        new Message.Link(A, "Order", "4711", Payload.of(new JsonString("x")))));
        assertInstanceOf(Decision.Rejected.class, elsewhere);
    }

    /** What undoes something may make something itself: a credit note. */
    @Test
    void theLinksOfACompensationAreClaimedToo() {
        Party run = post.start(Programs.dag().undoable("book").task("wait").chain("start", "book", "wait"));
        post.ok(run, "book");
        post.accepted(run, CompensationStoryTest.CANCEL);
        post.answer(run, "wait#1", new TaskAnswer.TimedOut());
        ActivationId undoing = ActivationId.parse("book#-1");

        post.answer(
                run,
                undoing.toString(),
                new TaskAnswer.Ok(
                        Payload.of(new JsonString("done")),
                        List.of(new ResourceLink("Note", "1", Payload.of(new JsonString("credit"))))));
        post.deliver();

        assertEquals(
                List.of(new ResourceClaimed(undoing, 1, "Note", "1", Payload.of(new JsonString("credit")))),
                run.all(ResourceClaimed.class));
        assertEquals(1, run.all(ResourceSettled.class).size());
    }
}
