package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.journal.JournalException.Unavailable;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.subscription.StreamCursor;
import dev.flowstone.engine.subscription.Subscription.State;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.SubscriptionWork;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.metric.EventsOutMetrics;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How sending events out ends. */
final class EventsOutTest {
    private static final Duration LONG = Duration.ofHours(1);

    /** Nobody can be asked: whoever does waits until he is interrupted. */
    private static final class Away implements SubscriptionWork {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final AtomicInteger times = new AtomicInteger();
        private final CountDownLatch interrupted = new CountDownLatch(1);

        @Override
        public List<Assigned> assigned(Collection<Integer> streams) throws Unavailable {
            times.incrementAndGet();
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                Thread.currentThread().interrupt();
            }
            throw new Unavailable("away");
        }

        @Override
        public boolean advance(Lease lease, SubscriptionKey key, StreamCursor to) {
            return false;
        }

        @Override
        public void stop(Lease lease, SubscriptionKey key, long revision, State state, String reason) {
            // Nobody is.
        }

        @Override
        public List<Lag> lags(Optional<TenantId> tenant, int limit) {
            return List.of();
        }

        @Override
        public Optional<Lag> lag(SubscriptionKey key) {
            return Optional.empty();
        }

        @Override
        public List<SubscriptionKey> broken(int limit) {
            return List.of();
        }
    }

    @Test
    void whoWaitsForTheDatabaseIsInterruptedOnceTheTimeIsOver() throws Exception {
        Ports ports = new InMemoryDatabase(Clock.SYSTEM, 1).ports();
        Away work = new Away();
        Sinks sinks = new Sinks(Optional.empty(), List.of(), new FlowstoneConfig.Events(4, LONG, Optional.empty()));
        try (FlowstoneEngine engine = FlowstoneEngine.start(
                EngineConfig.of("one"), EngineParts.of(ports, new ScriptExpressions(), BuiltInActions.registry()))) {
            EventsOut events = EventsOut.start(ports, engine, work, sinks, new EventsOutMetrics(), LONG);
            assertTrue(work.asked.await(60, TimeUnit.SECONDS));

            events.end();
            events.await(Duration.ofMillis(10));
            assertTrue(work.interrupted.await(60, TimeUnit.SECONDS));
            events.close();

            assertEquals(1, work.times.get(), "and nobody waits for it again");
        }
    }
}
