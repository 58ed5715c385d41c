package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.aggregate.ChannelState;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.MessageBounds;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.decision.SignalAnswer;
import dev.flowstone.kernel.event.AggregateEvent.SignalExpired;
import dev.flowstone.kernel.event.AggregateEvent.SignalMatched;
import dev.flowstone.kernel.event.AggregateEvent.SignalRefused;
import dev.flowstone.kernel.event.AggregateEvent.SignalTakenBack;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.SignalHandedBack;
import dev.flowstone.kernel.event.MessageEvent.SignalSent;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R20, signals: awaits, emits, channels. */
final class SignalStoryTest {
    private final Post post = new Post();

    private static Programs awaiting() {
        return Programs.dag().await("wait", "paid", "order-1").edge("start", "wait");
    }

    private static ChannelState channel(Party party) {
        return (ChannelState) party.state();
    }

    @Test
    void aSignalFromOutsideCompletesTheAwaitWithItsPayload() {
        Party run = post.start(awaiting());
        post.deliver();

        Decision.Accepted sent = assertInstanceOf(Decision.Accepted.class, post.signal("paid", "order-1", "42 EUR"));
        post.deliver();

        assertEquals(SignalAnswer.DELIVERED, SignalAnswer.of(sent.events()));
        assertEquals(RunStatus.SUCCEEDED, run.status());
        assertEquals(new JsonString("42 EUR"), run.output());
    }

    @Test
    void anEarlySignalIsKeptForTheAwaitThatComesLater() {
        Decision.Accepted sent = assertInstanceOf(Decision.Accepted.class, post.signal("paid", "order-1", "early"));
        assertEquals(SignalAnswer.KEPT, SignalAnswer.of(sent.events()));

        Party run = post.start(awaiting());
        post.deliver();

        assertEquals(new JsonString("early"), run.output());
        assertEquals(0, channel(post.channel("paid", "order-1")).kept());
    }

    @Test
    void signalsGoToAwaitsInTheOrderOfBoth() {
        Party first = post.start(awaiting());
        post.deliver();
        Party second = post.start(awaiting());
        post.deliver();
        post.signal("paid", "order-1", "1");
        post.signal("paid", "order-1", "2");
        post.signal("paid", "order-1", "3");
        post.deliver();
        Party third = post.start(awaiting());
        post.deliver();

        assertEquals(new JsonString("1"), first.output());
        assertEquals(new JsonString("2"), second.output());
        assertEquals(new JsonString("3"), third.output());
    }

    @Test
    void anotherKeyIsAnotherChannel() {
        Party run = post.start(awaiting());
        post.signal("paid", "order-2", "x");
        post.signal("shipped", "order-1", "x");
        post.deliver();

        assertEquals(RunStatus.RUNNING, run.status());
    }

    /** cases.md 9: expiry is judged when it would be delivered, though no timer has fired. */
    @Test
    void aMessagePastItsTimeToLiveMatchedLateIsNotDelivered() {
        post.signal("paid", "order-1", "stale");
        post.later(Duration.ofHours(1));

        Party run = post.start(awaiting());
        post.deliver();

        assertEquals(RunStatus.RUNNING, run.status());
        Party channel = post.channel("paid", "order-1");
        assertEquals(1, channel.all(SignalExpired.class).size());
        assertEquals(0, channel.all(SignalMatched.class).size());
    }

    @Test
    void whatNobodyWaitsForIsDroppedByATimer() {
        post.signal("paid", "order-1", "a");
        post.later(Duration.ofMinutes(10));
        post.signal("paid", "order-1", "b");
        Party channel = post.channel("paid", "order-1");
        post.later(Duration.ofMinutes(50));
        post.fire(channel, "expiry");

        assertEquals(1, channel(channel).kept());
        assertEquals(List.of("TimerFired", "SignalExpired", "TimerSet"), channel.lastKinds());
        post.later(Duration.ofMinutes(10));
        post.fire(channel, "expiry");
        assertEquals(0, channel(channel).kept());
        assertTrue(channel.state().timers().isEmpty());
    }

