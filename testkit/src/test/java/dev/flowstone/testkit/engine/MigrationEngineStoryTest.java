package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import dev.flowstone.testkit.scenario.program.ProgramText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** R26 in the engine: a run that was moved to another program is the same run on the next node, from whatever is left of it. */
final class MigrationEngineStoryTest {
    private static final Program SHORT = ProgramText.program("""
            id: order
            flow:
              wait: {timer: 1h, to: b}
              b: {task: core.echo, to: done}
              done: {end: success}
            """);
    private static final Program LONGER = ProgramText.program("""
            id: order
            flow:
              pause: {timer: 1h, to: b}
              b: {task: core.echo, to: extra}
              extra: {task: core.echo, to: done}
              done: {end: success}
            """);
    private static final Map<String, String> RENAMED = Map.of("wait", "pause");

    private final World world = new World(2);

    private RunId start(SteppedNode node, Published program) {
        var answer = node.node().start(program.start());
        node.settle();
        return World.started(answer);
    }

    private Published next(Program program) {
        return Published.next(world.ports.workflows(), World.TENANT, program, world.clock.now());
    }

    private static ControlCommand migrate(Published to, Map<String, String> names) {
        Map<NodeId, NodeId> nodes = new HashMap<>();
        names.forEach((old, now) -> nodes.put(new NodeId(old), new NodeId(now)));
        return new ControlCommand.MigrateRun(to.hash(), to.version(), nodes);
    }

    private static CompletableFuture<CallAnswer> call(SteppedNode node, RunId run, Command command) {
        return node.node()
                .call(new CallRequest(
                        new RunKey(World.TENANT, run),
                        command,
                        List.of(),
                        new Actor("user", "ada"),
                        Optional.empty(),
                        Optional.empty(),
                        Sha256.ZERO,
                        "c"));
    }

    private static CallAnswer ask(SteppedNode node, RunId run, Command command) {
        CompletableFuture<CallAnswer> answer = call(node, run, command);
        node.settle();
        return answer.join();
    }

    private static void refused(String code, String reason, CallAnswer answer) {
        CallAnswer.Refused refused = assertInstanceOf(CallAnswer.Refused.class, answer);
        assertEquals(code, refused.code(), refused::reason);
        assertTrue(refused.reason().contains(reason), refused::reason);
    }

    private SteppedNode takeover(SteppedNode before, EngineConfig config) {
        before.node().loops().forEach(loop -> loop.end("crashed"));
        world.clock.advance(Duration.ofMinutes(1));
        return world.node(config, BuiltInActions.registry());
    }

    private static EngineConfig quiet(int quietEvents) {
        return EngineConfig.of("one").withShard(ShardConfig.DEFAULT.withSnapshots(10_000, quietEvents));
    }

    private void finishesOnTheNewProgram(SteppedNode node, RunId run, Published to) {
        finishes(node, run, to, "b", "extra");
    }

