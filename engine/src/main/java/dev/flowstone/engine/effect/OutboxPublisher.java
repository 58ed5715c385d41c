package dev.flowstone.engine.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
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
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Delivers what is due, each message on a thread of its own, so that a poisoned one delays no other; each destination by what
 * it takes, so that a poisoned destination delays no other; and records how it went in one statement. Has no thread of its
 * own and never waits: a step records what has ended, or has taken too long by the clock, and begins what is due. What is set
 * for scopes is heeded when a delivery begins; one that is under way then goes on. Not thread-safe.
 */
public final class OutboxPublisher {
    private final Outbox outbox;
    private final Map<String, Publisher> publishers;
    private final OutboxConfig config;
    private final Supplier<SettingLog> settings;
    private final Clock clock;
    private final Endings endings;
    private final Executor executor;
    private final DeliveryObserver observer;
    private final Tracer tracer;
    private final Runnable ended;
    private final Map<ShardId, Flights> flights = new HashMap<>();
    private final Map<String, Destination> destinations = new HashMap<>();

    /**
     * A publisher that delivers nothing yet.
     *
     * @param settings what is set for scopes, as this node knows it
     * @param ended is told, on the delivery's thread, that there is something to record
     */
    public OutboxPublisher(
            Outbox outbox,
            Map<String, Publisher> publishers,
            OutboxConfig config,
            Supplier<SettingLog> settings,
            Clock clock,
            RandomGenerator random,
            Executor executor,
            DeliveryObserver observer,
            Tracer tracer,
            Runnable ended) {
        this.outbox = requireNonNull(outbox);
        this.publishers = Map.copyOf(publishers);
        this.config = requireNonNull(config);
        this.settings = requireNonNull(settings);
        this.clock = requireNonNull(clock);
        this.endings = new Endings(config, random);
        this.executor = requireNonNull(executor);
        this.observer = requireNonNull(observer);
        this.tracer = requireNonNull(tracer);
        this.ended = requireNonNull(ended);
        config.destinations().keySet().forEach(this::destination);
    }

    /** Forgets what is under way of all shards but these: others deliver it again. */
    public void keep(Set<ShardId> shards) {
        flights.entrySet().removeIf(entry -> {
            boolean lost = !shards.contains(entry.getKey());
            if (lost) {
                entry.getValue().cancel();
            }
            return lost;
        });
    }

    /**
     * Records what has ended of the shard's messages, and begins to deliver what is due, at most a page at once.
     *
     * @return how many were begun
     */
    public int step(Lease lease) throws JournalException {
        settle(lease);
        return begin(lease, 1);
    }

    private Flights flights(Lease lease) {
        Flights own = flights.computeIfAbsent(lease.shard().id(), shard -> new Flights(lease.epoch()));
        if (own.epoch != lease.epoch()) {
            // Whoever held the shard in between may have delivered them: what is still due is read anew.
            own.cancel();
            own = new Flights(lease.epoch());
            flights.put(lease.shard().id(), own);
        }
        return own;
    }

    /** Records what has ended of the shard's messages. */
    void settle(Lease lease) throws JournalException {
        Flights own = flights(lease);
        Instant now = clock.now();
        List<Try> settled = new ArrayList<>();
        List<DeliveryObserver.Ended> ends = new ArrayList<>();
        own.tries.values().forEach(attempt -> {
            if (attempt.isDone() || !now.isBefore(attempt.end)) {
                settled.add(attempt);
                Outbox.Settlement settlement = settlement(attempt, now);
                ends.add(new DeliveryObserver.Ended(
                        settlement, settlement.evidence().took()));
            }
        });
        if (!ends.isEmpty()) {
            outbox.settle(
                    lease, ends.stream().map(DeliveryObserver.Ended::settlement).toList());
            for (int i = 0; i < settled.size(); i++) {
                own.tries.remove(settled.get(i).pending.key());
                learn(ends.get(i).settlement(), settled.get(i).asked(), now);
            }
            observer.settled(ends);
        }
    }

    /** What a destination is to be given next depends on how it took the last ones. */
    private void learn(Outbox.Settlement settlement, Duration asked, Instant now) {
        Destination destination = destination(settlement.pending().message().destination());
        boolean answered = settlement instanceof Outbox.Settlement.Delivered
                || (settlement instanceof Outbox.Settlement.Dead dead
                        && dead.reason() == Outbox.DeathReason.UNDELIVERABLE);
        if (answered) {
            destination.answered();
        } else {
            destination.failed(now, asked);
        }
    }

