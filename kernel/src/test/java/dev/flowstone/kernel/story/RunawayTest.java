package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.event.ControlEvent.InputBuffered;
import dev.flowstone.kernel.event.EventBody.ActivationOpened;
import dev.flowstone.kernel.event.EventBody.IncidentRaised;
import dev.flowstone.kernel.event.EventBody.WaitDiscounted;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Many branches that visit a node are no loop; a loop in a branch is found all the same (R4). */
final class RunawayTest {
    /** Twenty visits, and much less work in a decision than they take. */
    private static final Bounds A_LITTLE_WORK = new Bounds(8, 20, 1 << 20, 1 << 15, 5_000_000);

    private static final RunId CHANNEL = RunId.of(Story.BIRTH, new Slot(1), 7);

    private static final Bounds FIVE_VISITS = new Bounds(10_000, 5, 1 << 20, 1 << 15, 5_000_000);

    private static Map<String, Payload> items(int count) {
        JsonArray items = new JsonArray(Collections.<JsonValue>nCopies(count, JsonNumber.of(1)));
        return Map.of(
                "trigger", Payload.of(JsonObject.builder().put("items", items).build()));
    }

    private static Programs forEach() {
        return Programs.flow()
                .forEach("each", "join", "{{trigger.items}}", "one", 100)
                .join("join")
                .end("end")
                .edge("start", "each")
                .edge("join", "end")
                .branch("one", "each", "pass");
    }

    @Test
    void manyBranchesThatDoNotWaitAreNoLoop() {
        Story story = Story.of(forEach().choice("pass").edge("pass", "join"))
                .with(FIVE_VISITS)
                .start(items(300));

        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aLoopInABranchIsOneHoweverManyBranchesThereAre() {
        Story story = Story.of(forEach().choice("pass").edge("pass", "pass"))
                .with(FIVE_VISITS)
                .start(items(3));

        assertEquals("RUNAWAY_LOOP", story.all(IncidentRaised.class).getFirst().code());
        assertEquals(
                15,
                story.all(ActivationOpened.class).stream()
                        .filter(it -> it.activation().node().value().equals("pass"))
                        .count());
    }

    /** Start → around, whose second branch leaves it at once and enters it again; the first waits meanwhile. */
    private static Programs around(Consumer<Programs> waiting) {
        Programs programs = Programs.flow()
                .fork("around", "join", "waits", "leaves")
                .join("join")
                .end("end")
                .edge("start", "around")
                .edge("join", "end")
                .branch("waits", "around", "w");
        waiting.accept(programs);
        return programs.branch("leaves", "around", "out").choice("out").edge("out", "around");
    }

    /** Each time around, a signal reaches the await of some time before and goes back. */
    @Test
    void aMessageThatNobodyWaitsForIsNoWait() {
        Post post = new Post().with(A_LITTLE_WORK);
        Party run = post.start(around(it -> it.await("w", "paid", "k").edge("w", "join")));
        Message late = new Message.SignalDelivered(
                ActivationId.parse("w#1"),
                1,
                Payload.of(JsonNumber.of(1)),
                false,
                post.now().plusSeconds(60));
        post.accepted(run, new Command.ContinueRun());

        for (int i = 1; i < 300 && run.all(IncidentRaised.class).isEmpty(); i++) {
            post.accepted(run, new Command.ContinueRun());
            post.accepted(run, new Command.Deliver(Post.ACME, run.id(), CHANNEL, i, late));
        }

        assertTrue(run.all(WaitDiscounted.class).size() > 1, run::tale);
        assertEquals("RUNAWAY_LOOP", run.all(IncidentRaised.class).getFirst().code());
    }

    /** Suspended in the midst of its way round, with a message kept, and let go: everything waits behind what it does by itself. */
    private static Party goingOnBehindAMessage(Post post, Message message) {
        Party run = post.start(
                around(it -> it.await("w", "paid", "k").edge("w", "join")).deadline(Duration.ofHours(1)));
        post.accepted(run, new ControlCommand.SuspendRun(HoldPolicy.DEFAULT, "audit", "run"));
        post.accepted(run, new Command.Deliver(Post.ACME, run.id(), CHANNEL, 1, message));
        post.accepted(run, new ControlCommand.ResumeRun("go on"));
        return run;
    }

    private static Message late(Post post) {
        return new Message.SignalDelivered(
                ActivationId.parse("w#1"),
                1,
                Payload.of(JsonNumber.of(1)),
                false,
                post.now().plusSeconds(60));
    }

    @Test
    void aMessageThatIsKeptBehindALoopIsNoWait() {
        Post post = new Post().with(A_LITTLE_WORK);
        Message late = late(post);
        Party run = goingOnBehindAMessage(post, late);

        for (int i = 2; i < 300 && run.all(IncidentRaised.class).isEmpty(); i++) {
            post.accepted(run, new Command.Deliver(Post.ACME, run.id(), CHANNEL, i, late));
            post.accepted(run, new Command.ContinueRun());
        }

        assertEquals("RUNAWAY_LOOP", run.all(IncidentRaised.class).getFirst().code());
    }

    /** Whoever reads the run anew finds its timer due again. */
    @Test
    void aTimerThatIsDueIsKeptOnceBehindALoop() {
        Post post = new Post().with(A_LITTLE_WORK);
        Party run = goingOnBehindAMessage(post, late(post));
        int kept = run.all(InputBuffered.class).size();
        TimerState deadline = run.state().timers().getFirst();
        Command fire = new Command.FireTimer(deadline.timer(), deadline.generation());

        post.later(Duration.ofHours(2));
        post.accepted(run, fire);
        post.accepted(run, fire);
        post.accepted(run, new Command.ContinueRun());
        post.accepted(run, fire);

        assertEquals(kept + 1, run.all(InputBuffered.class).size());
    }

    @Test
    void theAnswerOfACanceledTaskIsNoWait() {
        Post post = new Post().with(A_LITTLE_WORK);
        Party run = post.start(around(it -> it.tasks("w").edge("w", "join")));

        for (int i = 1; i < 300 && run.all(IncidentRaised.class).isEmpty(); i++) {
            ActivationId canceled = ActivationId.parse("w#" + i);
            if (run.state().openAttempt(canceled).isPresent()) {
                post.answer(run, canceled.toString(), lost());
            }
            if (run.state().continues()) {
                post.accepted(run, new Command.ContinueRun());
            }
        }

        assertTrue(run.all(WaitDiscounted.class).size() > 1, run::tale);
        assertEquals("RUNAWAY_LOOP", run.all(IncidentRaised.class).getFirst().code());
    }

    @Test
    void aLoopThatIsWokenEachTimeMayGoOnForEver() {
        Post post = new Post().with(A_LITTLE_WORK);
        Party run = post.start(
                Programs.flow().await("w", "paid", "k").edge("start", "w").edge("w", "w"));
        for (int i = 0; i < 50; i++) {
            post.signal("paid", "k", "s" + i);
            post.deliver();
        }

        assertEquals(
                51,
                run.all(ActivationOpened.class).stream()
                        .filter(it -> it.activation().node().value().equals("w"))
                        .count());
        assertEquals(List.of(), run.all(IncidentRaised.class));
    }

    private static TaskAnswer lost() {
        return new TaskAnswer.Failed(FailureClass.PERMANENT, TaskError.of("CANCELED", "late"), Optional.empty());
    }
}
