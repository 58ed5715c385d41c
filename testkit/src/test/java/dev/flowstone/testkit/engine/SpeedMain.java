package dev.flowstone.testkit.engine;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a step costs the engine alone, its journal in memory: steps by second of the wall and by second of processor time,
 * kernel, hashing and handlers included. An upper bound for any database.
 */
final class SpeedMain {
    private static final int STEPS = 5;
    private static final int IN_FLIGHT = 2_000;

    private SpeedMain() {}

    public static void main(String[] args) throws InterruptedException {
        Ports ports = new InMemoryDatabase(Clock.SYSTEM, 4).ports();
        Published five = Published.in(
                ports.workflows(),
                World.TENANT,
                ProgramBuilder.sequence("five", STEPS, "core.echo"),
                Clock.SYSTEM.now());
        Semaphore places = new Semaphore(IN_FLIGHT);
        AtomicLong decisions = new AtomicLong();
        AtomicLong rounds = new AtomicLong();
        Observer observer = new Observer() {
            @Override
            public void round(ShardId shard, int decided, int moved) {
                rounds.incrementAndGet();
            }

            @Override
            public void decided(ShardId shard, Instant enqueuedAt, Instant committedAt) {
                if (decisions.incrementAndGet() % (STEPS + 1) == 0) {
                    places.release();
                }
            }
        };
        try (FlowstoneEngine engine = FlowstoneEngine.start(
                EngineConfig.of("speed"),
                EngineParts.of(ports, new ScriptExpressions(), BuiltInActions.registry())
                        .withObserver(observer))) {
            while (!engine.ready()) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            long tick = System.nanoTime();
            long cpu = processorNanos();
            long before = 0;
            for (int second = 0; second < Integer.parseInt(args[0]); ) {
                places.acquire();
                var _ = engine.start(five.start());
                long now = System.nanoTime();
                if (now - tick > TimeUnit.SECONDS.toNanos(1)) {
                    long steps = (decisions.get() - before) * STEPS / (STEPS + 1);
                    long used = processorNanos() - cpu;
                    System.out.printf(
                            "%d steps/s, %d steps per processor second, %d decisions a round%n",
                            steps * 1_000_000_000L / (now - tick),
                            steps * 1_000_000_000L / used,
                            decisions.get() / Math.max(1, rounds.get()));
                    before = decisions.get();
                    tick = now;
                    cpu = processorNanos();
                    second++;
                }
            }
        }
    }

    private static long processorNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
