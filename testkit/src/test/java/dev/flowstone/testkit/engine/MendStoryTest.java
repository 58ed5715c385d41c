package dev.flowstone.testkit.engine;

import static dev.flowstone.testkit.engine.World.crash;
import static dev.flowstone.testkit.engine.World.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.mend.MendAnswer;
import dev.flowstone.engine.mend.MendRequest;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A run that stands still is taken up again: what is wrong with it is looked at once more, and nothing is done twice. */
final class MendStoryTest {
    private final World world = new World();
    private final Published work = world.publish(SmallPrograms.work());

    private static MendAnswer reenqueue(SteppedNode node, RunId run) {
        CompletableFuture<MendAnswer> answer = node.node()
                .mend(new MendRequest(
                        new RunKey(World.TENANT, run), MendRequest.Act.REENQUEUE, Actor.ENGINE, "for a test"));
        node.settle();
        return answer.join();
    }

    @Test
    void aRunThatWasSetAsideGoesOnOnceItsLogIsWholeAgain() {
        SteppedNode before = world.node("one");
        RunId damaged = start(before, work);
        crash(before);
        RunKey key = new RunKey(World.TENANT, damaged);
        world.database.corrupt(key, 0, 40);
        SteppedNode node = world.node("one");
        assertEquals(List.of(key), List.copyOf(node.node().setAside().keySet()));

        MendAnswer.Damaged refused = assertInstanceOf(MendAnswer.Damaged.class, reenqueue(node, damaged));
        assertTrue(refused.reason().contains("entry"), refused::reason);
        assertEquals(1, node.node().setAside().size(), "it is still set aside");

        world.database.corrupt(key, 0, 40); // the same bit again
        assertInstanceOf(MendAnswer.Mended.class, reenqueue(node, damaged));
        assertEquals(Map.of(), node.node().setAside());
        assertEquals(RunStatus.SUCCEEDED, world.row(damaged).status());
    }

    @Test
    void whatIsUnderWayIsNotHandedOutAgain() {
        SteppedNode node = world.node("one");
        RunId run = start(node, work);

        CompletableFuture<MendAnswer> answer = node.node()
                .mend(new MendRequest(
                        new RunKey(World.TENANT, run), MendRequest.Act.REENQUEUE, Actor.ENGINE, "for a test"));
        node.settleLoops();

        assertEquals(new MendAnswer.Mended(world.row(run).lastSequence(), List.of(), 0, 0), answer.join());
        node.settle();
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(2, world.history(run).all(EventBody.TaskScheduled.class).size());
    }

    @Test
    void thereIsNothingToTakeUpOfARunThatIsOverOrIsNotThere() {
        SteppedNode node = world.node("one");
        RunId over = start(node, work);
        node.settle();

        assertEquals(new MendAnswer.Over(RunStatus.SUCCEEDED), reenqueue(node, over));
        RunId nobody = RunId.of(Instant.parse("2026-01-01T00:00:00Z"), new Slot(1), 7);
        assertEquals(new MendAnswer.Absent(), reenqueue(node, nobody));
    }

    @Test
    void aShardThatEndsAnswersWhoWaits() {
        SteppedNode node = world.node("one");
        RunId run = start(node, work);
        CompletableFuture<MendAnswer> answer = node.node()
                .mend(new MendRequest(
                        new RunKey(World.TENANT, run), MendRequest.Act.REENQUEUE, Actor.ENGINE, "for a test"));

        crash(node);

        assertInstanceOf(MendAnswer.Busy.class, answer.join());
        assertInstanceOf(MendAnswer.Busy.class, reenqueue(node, run));
    }
}
