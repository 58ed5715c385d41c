package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * Delivers what is due, each message on a thread of its own, so that a poisoned one delays no other, and records how it
 * went in one statement. Steps without a thread of its own.
 */
public final class OutboxPublisher {
    private static final int MAX_ERROR = 500;

    private final Outbox outbox;
    private final Map<String, Publisher> publishers;
    private final OutboxConfig config;
    private final Clock clock;
    private final RandomGenerator random;
    private final Executor executor;

    public OutboxPublisher(
            Outbox outbox,
            Map<String, Publisher> publishers,
            OutboxConfig config,
            Clock clock,
            RandomGenerator random,
            Executor executor) {
        this.outbox = requireNonNull(outbox);
        this.publishers = Map.copyOf(publishers);
        this.config = requireNonNull(config);
        this.clock = requireNonNull(clock);
        this.random = requireNonNull(random);
        this.executor = requireNonNull(executor);
    }

    /**
     * Delivers one page of the shard's messages.
     *
     * @return how many were tried
     */
    public int step(Lease lease) throws JournalException, InterruptedException {
        List<Outbox.Pending> due = outbox.due(lease, clock.now(), config.page());
        if (due.isEmpty()) {
            return 0;
        }
        List<FutureTask<Void>> tries = new ArrayList<>(due.size());
        for (Outbox.Pending pending : due) {
            FutureTask<Void> attempt = new FutureTask<>(() -> deliver(pending), null);
            tries.add(attempt);
            executor.execute(attempt);
        }
        List<Outbox.Settlement> settlements = new ArrayList<>(due.size());
        long end = System.nanoTime() + config.timeout().toNanos();
        for (int i = 0; i < due.size(); i++) {
            settlements.add(settlement(due.get(i), tries.get(i), end - System.nanoTime()));
        }
        outbox.settle(lease, settlements);
        return due.size();
    }

    private void deliver(Outbox.Pending pending) {
        String destination = pending.message().destination();
        Publisher publisher = publishers.get(destination);
        if (publisher == null) {
            throw new IllegalStateException("no publisher is registered for " + destination);
        }
        try {
            publisher.deliver(Delivery.of(pending));
        } catch (Exception e) {
            throw new DeliveryFailure(e);
        }
    }

    private Outbox.Settlement settlement(Outbox.Pending pending, FutureTask<Void> attempt, long nanos)
            throws InterruptedException {
        try {
            attempt.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return new Outbox.Settlement.Delivered(pending);
        } catch (TimeoutException e) {
            attempt.cancel(true);
            return failed(pending, "no end within " + config.timeout().toMillis() + " ms");
        } catch (ExecutionException e) {
            Throwable cause = cause(e);
            if (cause instanceof Publisher.UndeliverableException) {
                return new Outbox.Settlement.Dead(pending, describe(cause));
            }
            return failed(pending, describe(cause));
        }
    }

    private static Throwable cause(ExecutionException failed) {
        Throwable thrown = failed.getCause();
        Throwable inner = thrown instanceof DeliveryFailure ? thrown.getCause() : null;
        if (inner != null) {
            return inner;
        }
        return thrown == null ? failed : thrown;
    }

    private Outbox.Settlement failed(Outbox.Pending pending, String error) {
        int attempts = pending.attempts() + 1;
        if (attempts >= config.attempts()) {
            return new Outbox.Settlement.Dead(pending, error);
        }
        return new Outbox.Settlement.Postponed(pending, clock.now().plus(pause(attempts)), error);
    }

    private Duration pause(int attempts) {
        Duration pause = config.base();
        for (int i = 1; i < attempts && pause.compareTo(config.cap()) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        long whole = Math.max(2, Math.min(pause.toNanos(), config.cap().toNanos()));
        return Duration.ofNanos(whole / 2 + random.nextLong(whole / 2));
    }

    private static String describe(Throwable thrown) {
        String text = thrown.getMessage() == null
                ? thrown.getClass().getName()
                : thrown.getClass().getName() + ": " + thrown.getMessage();
        String clean = text.replace('\u0000', '\ufffd');
        return clean.length() <= MAX_ERROR ? clean : clean.substring(0, MAX_ERROR);
    }

    private static final class DeliveryFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DeliveryFailure(Exception cause) {
            super(cause);
        }
    }
}
