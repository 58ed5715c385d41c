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
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ShardQueueTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(5);

    private final ShardQueue queue = new ShardQueue(10, _ -> 1);

    private static CommandWork work() {
        return work("acme");
    }

    private static CommandWork work(String tenant) {
        RunKey run = new RunKey(new TenantId(tenant), RunId.of(Instant.EPOCH, new Slot(1), 7));
        return CommandWork.of(run, new Command.ContinueRun(), Instant.EPOCH);
    }

    /** Waits in a thread of its own; it is asleep by the time this returns. */
    private FutureTask<Boolean> awaiting(int works) {
        FutureTask<Boolean> task = new FutureTask<>(() -> queue.await(works, LONG));
        Thread thread = Thread.ofPlatform().daemon().start(task);
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return task;
    }

    @Test
    void itSleepsUntilAsManyAreThereAsAreWanted() throws Exception {
        FutureTask<Boolean> waiting = awaiting(3);
        queue.add(work());
        assertTrue(queue.offer(work()));
        assertFalse(waiting.isDone());

        queue.add(work());

        assertTrue(waiting.get());
    }

    @Test
    void aSignalEndsTheWaitForMany() throws Exception {
        FutureTask<Boolean> waiting = awaiting(3);
        queue.signal();

        assertTrue(waiting.get());
    }

    /** Ten thousand results of one tenant leave another one's in the next round. */
    @Test
    void tenantsResultsTakeTurns() {
        List<CommandWork> hot = Stream.generate(() -> work("hot")).limit(10_000).toList();
        List<CommandWork> quiet = List.of(work("quiet"), work("quiet"));
        hot.forEach(queue::add);
        quiet.forEach(queue::add);

        List<CommandWork> first = new ArrayList<>();
        queue.drain(first, 4, new ArrayList<>(), 0, Long.MAX_VALUE);
        List<CommandWork> rest = new ArrayList<>();
        queue.drain(rest, Integer.MAX_VALUE / 2, new ArrayList<>(), 0, Long.MAX_VALUE);

        assertEquals(List.of(hot.get(0), quiet.get(0), hot.get(1), quiet.get(1)), first);
        assertEquals(hot.subList(2, hot.size()), rest, "none is refused, and each tenant's come in their order");
        assertTrue(queue.isEmpty());
    }

    /** A signal that comes as the time ends isn't lost; nor is work. */
    @Test
    void whatIsThereWhenTheTimeHasPassedIsToldOf() throws Exception {
        assertFalse(queue.await(1, 0));
        queue.signal();
        assertTrue(queue.await(3, 0));
        assertFalse(queue.await(3, 0));
        queue.add(work());
        assertFalse(queue.await(3, 0));
        assertTrue(queue.await(1, 0));
    }
}