    /**
     * Begins to deliver what is due of the shard.
     *
     * @param shards that share what there is room for, this one with those that are to begin after it
     * @return how many were begun
     */
    int begin(Lease lease, int shards) throws JournalException {
        Flights own = flights(lease);
        int free = config.page() - own.tries.size();
        if (free <= 0) {
            return 0;
        }
        Instant now = clock.now();
        SettingLog log = settings.get();
        Map<String, Integer> room = room(now);
        room.replaceAll((name, places) -> Math.ceilDiv(places, shards));
        List<Outbox.Pending> due = outbox.due(lease, now, wanted(own, room, log));
        if (settings.get() != log) {
            // Something was set for scopes meanwhile: what may go is asked anew.
            return 0;
        }
        int begun = 0;
        for (Outbox.Pending pending : due) {
            String name = pending.message().destination();
            int left = room.computeIfAbsent(
                    name, any -> Math.ceilDiv(destination(any).room(0, now), shards));
            if (begun < free && left > 0 && !own.tries.containsKey(pending.key())) {
                room.put(name, left - 1);
                destination(name).begun(now);
                begin(own, pending, now);
                begun++;
            }
        }
        return begun;
    }

    private void begin(Flights own, Outbox.Pending pending, Instant now) {
        Try attempt = new Try(pending, now);
        own.tries.put(pending.key(), attempt);
        executor.execute(attempt);
    }

    private Destination destination(String name) {
        return destinations.computeIfAbsent(name, own -> new Destination(config, own));
    }

    /** What the destinations that are known would take now, of all shards of this node together. */
    private Map<String, Integer> room(Instant now) {
        Map<String, Integer> flying = new HashMap<>();
        flights.values().forEach(of -> of.count(flying));
        Map<String, Integer> room = new HashMap<>();
        destinations.forEach(
                (name, destination) -> room.put(name, destination.room(flying.getOrDefault(name, 0), now)));
        return room;
    }

    /** What is under way is still due: it is asked for besides what there is room for. */
    private Wanted wanted(Flights own, Map<String, Integer> room, SettingLog log) {
        Map<String, Integer> flying = new HashMap<>();
        own.count(flying);
        Map<String, Integer> of = new HashMap<>();
        room.forEach((name, more) -> of.put(name, more == 0 ? 0 : more + flying.getOrDefault(name, 0)));
        return new Wanted(config.page(), config.usual().atOnce(), of, Wanted.suspending(log));
    }

    private Publisher.Receipt deliver(Outbox.Pending pending) throws Exception {
        String destination = pending.message().destination();
        Publisher publisher = publishers.get(destination);
        if (publisher == null) {
            throw new Endings.UnknownDestinationException(destination);
        }
        Delivery delivery = Delivery.of(pending);
        return ScopedValue.where(LogContext.CURRENT, delivery).call(() -> traced(pending, delivery, publisher));
    }

    private Publisher.Receipt traced(Outbox.Pending pending, Delivery delivery, Publisher publisher) throws Exception {
        long cause = pending.message().causeSequence();
        try (TracedStep step = tracer.delivery(pending.run(), delivery.destination(), cause, delivery.attempt())) {
            try {
                return requireNonNull(
                        publisher.deliver(delivery.following(step.traceparent())), "the publisher answered null");
            } catch (Exception | Error e) {
                step.failed(e.getClass().getSimpleName());
                throw e;
            }
        }
    }

    private Outbox.Settlement settlement(Try attempt, Instant now) {
        if (!attempt.isDone()) {
            attempt.cancel(true);
        }
        Duration took = attempt.took(now);
        return switch (attempt.state()) {
            case SUCCESS -> endings.delivered(attempt.pending, attempt.begin, took, attempt.resultNow());
            case FAILED -> endings.failed(attempt.pending, attempt.begin, took, attempt.exceptionNow(), now);
            case CANCELLED, RUNNING -> endings.late(attempt.pending, attempt.begin, took, now);
        };
    }

    /** The deliveries of one shard that have not been recorded, while it is held under one epoch. */
    private static final class Flights {
        final long epoch;
        final Map<OutboxKey, Try> tries = new LinkedHashMap<>();

        Flights(long epoch) {
            this.epoch = epoch;
        }

        void count(Map<String, Integer> byDestination) {
            tries.values()
                    .forEach(attempt ->
                            byDestination.merge(attempt.pending.message().destination(), 1, Integer::sum));
        }

        void cancel() {
            tries.values().forEach(attempt -> attempt.cancel(true));
        }
    }

    /** One delivery under way. */
    private final class Try extends FutureTask<Publisher.Receipt> {
        final Outbox.Pending pending;
        final Instant begin;
        final Instant end;
        private volatile Instant doneAt = Instant.MAX;

        Try(Outbox.Pending pending, Instant begin) {
            super(() -> deliver(pending));
            this.pending = pending;
            this.begin = begin;
            this.end = begin.plus(config.timeout());
        }

        /** The pause that the other side asked for, once it is done. */
        Duration asked() {
            return state() == State.FAILED ? Endings.asked(exceptionNow()) : Duration.ZERO;
        }

        Duration took(Instant now) {
            Duration took = Duration.between(begin, doneAt.isBefore(now) ? doneAt : now);
            return took.isNegative() ? Duration.ZERO : took;
        }

        @Override
        protected void done() {
            doneAt = clock.now();
            ended.run();
        }
    }
}
