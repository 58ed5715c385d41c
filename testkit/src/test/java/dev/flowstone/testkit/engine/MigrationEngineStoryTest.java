package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** R26 in the engine: a run that was moved to another program is the same run on the next node, from whatever is left of it. */
final class MigrationEngineStoryTest {
    private final MigrationStory story = new MigrationStory();
    private final World world = story.world;

    private void movesAndGoesOnElsewhere(EngineConfig config, Optional<Long> snapshotBefore, boolean snapshotAfter) {
        SteppedNode node = world.node(config, BuiltInActions.registry());
        RunId run = story.start(node, world.publish(MigrationStory.SHORT));
        Published to = story.next(MigrationStory.LONGER);
        Optional<Long> before = world.stored(run).snapshot().map(it -> it.sequence());
        assertEquals(snapshotBefore.isPresent(), before.isPresent());

        CallAnswer.Done done = assertInstanceOf(
                CallAnswer.Done.class,
                MigrationStory.ask(node, run, MigrationStory.migrate(to, MigrationStory.RENAMED)));

        assertEquals(
                List.of("TimerCanceled", "Migrated", "TimerSet"),
                done.events().stream().map(EventBody::kind).toList());
        assertEquals(2, world.row(run).version(), "lists show where it is at once");
        assertEquals(
                snapshotAfter,
                !before.equals(world.stored(run).snapshot().map(it -> it.sequence())),
                "the newest snapshot is one of the new program");
        SteppedNode other = story.takeover(node, config);
        story.finishesOnTheNewProgram(other, run, to);
    }

    @Test
    void aMovedRunIsRebuiltFromItsEventsAlone() {
        movesAndGoesOnElsewhere(MigrationStory.quiet(10_000), Optional.empty(), false);
    }

    @Test
    void aMovedRunIsRebuiltFromASnapshotOfTheOldProgram() {
        movesAndGoesOnElsewhere(MigrationStory.quiet(4), Optional.of(1L), false);
    }

    @Test
    void aMovedRunIsRebuiltFromASnapshotOfTheNewProgram() {
        movesAndGoesOnElsewhere(MigrationStory.quiet(1), Optional.of(1L), true);
    }

    /** Twice, and back to where it began: the events name three programs in turn, the row only the last. */
    @Test
    void aRunMovesSeveralTimes() {
        SteppedNode node = world.node("one");
        Published first = world.publish(MigrationStory.SHORT);
        RunId run = story.start(node, first);
        Published second = story.next(MigrationStory.LONGER);
        assertInstanceOf(
                CallAnswer.Done.class,
                MigrationStory.ask(node, run, MigrationStory.migrate(second, MigrationStory.RENAMED)));
        node = story.takeover(node, EngineConfig.of("one"));
        assertInstanceOf(
                CallAnswer.Done.class,
                MigrationStory.ask(node, run, MigrationStory.migrate(first, Map.of("pause", "wait"))));
        node = story.takeover(node, EngineConfig.of("one"));
        assertEquals(1, world.row(run).version());
        assertInstanceOf(
                CallAnswer.Done.class,
                MigrationStory.ask(node, run, MigrationStory.migrate(second, MigrationStory.RENAMED)));

        story.finishesOnTheNewProgram(story.takeover(node, EngineConfig.of("one")), run, second);
        assertEquals(3, world.history(run).count(ControlEvent.Migrated.class));
    }

    /** As the release before stored them: without former names, and without the word that nothing is missing. */
    @Test
    void snapshotsOfAnEarlierReleaseAreNotBelieved() {
        world.journal.on((commit, journal) -> journal.commit(new Commit(
                commit.lease(),
                commit.moves().stream().map(MigrationEngineStoryTest::asBefore).toList(),
                commit.consumed(),
                commit.delivered())));
        SteppedNode node = world.node(MigrationStory.quiet(1), BuiltInActions.registry());
        Published first = world.publish(MigrationStory.SHORT);
        RunId run = story.start(node, first);
        Published second = story.next(MigrationStory.LONGER);
        assertInstanceOf(
                CallAnswer.Done.class,
                MigrationStory.ask(node, run, MigrationStory.migrate(second, MigrationStory.RENAMED)));
        assertTrue(world.stored(run).snapshot().isPresent());
        world.journal.heal();

        node = story.takeover(node, MigrationStory.quiet(1));

        // Its timer gets back the name that it had, which only the events know.
        assertInstanceOf(
                CallAnswer.Done.class,
                MigrationStory.ask(node, run, MigrationStory.migrate(first, Map.of("pause", "wait"))));
        Snapshot newest = world.stored(run).snapshot().orElseThrow();
        assertEquals(world.row(run).lastSequence(), newest.sequence());
        assertTrue(text(newest).contains("earlier"), "it is stored as this release does");
        story.finishes(story.takeover(node, EngineConfig.of("one")), run, first, "b");
    }

    private static String text(Snapshot snapshot) {
        return new String(snapshot.bytes(), StandardCharsets.UTF_8);
    }

