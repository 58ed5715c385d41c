package dev.flowstone.engine.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ShardQueueTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(5);
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(1);

    private final ShardQueue queue = new ShardQueue(10, _ -> 1);

    private static CommandWork work() {
        RunKey run = new RunKey(new TenantId("acme"), RunId.of(Instant.EPOCH, new Slot(1), 7));
        return CommandWork.of(run, new Command.ContinueRun(), Instant.EPOCH);
    }

    private static FutureTask<Boolean> beside(Callable<Boolean> wait) {
        FutureTask<Boolean> task = new FutureTask<>(wait);
        Thread.ofVirtual().start(task);
        return task;
    }

    @Test
    void itWaitsForAsManyAsAreWanted() throws Exception {
        queue.add(work());
        assertTrue(queue.offer(work()));
        assertFalse(queue.await(3, SHORT), "there are two");

        FutureTask<Boolean> waiting = beside(() -> queue.await(3, LONG));
        queue.add(work());

        assertTrue(waiting.get());
    }

    @Test
    void aSignalEndsTheWaitForMany() throws Exception {
        FutureTask<Boolean> waiting = beside(() -> queue.await(3, LONG));
        queue.signal();

        assertTrue(waiting.get());
    }

    @Test
    void afterwardsOneIsEnoughAgain() throws Exception {
        assertFalse(queue.await(3, SHORT));
        FutureTask<Boolean> waiting = beside(() -> queue.await(1, LONG));
        queue.add(work());

        assertTrue(waiting.get());
        ArrayList<CommandWork> results = new ArrayList<>();
        queue.drain(results, 10, new ArrayList<>(), 10, Long.MAX_VALUE);
        assertEquals(1, results.size());
    }
}
