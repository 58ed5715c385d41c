package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.time.TimeLeft;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.engine.trigger.TriggerSchedules.Deferred;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Writes what came of open ticks in turns: what comes while a batch is written is in the next one. What can't be written is forgotten: the
 * tick stays open, and whoever takes it up meets the execution that there is. Thread-safe.
 */
final class TickResults {
    private static final System.Logger LOG = System.getLogger(TickResults.class.getName());
    private static final int BATCH = 500;
    private static final Duration FAILED = Duration.ofSeconds(1);

    private final TriggerSchedules schedules;
    private final Consumer<Set<UUID>> written;
    private final BlockingQueue<Item> queue = new LinkedBlockingQueue<>();
    private volatile boolean closed;
    private final Thread thread =
            Thread.ofVirtual().name("flowstone-tick-results").unstarted(this::rounds);

    private TickResults(TriggerSchedules schedules, Consumer<Set<UUID>> written) {
        this.schedules = requireNonNull(schedules);
        this.written = requireNonNull(written);
    }

    /** @param written told whose turn it was, whether it could be written or not */
    static TickResults start(TriggerSchedules schedules, Consumer<Set<UUID>> written) {
        TickResults results = new TickResults(schedules, written);
        results.thread.start();
        return results;
    }

    private sealed interface Item {
        record Over(Settled settled, Runnable counted) implements Item {}

        record Later(Deferred deferred) implements Item {}

        /** Nothing comes any more. */
        record End() implements Item {}
    }

    /** @param counted called once it is written */
    void settled(Settled settled, Runnable counted) {
        queue.add(new Item.Over(settled, counted));
    }

    void deferred(Deferred deferred) {
        queue.add(new Item.Later(deferred));
    }

    private void rounds() {
        try {
            boolean isEnd = false;
            while (!isEnd) {
                List<Item> batch = new ArrayList<>(List.of(queue.take()));
                queue.drainTo(batch, BATCH - 1);
                isEnd = batch.contains(new Item.End());
                write(batch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(List<Item> batch) {
        List<Item.Over> over = new ArrayList<>();
        List<Deferred> later = new ArrayList<>();
        Set<UUID> ids = new HashSet<>();
        for (Item item : batch) {
            switch (item) {
                case Item.Over one -> {
                    over.add(one);
                    ids.add(one.settled().id());
                }
                case Item.Later(Deferred deferred) -> {
                    later.add(deferred);
                    ids.add(deferred.arrival().id());
                }
                case Item.End() -> {}
            }
        }
        try {
            boolean isClosed = write(over, this::close);
            boolean isDeferred = write(later, schedules::defer);
            if (!closed && !(isClosed && isDeferred)) {
                LockSupport.parkNanos(FAILED.toNanos()); // or the same would be tried at once, again and again
            }
        } finally {
            written.accept(ids);
        }
    }

    private void close(List<Item.Over> over) throws JournalException {
        schedules.close(over.stream().map(Item.Over::settled).toList());
        over.forEach(one -> one.counted().run());
    }

    @FunctionalInterface
    private interface Writing<T> {
        void write(List<T> items) throws JournalException;
    }

    /** One that can't be written holds up no others; whether all were. */
    private static <T> boolean write(List<T> items, Writing<T> writing) {
        if (items.isEmpty()) {
            return true;
        }
        try {
            writing.write(items);
            return true;
        } catch (JournalException | RuntimeException | Error e) {
            boolean isOfOne = !(e instanceof JournalException) || e instanceof JournalException.BadData;
            if (isOfOne && items.size() > 1) {
                int half = items.size() / 2;
                boolean first = write(items.subList(0, half), writing);
                return write(items.subList(half, items.size()), writing) && first;
            }
            LOG.log(
                    Level.WARNING,
                    "what came of " + items.size() + " ticks can't be written; they are taken up again",
                    e);
            return false;
        }
    }

    /**
     * Writes what there is, and ends.
     *
     * @param isAll whether nothing more comes
     */
    void close(Duration time, BooleanSupplier isAll) {
        TimeLeft left = TimeLeft.of(time);
        try {
            while (!isAll.getAsBoolean() && !left.isOver() && thread.isAlive()) {
                boolean _ = thread.join(Duration.ofMillis(10));
            }
            closed = true;
            queue.add(new Item.End());
            if (!left.join(thread)) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