    private static RunMove asBefore(RunMove move) {
        Optional<Snapshot> snapshot = move.snapshot()
                .map(one -> new Snapshot(
                        one.sequence(),
                        text(one)
                                .replaceFirst("\"accountsFor\":\\d+,", "")
                                .replaceAll("\"earlier\":\\[[^]]*],", "")
                                .getBytes(StandardCharsets.UTF_8)));
        return new RunMove(
                move.key(),
                move.workflow(),
                move.version(),
                move.program(),
                move.correlation(),
                move.expectedSequence(),
                move.entries(),
                move.status(),
                move.awake(),
                move.eventTime(),
                move.timersSet(),
                move.timersGone(),
                snapshot,
                move.receipts(),
                move.payloads(),
                move.outbox(),
                move.letters(),
                move.tasksOpen(),
                move.tasksGone(),
                move.newProgram(),
                move.window());
    }

    @Test
    void oneThatIsThereAlreadyIsLeftAlone() {
        SteppedNode node = world.node("one");
        RunId run = story.start(node, world.publish(MigrationStory.SHORT));
        Published to = story.next(MigrationStory.LONGER);
        MigrationStory.ask(node, run, MigrationStory.migrate(to, MigrationStory.RENAMED));
        long last = world.row(run).lastSequence();

        CallAnswer.Done again = assertInstanceOf(
                CallAnswer.Done.class,
                MigrationStory.ask(node, run, MigrationStory.migrate(to, MigrationStory.RENAMED)));

        assertEquals(List.of(), again.events());
        assertEquals(last, world.row(run).lastSequence());
    }

    @Test
    void whatCannotMoveSaysWhyAndStaysAsItIs() {
        SteppedNode node = world.node("one");
        Published first = world.publish(MigrationStory.SHORT);
        RunId run = story.start(node, first);
        Published to = story.next(MigrationStory.LONGER);
        long last = world.row(run).lastSequence();

        MigrationStory.refused(
                "INVALID_STATE",
                "the new program has no such node",
                MigrationStory.ask(node, run, MigrationStory.migrate(to, Map.of())));
        MigrationStory.refused(
                "INVALID_STATE",
                "the map names nobody",
                MigrationStory.ask(node, run, MigrationStory.migrate(to, Map.of("wait", "pause", "nobody", "b"))));
        MigrationStory.refused(
                "INVALID_STATE",
                "which the new program doesn't have",
                MigrationStory.ask(node, run, MigrationStory.migrate(to, Map.of("wait", "nowhere"))));
        Published other = world.publish(ProgramBuilder.sequence("another", 1, "core.echo"));
        MigrationStory.refused(
                "INVALID_STATE",
                "one of workflow another",
                MigrationStory.ask(node, run, MigrationStory.migrate(other, Map.of())));
        MigrationStory.refused(
                "NOT_FOUND",
                "is not known here",
                MigrationStory.ask(
                        node, run, new ControlCommand.MigrateRun(Sha256.digest(new byte[] {1}), 2, Map.of())));

        assertEquals(last, world.row(run).lastSequence());
        assertEquals(first.hash(), world.row(run).program());
        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofHours(2));
        MigrationStory.refused(
                "INVALID_STATE",
                "the run is over",
                MigrationStory.ask(node, run, MigrationStory.migrate(to, MigrationStory.RENAMED)));
    }

    /** Nobody knows whether the commit came to be: it is read, and the caller is told the truth. */
    @Test
    void aMoveWhoseCommitEndsInDoubtHappensOnce() {
        SteppedNode node = world.node("one");
        RunId run = story.start(node, world.publish(MigrationStory.SHORT));
        Published to = story.next(MigrationStory.LONGER);
        world.journal.once((commit, journal) -> {
            journal.commit(commit);
            throw new JournalException.UnknownOutcome("the connection broke");
        });

        CompletableFuture<CallAnswer> answer =
                MigrationStory.call(node, run, MigrationStory.migrate(to, MigrationStory.RENAMED));
        node.settle();
        node.advance(Duration.ofSeconds(5));

        assertInstanceOf(CallAnswer.Done.class, answer.join());
        assertEquals(1, world.history(run).count(ControlEvent.Migrated.class));
        story.finishesOnTheNewProgram(story.takeover(node, EngineConfig.of("one")), run, to);
    }

    /** What a journal that forgets the row would do: the run is set aside instead of going on by the wrong program. */
    @Test
    void aRowThatNamesAnotherProgramThanTheEventsIsNoticed() {
        SteppedNode node = world.node("one");
        RunId run = story.start(node, world.publish(MigrationStory.SHORT));
        Published to = story.next(MigrationStory.LONGER);
        world.journal.once((commit, journal) -> journal.commit(new Commit(
                commit.lease(),
                commit.moves().stream()
                        .map(MigrationEngineStoryTest::withoutTheRow)
                        .toList(),
                commit.consumed(),
                commit.delivered())));
        MigrationStory.ask(node, run, MigrationStory.migrate(to, MigrationStory.RENAMED));

        SteppedNode other = story.takeover(node, EngineConfig.of("one"));

        MigrationStory.refused(
                "RUN_SET_ASIDE",
                "its row says version 1",
                MigrationStory.ask(other, run, new ControlCommand.TerminateRun("why")));
    }

    private static RunMove withoutTheRow(RunMove move) {
        return new RunMove(
                move.key(),
                move.workflow(),
                move.version(),
                move.program(),
                move.correlation(),
                move.expectedSequence(),
                move.entries(),
                move.status(),
                move.awake(),
                move.eventTime(),
                move.timersSet(),
                move.timersGone(),
                move.snapshot(),
                move.receipts(),
                move.payloads(),
                move.outbox(),
                move.letters(),
                move.tasksOpen(),
                move.tasksGone());
    }
}
