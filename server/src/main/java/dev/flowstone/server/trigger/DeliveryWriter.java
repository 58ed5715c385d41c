package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.TriggerDeliveries;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes deliveries of all triggers in turns: whoever comes while a batch is written is in the next one. A claim is answered after its
 * commit. What became of a delivery is written soon; if the database is away, as soon as it is back. Thread-safe.
 */
final class DeliveryWriter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DeliveryWriter.class.getName());
    private static final int BATCH = 500;
    private static final int MOST = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final TriggerDeliveries deliveries;
    private final BlockingQueue<Item> queue = new LinkedBlockingQueue<>(MOST);

    /** Of the writing thread: those that the database didn't take yet. */
    private final List<Settled> unsettled = new ArrayList<>();

    private final AtomicBoolean closed = new AtomicBoolean();

    /** What is still to be written isn't any more. */
    private volatile boolean over;

    private volatile boolean ended;
    private final Thread thread =
            Thread.ofVirtual().name("flowstone-deliveries").unstarted(this::rounds);

    private DeliveryWriter(TriggerDeliveries deliveries) {
        this.deliveries = requireNonNull(deliveries);
    }

    static DeliveryWriter start(TriggerDeliveries deliveries) {
        DeliveryWriter writer = new DeliveryWriter(deliveries);
        writer.thread.start();
        return writer;
    }

    /** What waits to be written. */
    private sealed interface Item {
        record Claim(Arrival arrival, CompletableFuture<Boolean> fresh) implements Item {}

        record Settle(Settled settled) implements Item {}

        /** Nothing: somebody closes. */
        record End() implements Item {}
    }

    /**
     * Writes what came; false if it was sent before.
     *
     * @throws JournalException if it isn't known whether it was written: nothing may be done for it
     */
    boolean claim(Arrival arrival) throws JournalException {
        CompletableFuture<Boolean> fresh = new CompletableFuture<>();
        if (closed.get() || !offer(new Item.Claim(arrival, fresh))) {
            throw new JournalException.Unavailable("deliveries can't be written now");
        }
        try {
            return fresh.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof JournalException failed) {
                throw failed;
            }
            throw new IllegalStateException("a delivery can't be written", e.getCause());
        } catch (TimeoutException e) {
            throw new JournalException.Unavailable("a delivery was not written in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JournalException.Unavailable("the server is stopping", e);
        }
    }

    /** Writes what came without anybody waiting for it; lost if there is too much of it. */
    void note(Arrival arrival) {
        boolean _ = offer(new Item.Claim(arrival, new CompletableFuture<>()));
    }

    /** Writes what became of one that was claimed. */
    void settle(Settled settled) {
        if (!offer(new Item.Settle(settled))) {
            LOG.log(
                    Level.WARNING,
                    "too many deliveries wait to be written: what became of " + settled.id() + " isn't, "
                            + settled.result().outcome());
        }
    }

    private boolean offer(Item item) {
        boolean taken = queue.offer(item);
        if (ended) {
            abandon();
        }
        return taken;
    }

    /** Nobody writes any more: whoever waits is told. */
    private void abandon() {
        List<Item> left = new ArrayList<>();
        queue.drainTo(left);
        for (Item item : left) {
            switch (item) {
                case Item.Claim claim ->
                    claim.fresh().completeExceptionally(new JournalException.Unavailable("the server is stopping"));
                case Item.Settle(Settled settled) -> lost(settled);
                case Item.End() -> {}
            }
        }
    }

    private static void lost(Settled settled) {
        LOG.log(
                Level.WARNING,
                "the server stops: what became of delivery " + settled.id() + " isn't written, "
                        + settled.result().outcome());
    }

    private void rounds() {
        List<Item> batch = new ArrayList<>();
        try {
            while (!over && (!closed.get() || !queue.isEmpty())) {
                batch.clear();
                @Nullable
                Item first = unsettled.isEmpty() ? queue.take() : queue.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                if (first != null) {
                    batch.add(first);
                    queue.drainTo(batch, BATCH - 1);
                }
                write(batch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended = true;
            unsettled.forEach(DeliveryWriter::lost);
            abandon();
        }
    }

    private void write(List<Item> batch) {
        List<Item.Claim> claims = new ArrayList<>();
        for (Item item : batch) {
            switch (item) {
                case Item.Claim claim -> claims.add(claim);
                case Item.Settle(Settled settled) -> unsettled.add(settled);
                case Item.End() -> {}
            }
        }
        if (!claims.isEmpty()) {
            claim(claims);
        }
        if (!unsettled.isEmpty()) {
            settle();
        }
    }

    private void claim(List<Item.Claim> claims) {
        try {
            Set<UUID> fresh =
                    deliveries.claim(claims.stream().map(Item.Claim::arrival).toList());
            claims.forEach(it -> it.fresh().complete(fresh.contains(it.arrival().id())));
        } catch (JournalException | RuntimeException e) {
            claims.forEach(it -> it.fresh().completeExceptionally(e));
        }
    }

    private void settle() {
        try {
            deliveries.settle(List.copyOf(unsettled));
            unsettled.clear();
        } catch (JournalException | RuntimeException e) {
            boolean gone = e instanceof JournalException.Unavailable || e instanceof JournalException.UnknownOutcome;
            LOG.log(Level.WARNING, "what became of " + unsettled.size() + " deliveries can't be written", e);
            if (!gone || unsettled.size() > MOST) {
                unsettled.clear();
            }
        }
    }

    /** Ends once what came is written, or after this time. */
    void await(Duration time) {
        closed.set(true);
        boolean _ = queue.offer(new Item.End());
        try {
            if (thread.join(time)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        over = true;
        // It may be waiting for a database that is away.
        thread.interrupt();
    }

    /** Ends, and waits for nothing. */
    @Override
    public void close() {
        await(Duration.ZERO);
    }
}