    private void finishes(SteppedNode node, RunId run, Published to, String... tasks) {
        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofHours(2));
        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(to.version(), world.row(run).version());
        assertEquals(to.hash(), world.row(run).program());
        assertEquals(
                List.of(tasks),
                world.history(run).all(EventBody.TaskScheduled.class).stream()
                        .map(it -> it.activation().node().value())
                        .toList());
        assertTrue(whole(), "the chain is whole");
    }

    private boolean whole() {
        try {
            return new ChainVerifier(EntrySource.of(world.ports.runs(), World.TENANT))
                    .all()
                    .whole();
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    private void movesAndGoesOnElsewhere(EngineConfig config, Optional<Long> snapshotBefore, boolean snapshotAfter) {
        SteppedNode node = world.node(config, BuiltInActions.registry());
        RunId run = start(node, world.publish(SHORT));
        Published to = next(LONGER);
        Optional<Long> before = world.stored(run).snapshot().map(it -> it.sequence());
        assertEquals(snapshotBefore.isPresent(), before.isPresent());

        CallAnswer.Done done = assertInstanceOf(CallAnswer.Done.class, ask(node, run, migrate(to, RENAMED)));

        assertEquals(
                List.of("TimerCanceled", "Migrated", "TimerSet"),
                done.events().stream().map(EventBody::kind).toList());
        assertEquals(2, world.row(run).version(), "lists show where it is at once");
        assertEquals(
                snapshotAfter,
                !before.equals(world.stored(run).snapshot().map(it -> it.sequence())),
                "the newest snapshot is one of the new program");
        SteppedNode other = takeover(node, config);
        finishesOnTheNewProgram(other, run, to);
    }

    @Test
    void aMovedRunIsRebuiltFromItsEventsAlone() {
        movesAndGoesOnElsewhere(quiet(10_000), Optional.empty(), false);
    }

    @Test
    void aMovedRunIsRebuiltFromASnapshotOfTheOldProgram() {
        movesAndGoesOnElsewhere(quiet(4), Optional.of(1L), false);
    }

    @Test
    void aMovedRunIsRebuiltFromASnapshotOfTheNewProgram() {
        movesAndGoesOnElsewhere(quiet(1), Optional.of(1L), true);
    }

    /** Twice, and back to where it began: the events name three programs in turn, the row only the last. */
    @Test
    void aRunMovesSeveralTimes() {
        SteppedNode node = world.node("one");
        Published first = world.publish(SHORT);
        RunId run = start(node, first);
        Published second = next(LONGER);
        assertInstanceOf(CallAnswer.Done.class, ask(node, run, migrate(second, RENAMED)));
        node = takeover(node, EngineConfig.of("one"));
        assertInstanceOf(CallAnswer.Done.class, ask(node, run, migrate(first, Map.of("pause", "wait"))));
        node = takeover(node, EngineConfig.of("one"));
        assertEquals(1, world.row(run).version());
        assertInstanceOf(CallAnswer.Done.class, ask(node, run, migrate(second, RENAMED)));

        finishesOnTheNewProgram(takeover(node, EngineConfig.of("one")), run, second);
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
        SteppedNode node = world.node(quiet(1), BuiltInActions.registry());
        Published first = world.publish(SHORT);
        RunId run = start(node, first);
        Published second = next(LONGER);
        assertInstanceOf(CallAnswer.Done.class, ask(node, run, migrate(second, RENAMED)));
        assertTrue(world.stored(run).snapshot().isPresent());
        world.journal.heal();

        node = takeover(node, quiet(1));

        // Its timer gets back the name that it had, which only the events know.
        assertInstanceOf(CallAnswer.Done.class, ask(node, run, migrate(first, Map.of("pause", "wait"))));
        Snapshot newest = world.stored(run).snapshot().orElseThrow();
        assertEquals(world.row(run).lastSequence(), newest.sequence());
        assertTrue(text(newest).contains("earlier"), "it is stored as this release does");
        finishes(takeover(node, EngineConfig.of("one")), run, first, "b");
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
        RunId run = start(node, world.publish(SHORT));
        Published to = next(LONGER);
        ask(node, run, migrate(to, RENAMED));
        long last = world.row(run).lastSequence();

        CallAnswer.Done again = assertInstanceOf(CallAnswer.Done.class, ask(node, run, migrate(to, RENAMED)));

        assertEquals(List.of(), again.events());
        assertEquals(last, world.row(run).lastSequence());
    }

    @Test
    void whatCannotMoveSaysWhyAndStaysAsItIs() {
        SteppedNode node = world.node("one");
        Published first = world.publish(SHORT);
        RunId run = start(node, first);
        Published to = next(LONGER);
        long last = world.row(run).lastSequence();

        refused("INVALID_STATE", "the new program has no such node", ask(node, run, migrate(to, Map.of())));
        refused(
                "INVALID_STATE",
                "the map names nobody",
                ask(node, run, migrate(to, Map.of("wait", "pause", "nobody", "b"))));
        refused(
                "INVALID_STATE",
                "which the new program doesn't have",
                ask(node, run, migrate(to, Map.of("wait", "nowhere"))));
        Published other = world.publish(ProgramBuilder.sequence("another", 1, "core.echo"));
        refused("INVALID_STATE", "one of workflow another", ask(node, run, migrate(other, Map.of())));
        refused(
                "NOT_FOUND",
                "is not known here",
                ask(node, run, new ControlCommand.MigrateRun(Sha256.digest(new byte[] {1}), 2, Map.of())));

        assertEquals(last, world.row(run).lastSequence());
        assertEquals(first.hash(), world.row(run).program());
        node.runUntil(() -> world.row(run).status().isFinal(), Duration.ofHours(2));
        refused("INVALID_STATE", "the run is over", ask(node, run, migrate(to, RENAMED)));
    }

    private static Program awaiting(String after) {
        return ProgramBuilder.dag("awaiting")
                .await("paid", "paid", "order-1")
                .task(after, "core.echo")
                .edge("start", "paid")
                .edge("paid", after)
                .build();
    }

    private static CompletableFuture<CallAnswer> signal(SteppedNode node) {
        return call(
                node,
                Aggregates.channel(World.TENANT, "paid", "order-1"),
                new Command.SendSignal(
                        World.TENANT,
                        Aggregates.channel(World.TENANT, "paid", "order-1"),
                        "paid",
                        "order-1",
                        Payload.of(new JsonString("42")),
                        Optional.empty(),
                        false,
                        Duration.ofHours(1)));
    }

    /** Whichever comes first, the signal is neither lost nor heard twice, and the run goes on by one program. */
    @Test
    void aSignalAndAMoveAtOnceBothHappenOrTheMoveIsRefused() {
        for (boolean moveFirst : List.of(true, false)) {
            World own = new World(2);
            SteppedNode node = own.node("one");
            var started = node.node().start(own.publish(awaiting("old")).start());
            node.settle();
            RunId run = World.started(started);
            Published to = Published.next(own.ports.workflows(), World.TENANT, awaiting("new"), own.clock.now());
            CompletableFuture<CallAnswer> move = moveFirst ? call(node, run, migrate(to, Map.of())) : signal(node);
            CompletableFuture<CallAnswer> other = moveFirst ? signal(node) : call(node, run, migrate(to, Map.of()));
            node.settle();

            assertInstanceOf(CallAnswer.Done.class, (moveFirst ? other : move).join());
            boolean moved = (moveFirst ? move : other).join() instanceof CallAnswer.Done;
            assertEquals(RunStatus.SUCCEEDED, own.row(run).status());
            assertEquals(moved ? 2 : 1, own.row(run).version());
            assertEquals(
                    List.of(moved ? "new" : "old"),
                    own.history(run).all(EventBody.TaskScheduled.class).stream()
                            .map(it -> it.activation().node().value())
                            .toList());
        }
    }

    /** A parent that moves while its child runs hears of the child's end; the child keeps the program that it began with. */
    @Test
    void aCallerThatMovesHearsOfItsChild() {
        SteppedNode node = world.node("one");
        Published child = world.publish(ProgramBuilder.dag("child")
                .timer("work", Duration.ofHours(1))
                .edge("start", "work")
                .build());
        RunId run = start(node, world.publish(calling("old")));
        Published to = next(calling("new"));
        next(ProgramBuilder.sequence("child", 1, "core.echo"));

        assertInstanceOf(CallAnswer.Done.class, ask(node, run, migrate(to, Map.of())));
        SteppedNode other = takeover(node, EngineConfig.of("one"));
        other.runUntil(() -> world.row(run).status().isFinal(), Duration.ofHours(2));

        assertEquals(RunStatus.SUCCEEDED, world.row(run).status());
        assertEquals(
                List.of("new"),
                world.history(run).all(EventBody.TaskScheduled.class).stream()
                        .map(it -> it.activation().node().value())
                        .toList());
        RunId called = world.history(run)
                .all(MessageEvent.ChildStarted.class)
                .getFirst()
                .child();
        assertEquals(child.hash(), world.row(called).program());
    }

    private static Program calling(String after) {
        return ProgramBuilder.dag("calling")
                .call("child", "child", Map.of())
                .task(after, "core.echo")
                .edge("start", "child")
                .edge("child", after)
                .build();
    }

    /** Nobody knows whether the commit came to be: it is read, and the caller is told the truth. */
    @Test
    void aMoveWhoseCommitEndsInDoubtHappensOnce() {
        SteppedNode node = world.node("one");
        RunId run = start(node, world.publish(SHORT));
        Published to = next(LONGER);
        world.journal.once((commit, journal) -> {
            journal.commit(commit);
            throw new JournalException.UnknownOutcome("the connection broke");
        });

        CompletableFuture<CallAnswer> answer = call(node, run, migrate(to, RENAMED));
        node.settle();
        node.advance(Duration.ofSeconds(5));

        assertInstanceOf(CallAnswer.Done.class, answer.join());
        assertEquals(1, world.history(run).count(ControlEvent.Migrated.class));
        finishesOnTheNewProgram(takeover(node, EngineConfig.of("one")), run, to);
    }

    /** What a journal that forgets the row would do: the run is set aside instead of going on by the wrong program. */
    @Test
    void aRowThatNamesAnotherProgramThanTheEventsIsNoticed() {
        SteppedNode node = world.node("one");
        RunId run = start(node, world.publish(SHORT));
        Published to = next(LONGER);
        world.journal.once((commit, journal) -> journal.commit(new Commit(
                commit.lease(),
                commit.moves().stream()
                        .map(MigrationEngineStoryTest::withoutTheRow)
                        .toList(),
                commit.consumed(),
                commit.delivered())));
        ask(node, run, migrate(to, RENAMED));

        SteppedNode other = takeover(node, EngineConfig.of("one"));

        refused("RUN_SET_ASIDE", "its row says version 1", ask(other, run, new ControlCommand.TerminateRun("why")));
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
