package dev.flowstone.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.control.ScopeControl;
import dev.flowstone.engine.dead.DeadLetterRounds;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.start.ResetRequest;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.task.RemoteTasks;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.policy.BundleFault;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class OpenLoopTest {
    private static final StartRequest REQUEST = new StartRequest(
            new TenantId("bench"),
            new WorkflowId("none"),
            1,
            Sha256.ZERO,
            Optional.empty(),
            Map.of(),
            new Actor("service", "bench"),
            "bench");

    @Test
    void countsARunFromTheMomentItWasToBeStarted() throws Exception {
        LoadMeter meter = new LoadMeter();
        CountDownLatch stuck = new CountDownLatch(1);
        // The first start holds up the thread that starts: at 1,000 a second, hundreds are overdue when it goes on.
        Answering engine = new Answering(meter, stuck, Optional.empty());
        OpenLoop loop = new OpenLoop(new RunStarts(engine, meter, () -> REQUEST), 1_000);

        assertTrue(engine.called.await(10, TimeUnit.SECONDS));
        // Real time has to pass here, and nothing happens in it that could be waited for.
        assertFalse(engine.many.await(300, TimeUnit.MILLISECONDS));
        stuck.countDown();
        assertTrue(engine.many.await(10, TimeUnit.SECONDS));
        loop.end();

        Reading reading = meter.read();
        assertEquals(loop.offered(), reading.finished());
        assertTrue(reading.runs().getMaxValue() > 250_000, () -> reading.runs().getMaxValue() + " µs");
        assertTrue(
                reading.runs().getValueAtPercentile(50) > 1_000,
                () -> "those that were held up behind it hide that: "
                        + reading.runs().getValueAtPercentile(50) + " µs");
    }

    @Test
    void losesWhatIsRefused() throws Exception {
        losesAll(CompletableFuture.completedFuture(new StartAnswer.Busy("full", Duration.ZERO)));
    }

    /** Or it would be waited for. */
    @Test
    void losesWhatFails() throws Exception {
        losesAll(CompletableFuture.failedFuture(new IllegalStateException("a fault of the engine's")));
    }

    private static void losesAll(CompletableFuture<StartAnswer> answer) throws Exception {
        LoadMeter meter = new LoadMeter();
        Answering engine = new Answering(meter, new CountDownLatch(0), Optional.of(answer));
        OpenLoop loop = new OpenLoop(new RunStarts(engine, meter, () -> REQUEST), 1_000);

        assertTrue(engine.many.await(10, TimeUnit.SECONDS));
        loop.end();

        assertEquals(loop.offered(), loop.refused());
        assertEquals(0, meter.read().finished());
    }

    /** Every run is over before whoever started it knows what it is called, unless none begins. */
    private static final class Answering implements Engine {
        private final LoadMeter meter;
        private final CountDownLatch stuck;
        private final Optional<CompletableFuture<StartAnswer>> none;
        private final CountDownLatch called = new CountDownLatch(1);
        private final CountDownLatch many = new CountDownLatch(200);
        private long number;

        Answering(LoadMeter meter, CountDownLatch stuck, Optional<CompletableFuture<StartAnswer>> none) {
            this.meter = meter;
            this.stuck = stuck;
            this.none = none;
        }

        @Override
        public CompletableFuture<StartAnswer> start(StartRequest request) {
            called.countDown();
            try {
                stuck.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            RunId run = RunId.of(Instant.EPOCH, new Slot(0), number++);
            many.countDown();
            if (none.isPresent()) {
                return none.get();
            }
            meter.moved(new RunKey(request.tenant(), run), 2, RunStatus.SUCCEEDED);
            return CompletableFuture.completedFuture(new StartAnswer.Started(run, 1));
        }

        @Override
        public CompletableFuture<StartAnswer> reset(ResetRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<CallAnswer> call(CallRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public DeadLetterRounds deadLetters() {
            throw new UnsupportedOperationException();
        }

        @Override
        public RemoteTasks remoteTasks() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ScopeControl control() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<BundleFault> policyFaults(JsonObject bundle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public AutoCloseable onMoved(TenantId tenant, RunId run, Consumer<Long> listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean ready() {
            return true;
        }

        @Override
        public boolean reachesDatabase() {
            return true;
        }

        @Override
        public void stop(Duration grace) {}
    }
}