    /** Whoever stores timers drops one whose generation isn't above that of the one before. */
    @Test
    void aTimerThatIsSetAgainIsNeverVoid() {
        post.signal("paid", "order-1", "a");
        Party channel = post.channel("paid", "order-1");
        int first = channel.state().timers().getFirst().generation();
        post.later(Duration.ofMinutes(10));
        post.signal("paid", "order-1", "b");
        post.later(Duration.ofMinutes(50));
        post.fire(channel, "expiry");

        assertTrue(channel.state().timers().getFirst().generation() > first);
    }

    @Test
    void aTimerThatIsEarlyIsSetAgain() {
        post.signal("paid", "order-1", "a");
        Party channel = post.channel("paid", "order-1");
        post.fire(channel, "expiry");

        assertEquals(1, channel(channel).kept());
        assertEquals(List.of("TimerFired", "TimerSet"), channel.lastKinds());
    }

    @Test
    void aKeyedDuplicateIsDropped() {
        Party channel = post.channel("paid", "order-1");
        Command.SendSignal named = post.send("paid", "order-1", "x", Optional.of("n1"));
        assertEquals(
                SignalAnswer.KEPT, SignalAnswer.of(post.accepted(channel, named).events()));
        assertEquals(
                SignalAnswer.DUPLICATE,
                SignalAnswer.of(post.accepted(channel, named).events()));
        assertEquals(1, channel(channel).kept());

        post.later(Duration.ofDays(1));
        assertEquals(
                SignalAnswer.KEPT, SignalAnswer.of(post.accepted(channel, named).events()));
    }

    @Test
    void whenTheBufferIsFullACallerIsToldAndARunsSignalIsRefusedVisibly() {
        post.with(Bounds.DEFAULT.withMessages(new MessageBounds(2, Duration.ofDays(1), Duration.ofDays(1), 5, false)));
        Party channel = post.channel("paid", "order-1");
        post.signal("paid", "order-1", "1");
        post.signal("paid", "order-1", "2");

        Decision.Rejected rejected = assertInstanceOf(Decision.Rejected.class, post.signal("paid", "order-1", "3"));
        assertEquals(RejectionCode.SIGNAL_BUFFER_FULL, rejected.code());

        Party sender =
                post.start(Programs.dag().emit("send", "paid", "order-1", "4").edge("start", "send"));
        post.deliver();
        assertEquals(RunStatus.SUCCEEDED, sender.status());
        assertEquals(
                "SIGNAL_BUFFER_FULL",
                channel.all(SignalRefused.class).getFirst().code());

        // One that has expired makes room.
        post.later(Duration.ofHours(2));
        assertInstanceOf(Decision.Accepted.class, post.signal("paid", "order-1", "5"));
    }

    @Test
    void aBroadcastGoesOnceToEachThatWaitsNowAndIsNotKept() {
        Party one = post.start(awaiting());
        Party two = post.start(awaiting());
        post.deliver();
        Party sender = post.start(
                Programs.dag().broadcast("all", "paid", "order-1", "hi").edge("start", "all"));
        post.deliver();
        Party late = post.start(awaiting());
        post.deliver();

        assertEquals(new JsonString("hi"), one.output());
        assertEquals(new JsonString("hi"), two.output());
        assertEquals(RunStatus.SUCCEEDED, sender.status());
        assertEquals(RunStatus.RUNNING, late.status());
    }

    @Test
    void oneRunSignalsAnotherUnderItsActivationsKey() {
        Party run = post.start(awaiting());
        Party sender = post.start(
                Programs.dag().emit("send", "paid", "order-1", "from a run").edge("start", "send"));
        post.deliver();

        assertEquals(new JsonString("from a run"), run.output());
        SignalSent sent = sender.all(SignalSent.class).getFirst();
        EventBody.ActivationOpened opened =
                sender.all(EventBody.ActivationOpened.class).getLast();
        assertEquals(Optional.of(opened.key().toString()), sent.dedupe());
    }

    @Test
    void anAwaitTimesOut() {
        Party run = post.start(Programs.dag()
                .await("wait", "paid", "order-1", "PT1H")
                .task("late")
                .edge("start", "wait")
                .on(Outcome.TIMEOUT, "wait", "late"));
        post.deliver();
        post.later(Duration.ofHours(1));
        post.fire(run, "wait#1/timeout");
        post.deliver();

        assertEquals(1, run.state().openAttempts().size());
        assertTrue(channel(post.channel("paid", "order-1")).waiting().isEmpty());
        post.ok(run, "late");
        assertEquals(RunStatus.SUCCEEDED, run.status());
    }

