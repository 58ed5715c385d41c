package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.triggers.condition.Activation;
import dev.flowstone.triggers.event.EventSignal;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A shard of this node that hangs keeps few waiting. */
final class SilentShardsTest {
    private static final List<Lease> LEASES = List.of(lease(0, 0, 2_047), lease(1, 2_048, 4_095));

    private final AtomicLong now = new AtomicLong();
    private final SilentShards shards = new SilentShards(() -> LEASES, now::get);
    private final AtomicInteger asked = new AtomicInteger();

    private static Lease lease(int id, int first, int last) {
        return new Lease(new Shard(new ShardId(id), first, last, id), "node", 1, Instant.MAX);
    }

    private String ask(int slot, String answer) {
        return shards.ask(new Slot(slot), "unanswered", "busy", () -> {
            asked.incrementAndGet();
            return answer;
        });
    }

    @Test
    void whoWaitedInVainSparesOthersOfTheShardForAWhile() {
        assertEquals("done", ask(1, "done"));
        assertEquals("unanswered", ask(1, "unanswered"));
        assertEquals("busy", ask(2, "done"));
        assertEquals("done", ask(3_000, "done"));
        assertEquals(3, asked.get());
        now.addAndGet(SilentShards.PAUSE.toNanos());
        assertEquals("done", ask(2, "done"));
    }

    @Test
    void aSignalIsWaitedForInVainOnce() {
        Engine engine = (Engine)
                Proxy.newProxyInstance(Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, (_, method, _) -> {
                    assertEquals("call", method.getName());
                    asked.incrementAndGet();
                    return new CompletableFuture<CallAnswer>();
                });
        SignalSender sender =
                new SignalSender(engine, new Activation(new ScriptExpressions()), shards, Duration.ofMillis(1));
        Trigger trigger = SomeTriggers.trigger();
        Arrival arrival = Arrival.ofEvent(trigger.key(), "e", Instant.EPOCH);
        JsonObject event = JsonObject.builder().put("data", JsonObject.EMPTY).build();
        for (int i = 0; i < 3; i++) {
            Launched unsent = sender.send(trigger, arrival, event, "c", new EventSignal("paid", "o-7"));
            assertTrue(unsent.isForNow(), unsent::toString);
            assertEquals(i == 0 ? Duration.ofMillis(1) : SilentShards.PAUSE, unsent.retryAfter());
        }
        assertEquals(1, asked.get());
    }
}
