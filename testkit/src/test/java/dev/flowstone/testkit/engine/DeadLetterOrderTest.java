package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadLetterBox;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadLetters.Filter;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.effect.OutboxControl.Deed;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.AggregateEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.MessageCodec;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one run writes to another is heard in order, also if some of it could not be taken up at first (R21). */
final class DeadLetterOrderTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DELAY = Duration.ofMinutes(1);
    private static final DeadLetterConfig ONCE = new DeadLetterConfig(true, "q", 1, DELAY);
    private static final Deed DEED = new Deed(new Actor("user", "ann"), "it is mended");

    private final World world = new World(2);
    private final RunId channel = Aggregates.channel(World.TENANT, "news", "k");
    private final RunKey key = new RunKey(World.TENANT, channel);
    private SteppedNode receiver;
    private SteppedNode sender;
    private RunId run;

    /** While it is set, what is said to the channel can't be decided. */
    private boolean spoilt;

    /** One node has the channel's shard, another the sender's: letters go by the inbox. */
    @BeforeEach
    void theFirstOfThreeSignalsTenSecondsApartIsHeard() throws Exception {
        Leases leases = world.ports.leases();
        Shard senders = leases.shards().stream()
                .filter(shard -> !shard.holds(channel.slot()))
                .findFirst()
                .orElseThrow();
        Lease kept = leases.acquire(senders.id(), "nobody", LONG).orElseThrow();
        receiver = receiving();
        leases.release(kept);
        sender = world.node("sender");
        CompletableFuture<StartAnswer> started = sender.node()
                .start(world.publish(ProgramBuilder.dag("thrice")
                                .emit("one", "news", "k", JsonNumber.of(1), LONG)
                                .timer("a", Duration.ofSeconds(10))
                                .emit("two", "news", "k", JsonNumber.of(2), LONG)
                                .timer("b", Duration.ofSeconds(10))
                                .emit("three", "news", "k", JsonNumber.of(3), LONG)
                                .edge("start", "one")
                                .edge("one", "a")
                                .edge("a", "two")
                                .edge("two", "b")
                                .edge("b", "three")
                                .build())
                        .start());
        sender.settle();
        run = World.started(started);
        pass(Duration.ofSeconds(3));
        assertEquals(List.of(1), received());
    }

    private SteppedNode receiving() {
        EngineParts parts = EngineParts.of(world.ports, new ScriptExpressions(), BuiltInActions.registry())
                .withRandom(new SplittableRandom(5))
                .withRule((env, state, stamp, command) -> {
                    if (spoilt
                            && command instanceof Command.Deliver deliver
                            && deliver.receiver().equals(channel)) {
                        throw new IllegalStateException("a bug");
                    }
                    return Kernel.decide(env, state, stamp, command);
                });
        SteppedNode node =
                new SteppedNode(world.clock, EngineConfig.of("receiver").withDeadLetters(ONCE), parts);
        node.settle();
        return node;
    }

    private void restart() {
        World.crash(receiver);
        receiver = receiving();
    }

    private void pass(Duration time) {
        for (long i = 0; i < time.toSeconds(); i++) {
            world.clock.advance(SECOND);
            sender.settle();
            receiver.settle();
        }
    }

    /** Begins what is due, and waits until it is heard of. */
    private int retry() {
        int begun = receiver.node().retryDeadLetters();
        pass(Duration.ofSeconds(2));
        return begun;
    }

    private List<Integer> received() {
        return world.history(channel).all(AggregateEvent.SignalReceived.class).stream()
                .map(AggregateEvent.SignalReceived::payload)
                .map(payload -> Stream.of(1, 2, 3)
                        .filter(number -> payload.equals(Payload.of(JsonNumber.of(number))))
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    private List<DeadLetter> letters(DeadSource source) throws JournalException {
        Filter filter = new Filter(
                Optional.of(source),
                Optional.empty(),
                Optional.empty(),
                Optional.of(channel),
                Filter.ALL.id(),
                Optional.empty());
        return world.ports.deadLetters().control().list(World.TENANT, filter, 0, 100);
    }

    private List<DeadLetter> messages() throws JournalException {
        return letters(DeadSource.MESSAGE);
    }

    @Test
    void whatComesToARunThatIsWholeAgainWaitsForWhatCameBefore() throws Exception {
        world.database.corrupt(key, 0, 40);
        restart();
        pass(Duration.ofSeconds(10));
        assertEquals(1, messages().size(), "the second one");
        world.database.corrupt(key, 0, 40); // the same bit again
        restart();
        pass(Duration.ofSeconds(10));

        assertEquals(List.of(1), received(), "the third one has not overtaken the second");
        assertEquals(2, messages().size());
        pass(DELAY.plusSeconds(5));
        int _ = retry();
        assertEquals(1, messages().size(), "one after the other");
        for (int i = 0; i < 2; i++) {
            int _ = retry();
        }
        assertEquals(List.of(1, 2, 3), received());
        assertEquals(List.of(), messages());
    }

    @Test
    void whatIsDeadIsTriedWhenItsRunIsTakenUpAgainAndGoesFirst() throws Exception {
        world.database.corrupt(key, 0, 40);
        restart();
        pass(Duration.ofSeconds(10));
        pass(DELAY.plusSeconds(5));
        int _ = retry();
        pass(DELAY.plusSeconds(5));
        int _ = retry();
        assertEquals(State.DEAD, letters(DeadSource.EXECUTION).getFirst().state());
        assertEquals(2, messages().size());
        assertEquals(State.DEAD, messages().getFirst().state());
        assertEquals(State.WAITING, messages().getLast().state(), "held back, so that it was never tried");
        assertEquals(1, messages().getLast().attempts());

        world.database.corrupt(key, 0, 40);
        Filter dead = Filter.of(letters(DeadSource.EXECUTION).getFirst().id());
        assertEquals(1, world.ports.deadLetters().control().requeue(World.TENANT, dead, 1, Duration.ZERO, DEED));
        for (int i = 0; i < 4; i++) {
            int _ = retry();
        }

        assertEquals(List.of(1, 2, 3), received());
        assertEquals(List.of(), messages());
    }

    @Test
    void aMessageWhoseDecisionThrowsIsKeptThoughItsNodeDiesAndIsNotOvertaken() throws Exception {
        spoilt = true;
        for (int i = 0; i < 25; i++) {
            // The receiver keeps its lease, and reads nothing.
            world.clock.advance(SECOND);
            sender.settle();
            receiver.keepLeases();
        }
        receiver.node().loops().forEach(loop -> loop.lookAtInbox());
        receiver.settleLoops(); // nothing that waits for a thread has happened
        World.crash(receiver);

        assertEquals(2, messages().size(), "the second, and the third behind it");
        assertTrue(messages().getFirst().error().contains("a bug"), messages()::toString);
        spoilt = false;
        receiver = receiving();
        pass(DELAY.plusSeconds(5));
        for (int i = 0; i < 3; i++) {
            int _ = retry();
        }
        assertEquals(List.of(1, 2, 3), received());
        assertEquals(List.of(), messages());
    }

    /** As a node that had lost its shard may have left it. */
    @Test
    void oneThatWasOvertakenAllTheSameIsNotTakenForTakenUp() throws Exception {
        JsonObject said = JsonObject.builder()
                .put("correlation", "c")
                .put("message", MessageCodec.write(new Message.Unsubscribe(new ActivationId(new NodeId("x"), 1))))
                .build();
        InboxMessage early = new InboxMessage(
                new InboxKey(World.TENANT, "run", "early"),
                channel,
                LetterMessage.KIND,
                JsonObject.builder()
                        .put("sender", run.toString())
                        .put("number", 1)
                        .put("content", said)
                        .build(),
                world.clock.now());
        new DeadLetterBox(world.ports.deadLetters(), ONCE, Runnable::run).message(early, DeadReason.POISON, "no");
        pass(DELAY.plusSeconds(5));
        assertEquals(1, retry());

        DeadLetter letter = messages().getFirst();
        assertEquals(State.DEAD, letter.state());
        assertEquals(DeadReason.VALIDATION, letter.reason());
        assertTrue(letter.error().contains("was heard before it"), letter::error);
    }
}
