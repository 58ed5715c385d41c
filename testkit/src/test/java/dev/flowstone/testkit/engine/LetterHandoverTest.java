package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.event.AggregateEvent;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A node that takes a shard over may get both ends of a pair of runs, whose letters went by an inbox before (R21); the
 * simulator's seed 112521, where a permit was dropped as heard, since word of its expiry overtook it.
 */
final class LetterHandoverTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final World world = new World(2);
    private final RunId channel = Aggregates.channel(World.TENANT, "news", "k");

    @Test
    void aLetterThatComesDirectlyWaitsForTheOneBeforeItThatLiesInTheInbox() throws Exception {
        // given: one node has the channel's shard, and looks into its inbox seldom; another has the sender's
        Published twice = world.publish(ProgramBuilder.dag("twice")
                .emit("one", "news", "k", JsonNumber.of(1), LONG)
                .timer("wait", Duration.ofSeconds(10))
                .emit("two", "news", "k", JsonNumber.of(2), LONG)
                .edge("start", "one")
                .edge("one", "wait")
                .edge("wait", "two")
                .build());
        Leases leases = world.ports.leases();
        Shard senders = leases.shards().stream()
                .filter(shard -> !shard.holds(channel.slot()))
                .findFirst()
                .orElseThrow();
        Lease kept = leases.acquire(senders.id(), "nobody", LONG).orElseThrow();
        EngineConfig seldomReading = EngineConfig.of("receiver").withShard(ShardConfig.DEFAULT.withInboxPoll(LONG));
        SteppedNode receiver = world.node(seldomReading, BuiltInActions.registry());
        leases.release(kept);
        SteppedNode sender = world.node("sender");

        // when: the first signal goes by the inbox; its node forgets it, then dies, and the other takes over
        CompletableFuture<StartAnswer> started = sender.node().start(twice.start());
        sender.settle();
        World.started(started);
        sender.advance(Duration.ofSeconds(1));
        assertEquals(List.of(), received(), "the first one lies in the inbox");
        for (int i = 0; i < 8; i++) {
            receiver.advance(Duration.ofSeconds(5));
        }

        // then
        assertEquals(List.of(Payload.of(JsonNumber.of(1)), Payload.of(JsonNumber.of(2))), received());
    }

    private List<Payload> received() {
        return world.history(channel).all(AggregateEvent.SignalReceived.class).stream()
                .map(AggregateEvent.SignalReceived::payload)
                .toList();
    }
}
