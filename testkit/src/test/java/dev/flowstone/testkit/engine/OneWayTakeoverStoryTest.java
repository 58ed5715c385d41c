package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.World.crash;
import static dev.flowstone.testkit.engine.World.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A node dies between the commit of a one-way attempt and its completion; the next one may know other destinations. */
final class OneWayTakeoverStoryTest {
    private final World world = new World();

    private SteppedNode node() {
        return node(OneWays.handlers(OneWays::tell));
    }

    private SteppedNode node(HandlerRegistry handlers) {
        return world.node(EngineConfig.of("one"), handlers);
    }

    /** Dies between the commit of the attempt and its completion. */
    private RunId scheduledBy(SteppedNode node) {
        CompletableFuture<StartAnswer> answer =
                node.node().start(world.publish(OneWays.telling("hello")).start());
        for (int i = 0; i < 100 && !answer.isDone(); i++) {
            boolean _ = node.stepLoops();
        }
        assertTrue(answer.isDone());
        RunId run = started(answer);
        assertEquals(1, world.history(run).count(EventBody.TaskScheduled.class));
        assertEquals(0, world.history(run).count(EventBody.TaskCompleted.class));
        assertEquals(0, world.history(run).count(EventBody.TaskFailed.class));
        crash(node);
        return run;
    }

    @Test
    void aNodeThatDiesBetweenTheCommitAndTheCompletionSendsNoSecondMessage() throws Exception {
        RunId run = scheduledBy(node());

        assertSentBefore(run, node());
    }

    /** The message is in the outbox, and the run is not to compensate for it. */
    @Test
    void whatWasSentIsCompletedAlsoByANodeThatKnowsNoDestination() throws Exception {
        RunId run = scheduledBy(node());

        assertSentBefore(run, node(OneWays.handlers(OneWays::unknown)));
    }

    private void assertSentBefore(RunId run, SteppedNode after) throws JournalException {
        assertEquals(1, OneWays.messages(world).size(), "it is durable with the event");
        String key = OneWays.messages(world).getFirst().key().text();

        after.settle();

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(1, world.history(run).count(EventBody.TaskScheduled.class));
        assertTrue(OneWays.output(world.history(run)).contains(key));
        assertEquals(1, OneWays.messages(world).size());
    }

    /** Nothing was committed: to complete the attempt would lose its message. */
    @Test
    void whatANodeThatKnewNoDestinationDidNotSendIsSentByTheNextAttempt() throws Exception {
        RunId run = scheduledBy(node(OneWays.handlers(OneWays::unknown)));

        assertSentNow(run, node());
    }

    /** As a release without one-way actions schedules it. */
    @Test
    void anAttemptOfANodeThatSentNoMessagesIsNotTakenForSent() throws Exception {
        RunId run = scheduledBy(node(World.handlers("test.tell", _ -> TaskResult.ok(JsonObject.EMPTY))));

        assertSentNow(run, node());
    }

    private void assertSentNow(RunId run, SteppedNode after) throws JournalException {
        for (int i = 0; i < 100 && !world.row(run).status().isFinal(); i++) {
            after.settle();
            world.clock.advance(Duration.ofSeconds(1));
        }

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(2, world.history(run).count(EventBody.TaskScheduled.class));
        assertEquals(
                "MESSAGE_NOT_SENT",
                world.history(run)
                        .all(EventBody.TaskFailed.class)
                        .getFirst()
                        .error()
                        .code());
        assertEquals(1, OneWays.messages(world).size());
        assertTrue(OneWays.output(world.history(run))
                .contains(OneWays.messages(world).getFirst().key().text()));
    }
}
