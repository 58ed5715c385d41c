package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.shard.SettledCommand;
import dev.flowstone.engine.shard.SettledRun;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who watches the engine hears of each commit once, of all that it made true, and can't do any harm. */
final class ObserverStoryTest {
    private final World world = new World();
    private final Published two = world.publish(ProgramBuilder.sequence("two", 2, "core.echo"));

    private SteppedNode watched(Observer observer) {
        SteppedNode node = new SteppedNode(
                world.clock,
                EngineConfig.of("one"),
                world.parts(BuiltInActions.registry()).withObserver(observer));
        node.settle();
        return node;
    }

    /** Writes down what it hears. */
    private static final class Listening implements Observer {
        final List<List<EventBody>> commits = new ArrayList<>();
        final List<SettledCommand.Fate> fates = new ArrayList<>();
        final List<HandlerName> attempts = new ArrayList<>();
        final List<RunStatus> statuses = new ArrayList<>();

        @Override
        public void committed(ShardId shard, Duration took, List<? extends SettledRun> runs) {
            List<EventBody> events = new ArrayList<>();
            for (SettledRun run : runs) {
                events.addAll(run.heeded());
                run.commands().forEach(command -> events.addAll(command.events()));
                run.commands().forEach(command -> fates.add(command.fate()));
                if (run.hasMoved()) {
                    assertTrue(run.before().lastSequence() < run.after().lastSequence());
                    statuses.add(run.after().status());
                }
            }
            commits.add(events);
        }

        @Override
        public void attempted(HandlerName handler, Duration took, TaskAnswer answer) {
            attempts.add(handler);
        }

        List<EventBody> events() {
            return commits.stream().flatMap(List::stream).toList();
        }
    }

    @Test
    void hearsOfEveryEventOnceAndInOrder() {
        Listening heard = new Listening();
        SteppedNode node = watched(heard);

        RunId run = World.start(node, two);
        node.settle();

        assertEquals(
                world.history(run).events().stream().map(event -> event.body()).toList(), heard.events());
        assertEquals(List.of(RunStatus.RUNNING, RunStatus.RUNNING, RunStatus.SUCCEEDED), heard.statuses);
        assertEquals(2, heard.attempts.size());
    }

    @Test
    void hearsOfManyRunsInOneCall() {
        Listening heard = new Listening();
        SteppedNode node = watched(heard);
        int before = heard.commits.size();

        for (int i = 0; i < 10; i++) {
            CompletableFuture<StartAnswer> _ = node.node().start(two.start());
        }
        node.stepLoops();

        assertEquals(before + 1, heard.commits.size());
        assertEquals(10, heard.statuses.size());
    }

    @Test
    void hearsNothingOfACommitThatDidNotHappen() {
        Listening heard = new Listening();
        SteppedNode node = watched(heard);
        heard.commits.clear();
        world.journal.once((commit, to) -> {
            throw new JournalException.Unavailable("not now");
        });

        CompletableFuture<StartAnswer> _ = node.node().start(two.start());
        node.stepLoops();
        assertEquals(List.of(), heard.events(), "it failed");
        node.advance(Duration.ofSeconds(5));

        assertEquals(
                1,
                heard.events().stream()
                        .filter(EventBody.RunStarted.class::isInstance)
                        .count());
    }

    @Test
    void hearsOfACommitWhoseOutcomeHadToBeRead() {
        Listening heard = new Listening();
        SteppedNode node = watched(heard);
        world.journal.once((commit, to) -> {
            to.commit(commit);
            throw new JournalException.UnknownOutcome("the connection broke");
        });

        CompletableFuture<StartAnswer> _ = node.node().start(two.start());
        node.stepLoops();
        assertEquals(List.of(), heard.events(), "nobody knows yet");
        node.advance(Duration.ofSeconds(5));

        assertEquals(
                1,
                heard.events().stream()
                        .filter(EventBody.RunStarted.class::isInstance)
                        .count());
    }

    @Test
    void tellsARepetitionFromWhatIsNew() {
        Listening heard = new Listening();
        SteppedNode node = watched(heard);

        CompletableFuture<StartAnswer> _ = node.node().start(two.start("again"));
        node.settle();
        heard.fates.clear();
        CompletableFuture<StartAnswer> _ = node.node().start(two.start("again"));
        node.settle();

        assertTrue(heard.fates.contains(SettledCommand.Fate.REPEATED), heard.fates.toString());
    }

    @Test
    void anObserverThatThrowsHarmsNothing() {
        SteppedNode node = watched(new Observer() {
            @Override
            public void committed(ShardId shard, Duration took, List<? extends SettledRun> runs) {
                throw new IllegalStateException("no");
            }
        });

        RunId run = World.start(node, two);
        node.settle();

        assertFalse(world.history(run).all(EventBody.RunCompleted.class).isEmpty());
    }

    @Test
    void tellsWhatWaitsForAPlace() {
        SteppedNode node = watched(Observer.NONE);
        for (int i = 0; i < 10; i++) {
            CompletableFuture<StartAnswer> _ = node.node().start(two.start());
        }

        assertEquals(
                10,
                node.node()
                        .load()
                        .shards()
                        .getFirst()
                        .starts()
                        .get(two.program().workflow()));
        node.stepLoops();
        assertTrue(node.node().load().shards().getFirst().starts().isEmpty());
    }
}
