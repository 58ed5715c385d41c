package dev.flowstone.testkit.engine;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.Published;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** How many steps a second the engine alone manages, its journal in memory: an upper bound for any database. */
final class SpeedMain {
    private SpeedMain() {}

    public static void main(String[] args) throws Exception {
        Ports ports = new InMemoryDatabase(Clock.SYSTEM, 4).ports();
        Published five = Published.in(
                ports.workflows(), World.TENANT, ProgramBuilder.sequence("five", 5, "core.echo"), Clock.SYSTEM.now());
        AtomicLong ended = new AtomicLong();
        Semaphore places = new Semaphore(2_000);
        try (FlowstoneEngine engine = FlowstoneEngine.start(
                EngineConfig.of("speed"),
                EngineParts.of(ports, new ScriptExpressions(), BuiltInActions.registry()))) {
            while (!engine.ready()) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
            long tick = System.nanoTime();
            long before = 0;
            while (System.nanoTime() < end) {
                places.acquire();
                var _ = engine.start(five.start()).thenAccept(answer -> {
                    RunId run = ((StartAnswer.Started) answer).run();
                    AutoCloseable[] subscription = new AutoCloseable[1];
                    subscription[0] = engine.onMoved(World.TENANT, run, last -> {
                        if (last >= 27) {
                            ended.incrementAndGet();
                            places.release();
                            try {
                                subscription[0].close();
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        }
                    });
                });
                if (System.nanoTime() - tick > TimeUnit.SECONDS.toNanos(1)) {
                    long now = ended.get();
                    System.out.println((now - before) * 5 + " steps/s");
                    before = now;
                    tick = System.nanoTime();
                }
            }
        }
    }
}
