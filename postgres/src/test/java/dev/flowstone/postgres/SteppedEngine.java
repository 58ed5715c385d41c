package dev.flowstone.postgres;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineNode;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.expression.ScriptExpressions;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** A node on a real database whose loops are stepped by the test. */
final class SteppedEngine {
    final EngineNode node;

    SteppedEngine(Ports ports, String name, HandlerRegistry handlers, Executor executor) {
        this(ports, name, handlers, executor, ShardConfig.DEFAULT);
    }

    SteppedEngine(Ports ports, String name, HandlerRegistry handlers, Executor executor, ShardConfig shard) {
        EngineConfig config = EngineConfig.of(name)
                .withShard(shard.withInboxPoll(Duration.ofMillis(1)))
                .withLease(new LeaseConfig(Duration.ofMinutes(1), Duration.ZERO));
        this.node = new EngineNode(
                config,
                EngineParts.of(ports, new ScriptExpressions(), handlers)
                        .withExecutor(executor)
                        .withRandom(new SplittableRandom(7)));
        until(node::ready);
    }

    /** Steps until nothing is left to do right away. */
    void settle() {
        boolean more = true;
        while (more) {
            more = false;
            for (ShardLoop loop : List.copyOf(node.loops())) {
                more |= loop.step();
            }
        }
    }

    /** Steps, in real time, until it holds. */
    void until(BooleanSupplier holds) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        do {
            if (System.nanoTime() > end) {
                throw new AssertionError("it never came true");
            }
            node.keepLeases();
            settle();
            Thread.onSpinWait();
        } while (!holds.getAsBoolean());
    }

    /** Ends as if its process had died. */
    void crash() {
        node.loops().forEach(loop -> loop.end("crashed"));
    }
}