    @Test
    void aTimeoutThatHasPassedIsOverAtOnce() {
        Party run = post.start(Programs.dag()
                .await("wait", "paid", "order-1", "PT0S")
                .task("late")
                .edge("start", "wait")
                .on(Outcome.TIMEOUT, "wait", "late"));
        post.deliver();

        assertEquals(1, run.state().openAttempts().size());
        assertTrue(channel(post.channel("paid", "order-1")).waiting().isEmpty());
    }

    /** A signal on its way when its await ends goes back, and to the next await. */
    @Test
    void aSignalThatReachesASettledAwaitGoesToTheNextOne() {
        Party first = post.start(Programs.dag()
                .await("wait", "paid", "order-1", "PT1H")
                .task("late")
                .edge("start", "wait")
                .on(Outcome.TIMEOUT, "wait", "late"));
        post.deliver();
        Party second = post.start(awaiting());
        post.deliver();
        post.signal("paid", "order-1", "x");
        post.fire(first, "wait#1/timeout");
        post.deliver();

        assertEquals(1, first.all(SignalHandedBack.class).size());
        assertEquals(new JsonString("x"), second.output());
        Party channel = post.channel("paid", "order-1");
        assertEquals(1, channel.all(SignalTakenBack.class).size());
        assertEquals(0, channel(channel).kept());
    }

    @Test
    void aSignalThatReachesARunThatIsOverIsKeptForAnother() {
        Party first = post.start(Programs.dag()
                .await("wait", "paid", "order-1")
                .tasks("boom")
                .edge("start", "wait")
                .edge("start", "boom"));
        post.deliver();
        post.signal("paid", "order-1", "x");
        post.answer(first, "boom#1", Story.failed(FailureClass.PERMANENT));
        assertEquals(RunStatus.FAILED, first.status());
        post.deliver();

        assertEquals(1, channel(post.channel("paid", "order-1")).kept());
        Party second = post.start(awaiting());
        post.deliver();
        assertEquals(new JsonString("x"), second.output());
    }

    @Test
    void aReturnedSignalKeepsItsPlaceBeforeYoungerOnes() {
        Party first = post.start(Programs.dag()
                .await("wait", "paid", "order-1")
                .tasks("boom")
                .edge("start", "wait")
                .edge("start", "boom"));
        post.deliver();
        post.signal("paid", "order-1", "older");
        post.signal("paid", "order-1", "younger");
        post.answer(first, "boom#1", Story.failed(FailureClass.PERMANENT));
        post.deliver();
        Party second = post.start(awaiting());
        post.deliver();

        assertEquals(new JsonString("older"), second.output());
    }

    /** cases.md 8, the part of messages: what would interrupt two awaits of one run reaches both if it is broadcast. */
    @Test
    void oneBroadcastReachesAParentAndAChildScopeAlike() {
        Party run = post.start(Programs.flow()
                .await("outer", "stop", "k")
                .end("end")
                .flowScope("inner", "root", "in")
                .await("in", "stop", "k")
                .edge("in", "outer")
                .inRoot()
                .edge("start", "in")
                .edge("outer", "end"));
        post.deliver();
        post.start(Programs.dag().broadcast("all", "stop", "k", "now").edge("start", "all"));
        post.deliver();
        post.start(Programs.dag().broadcast("all", "stop", "k", "now").edge("start", "all"));
        post.deliver();

        assertEquals(RunStatus.SUCCEEDED, run.status());
    }

    @Test
    void aKeyThatIsNoTextFailsTheNode() {
        Party run =
                post.start(Programs.dag().await("wait", "paid", "{{trigger}}").edge("start", "wait"));

        assertEquals(RunStatus.FAILED, run.status());
        assertEquals(
                "INVALID_KEY",
                run.all(EventBody.TaskFailed.class).getFirst().error().code());
    }

    @Test
    void aVoidTimerOfAChannelIsRefused() {
        post.signal("paid", "order-1", "a");
        Party channel = post.channel("paid", "order-1");
        int current = channel.state().timers().getFirst().generation();
        assertInstanceOf(
                Decision.Rejected.class,
                post.decide(channel, new Command.FireTimer(new TimerId("expiry"), current - 1)));
        assertInstanceOf(Decision.Rejected.class, post.decide(channel, new Command.FireTimer(new TimerId("other"), 1)));
    }
}
