package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.log.LogContext;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trace.TracedStep;
import dev.flowstone.engine.trace.Tracer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Delivers what is due, each message on a thread of its own, so that a poisoned one delays no other, and records how it
 * went in one statement. Has no thread of its own and never waits: a step records what has ended, or has taken too long by
 * the clock, and begins what is due. Not thread-safe.
 */
public final class OutboxPublisher {
    private static final int MAX_ERROR = 500;

    private final Outbox outbox;
    private final Map<String, Publisher> publishers;
    private final OutboxConfig config;
    private final Clock clock;
    private final RandomGenerator random;
    private final Executor executor;
    private final DeliveryObserver observer;
    private final Tracer tracer;
    private final Runnable ended;
    private final Map<ShardId, Flights> flights = new HashMap<>();

    /**
     * A publisher that delivers nothing yet.
     *
     * @param ended is told, on the delivery's thread, that there is something to record
     */
    public OutboxPublisher(
            Outbox outbox,
            Map<String, Publisher> publishers,
            OutboxConfig config,
            Clock clock,
            RandomGenerator random,
            Executor executor,
            DeliveryObserver observer,
            Tracer tracer,
            Runnable ended) {
        this.outbox = requireNonNull(outbox);
        this.publishers = Map.copyOf(publishers);
        this.config = requireNonNull(config);
        this.clock = requireNonNull(clock);
        this.random = requireNonNull(random);
        this.executor = requireNonNull(executor);
        this.observer = requireNonNull(observer);
        this.tracer = requireNonNull(tracer);
        this.ended = requireNonNull(ended);
    }

    /**
     * Records what has ended of the shard's messages, and begins to deliver what is due, at most a page at once.
     *
     * @return how many were begun
     */
    public int step(Lease lease) throws JournalException {
        Flights own = flights.computeIfAbsent(lease.shard().id(), shard -> new Flights(lease.epoch()));
        if (own.epoch != lease.epoch()) {
            // Whoever held the shard in between may have delivered them: what is still due is read anew.
            own.tries.values().forEach(attempt -> attempt.cancel(true));
            own = new Flights(lease.epoch());
            flights.put(lease.shard().id(), own);
        }
        settle(lease, own);
        return begin(lease, own);
    }

    private void settle(Lease lease, Flights own) throws JournalException {
        Instant now = clock.now();
        List<Message> settled = new ArrayList<>();
        List<DeliveryObserver.Ended> ends = new ArrayList<>();
        own.tries.forEach((message, attempt) -> {
            if (attempt.isDone() || !now.isBefore(attempt.end)) {
                settled.add(message);
                ends.add(new DeliveryObserver.Ended(settlement(attempt), Duration.between(attempt.begin, now)));
            }
        });
        if (!ends.isEmpty()) {
            outbox.settle(
                    lease, ends.stream().map(DeliveryObserver.Ended::settlement).toList());
            settled.forEach(own.tries::remove);
            observer.settled(ends);
        }
    }

    private int begin(Lease lease, Flights own) throws JournalException {
        int room = config.page() - own.tries.size();
        if (room <= 0) {
            return 0;
        }
        int begun = 0;
        for (Outbox.Pending pending : outbox.due(lease, clock.now(), config.page())) {
            Message message = Message.of(pending);
            if (begun < room && !own.tries.containsKey(message)) {
                Try attempt = new Try(pending, clock.now());
                own.tries.put(message, attempt);
                executor.execute(attempt);
                begun++;
            }
        }
        return begun;
    }

    private @Nullable Void deliver(Outbox.Pending pending) throws Exception {
        String destination = pending.message().destination();
        Publisher publisher = publishers.get(destination);
        if (publisher == null) {
            throw new IllegalStateException("no publisher is registered for " + destination);
        }
        Delivery delivery = Delivery.of(pending);
        return ScopedValue.where(LogContext.CURRENT, delivery).call(() -> traced(pending, delivery, publisher));
    }

    private @Nullable Void traced(Outbox.Pending pending, Delivery delivery, Publisher publisher) throws Exception {
        long cause = pending.message().causeSequence();
        try (TracedStep step = tracer.delivery(pending.run(), delivery.destination(), cause, delivery.attempt())) {
            try {
                publisher.deliver(delivery.following(step.traceparent()));
            } catch (Exception | Error e) {
                step.failed(e.getClass().getSimpleName());
                throw e;
            }
        }
        return null;
    }

    private Outbox.Settlement settlement(Try attempt) {
        if (!attempt.isDone()) {
            attempt.cancel(true);
        }
        return switch (attempt.state()) {
            case SUCCESS -> new Outbox.Settlement.Delivered(attempt.pending);
            case FAILED -> failed(attempt.pending, attempt.exceptionNow());
            case CANCELLED, RUNNING ->
                failed(attempt.pending, "no end within " + config.timeout().toMillis() + " ms");
        };
    }

    private Outbox.Settlement failed(Outbox.Pending pending, Throwable thrown) {
        return thrown instanceof Publisher.UndeliverableException
                ? new Outbox.Settlement.Dead(pending, describe(thrown))
                : failed(pending, describe(thrown));
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

    /** The deliveries of one shard that have not been recorded, while it is held under one epoch. */
    private static final class Flights {
        final long epoch;
        final Map<Message, Try> tries = new LinkedHashMap<>();

        Flights(long epoch) {
            this.epoch = epoch;
        }
    }

    private record Message(RunKey run, long causeSequence, int ordinal) {
        static Message of(Outbox.Pending pending) {
            return new Message(
                    pending.run(),
                    pending.message().causeSequence(),
                    pending.message().ordinal());
        }
    }

    /** One delivery under way. */
    private final class Try extends FutureTask<@Nullable Void> {
        final Outbox.Pending pending;
        final Instant begin;
        final Instant end;

        Try(Outbox.Pending pending, Instant begin) {
            super(() -> deliver(pending));
            this.pending = pending;
            this.begin = begin;
            this.end = begin.plus(config.timeout());
        }

        @Override
        protected void done() {
            ended.run();
        }
    }
}
