package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.TriggerDeliveries;
import dev.flowstone.engine.trigger.TriggerDeliveries.Claim;
import dev.flowstone.engine.trigger.TriggerDeliveries.Settled;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
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
    private final Duration patience;
    private final BlockingQueue<Item> queue = new LinkedBlockingQueue<>(MOST);

    /** Of the writing thread: those that the database didn't take yet, by delivery; what was said last. */
    private final Map<UUID, Settled> unsettled = new LinkedHashMap<>();

    private final AtomicBoolean closed = new AtomicBoolean();

    /** What is still to be written isn't any more. */
    private volatile boolean over;

    private volatile boolean ended;
    private final Thread thread =
            Thread.ofVirtual().name("flowstone-deliveries").unstarted(this::rounds);

    private DeliveryWriter(TriggerDeliveries deliveries, Duration patience) {
        this.deliveries = requireNonNull(deliveries);
        this.patience = requireNonNull(patience);
    }

    static DeliveryWriter start(TriggerDeliveries deliveries) {
        return start(deliveries, PATIENCE);
    }

    /** @param patience of who claims */
    static DeliveryWriter start(TriggerDeliveries deliveries, Duration patience) {
        DeliveryWriter writer = new DeliveryWriter(deliveries, patience);
        writer.thread.start();
        return writer;
    }

    /** What waits to be written. */
    private sealed interface Item {
        record Claiming(Arrival arrival, CompletableFuture<Claim> claim) implements Item {}

        record Settle(Settled settled) implements Item {}

        /** Nothing: somebody closes. */
        record End() implements Item {}
    }

    /**
     * Writes what came, unless it was sent before.
     *
     * @throws JournalException if it isn't known whether it was written: nothing may be done for it
     */
    Claim claim(Arrival arrival) throws JournalException {
        CompletableFuture<Claim> claim = new CompletableFuture<>();
        if (closed.get() || !offer(new Item.Claiming(arrival, claim))) {
            throw new JournalException.Unavailable("deliveries can't be written now");
        }
        try {
            return claim.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof JournalException failed) {
                throw failed;
            }
            throw new IllegalStateException("a delivery can't be written", e.getCause());
        } catch (TimeoutException e) {
            // Nobody waits for it any more, so that it needn't be written.
            claim.cancel(false);
            throw new JournalException.Unavailable("a delivery was not written in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JournalException.Unavailable("the server is stopping", e);
        }
    }

    /** Writes what came without anybody waiting for it; lost if there is too much of it. */
    void note(Arrival arrival) {
        boolean _ = offer(new Item.Claiming(arrival, new CompletableFuture<>()));
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

    /** So many that the next batch hasn't taken yet. */
    int waiting() {
        return queue.size();
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
                case Item.Claiming claim ->
                    claim.claim().completeExceptionally(new JournalException.Unavailable("the server is stopping"));
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
            unsettled.values().forEach(DeliveryWriter::lost);
            abandon();
        }
    }

    /** Results first, so that who sends the same again meets what became of it; but for those of deliveries that are written with them. */
    private void write(List<Item> batch) {
        List<Item.Claiming> claims = new ArrayList<>();
        for (Item item : batch) {
            switch (item) {
                case Item.Claiming claim -> {
                    if (!claim.claim().isDone()) {
                        claims.add(claim);
                    }
                }
                case Item.Settle(Settled settled) -> unsettled.put(settled.id(), settled);
                case Item.End() -> {}
            }
        }
        Set<UUID> together = claims.stream().map(it -> it.arrival().id()).collect(Collectors.toUnmodifiableSet());
        Map<Boolean, List<Settled>> settling =
                unsettled.values().stream().collect(Collectors.partitioningBy(it -> together.contains(it.id())));
        unsettled.clear();
        settle(settling.getOrDefault(false, List.of()));
        claim(claims);
        settle(settling.getOrDefault(true, List.of()));
    }

    /** Whatever happens, those who wait are told. What can't be written takes nothing else along. */
    private void claim(List<Item.Claiming> claims) {
        if (claims.isEmpty()) {
            return;
        }
        try {
            Map<UUID, Claim> claimed =
                    deliveries.claim(claims.stream().map(Item.Claiming::arrival).toList());
            claims.forEach(
                    it -> it.claim().complete(claimed.getOrDefault(it.arrival().id(), Claim.REPLAY)));
        } catch (Throwable e) {
            if (isForNow(e) || claims.size() == 1) {
                claims.forEach(it -> it.claim().completeExceptionally(e));
            } else {
                halves(claims, this::claim);
            }
        }
    }

    private void settle(List<Settled> settling) {
        if (settling.isEmpty()) {
            return;
        }
        try {
            deliveries.settle(settling);
        } catch (Throwable e) {
            if (isForNow(e)) {
                LOG.log(Level.WARNING, "what became of " + settling.size() + " deliveries can't be written yet", e);
                settling.forEach(it -> unsettled.put(it.id(), it));
            } else if (settling.size() == 1) {
                LOG.log(
                        Level.WARNING,
                        "what became of delivery " + settling.getFirst().id() + " can't be written",
                        e);
            } else {
                halves(settling, this::settle);
            }
        }
        if (unsettled.size() > MOST) {
            LOG.log(Level.WARNING, "what became of " + unsettled.size() + " deliveries is given up");
            unsettled.clear();
        }
    }

    private static boolean isForNow(Throwable e) {
        return e instanceof JournalException.Unavailable || e instanceof JournalException.UnknownOutcome;
    }

    private static <T> void halves(List<T> all, Consumer<List<T>> what) {
        int half = all.size() / 2;
        what.accept(all.subList(0, half));
        what.accept(all.subList(half, all.size()));
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
