package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.subscription.Subscription;
import dev.flowstone.engine.subscription.Subscription.Wish;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.SubscriptionWork;
import dev.flowstone.engine.subscription.SubscriptionWork.Assigned;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.time.TimeLeft;
import dev.flowstone.server.metric.EventsOutMetrics;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Sends events out: for each active subscription there is a worker for each stream whose shard this node has. Looks now and then who has
 * what, and where streams end. Close it before the engine.
 */
public final class EventsOut implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(EventsOut.class.getName());
    private static final Duration TICK = Duration.ofMillis(100);

    /** Ticks between two looks at what there is to do. */
    private static final int LOOK = 5;

    private static final Duration LAST = Duration.ofSeconds(5);

    /** Of workers at the database at once: one of them may read while another one records. */
    private static final int TURNS = 2;

    private static final long PAGES = 64 << 20;
    private static final long LEAST_PAGE = 64 << 10;
    private static final long PAGE = 4 << 20;

    private final Parts parts;
    private final Engine engine;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<Place, Working> workers = new ConcurrentHashMap<>();

    /** Of the subscriptions that were active when it looked last: another revision if somebody made, resumed or moved one since. */
    private Map<SubscriptionKey, Long> revisions = Map.of();

    private final Thread thread =
            Thread.ofVirtual().name("flowstone-events-out").unstarted(this::ticks);
    private boolean inTrouble;

    private EventsOut(Parts parts, Engine engine) {
        this.parts = requireNonNull(parts);
        this.engine = requireNonNull(engine);
    }

    /**
     * What workers work with.
     *
     * @param room that their pages share
     * @param turns at the database, which they share too
     * @param brokenAfter of trying in vain
     */
    record Parts(
            Clock clock,
            Feed feed,
            RunHistory history,
            SubscriptionWork work,
            Sinks sinks,
            FeedHeads heads,
            PageRoom room,
            Semaphore turns,
            EventsOutMetrics metrics,
            Duration brokenAfter) {
        Parts {
            requireNonNull(clock);
            requireNonNull(feed);
            requireNonNull(history);
            requireNonNull(work);
            requireNonNull(sinks);
            requireNonNull(heads);
            requireNonNull(room);
            requireNonNull(turns);
            requireNonNull(metrics);
            requireNonNull(brokenAfter);
        }

        static Parts of(
                Ports ports, SubscriptionWork work, Sinks sinks, EventsOutMetrics metrics, Duration brokenAfter) {
            return new Parts(
                    ports.clock(),
                    new SharedFeed(ports.feed()),
                    new RunHistory(ports.runs()),
                    work,
                    sinks,
                    new FeedHeads(),
                    new PageRoom(PAGES, LEAST_PAGE, PAGE),
                    new Semaphore(TURNS, true),
                    metrics,
                    brokenAfter);
        }
    }

    /** Which stream for which subscription. */
    private record Place(SubscriptionKey key, int stream) {}

    /** What a worker goes by: if it isn't so any more, another one takes its place. */
    private record Orders(Wish wish, long turn, long epoch) {}

    private record Working(Orders orders, Thread thread, Stop stop) {
        void end() {
            stop.ask(thread);
        }
    }

    /** Begins. */
    public static EventsOut start(
            Ports ports,
            Engine engine,
            SubscriptionWork work,
            Sinks sinks,
            EventsOutMetrics metrics,
            Duration brokenAfter) {
        EventsOut out = new EventsOut(Parts.of(ports, work, sinks, metrics, brokenAfter), engine);
        out.thread.start();
        return out;
    }

    private void ticks() {
        int tick = 0;
        try {
            while (!closed.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                tick(tick++ % LOOK == 0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stopAll();
        }
    }

    private void tick(boolean looks) {
        try {
            if (looks) {
                look();
            }
            if (!workers.isEmpty()) {
                parts.heads().are(parts.feed().last(streams()));
            }
            inTrouble = false;
        } catch (JournalException | RuntimeException e) {
            if (!inTrouble) {
                LOG.log(Level.WARNING, "what events there are to send can't be seen now: " + e.getMessage(), e);
            }
            inTrouble = true;
        }
    }

    private Set<Integer> streams() {
        return workers.keySet().stream().map(Place::stream).collect(Collectors.toSet());
    }

    private void look() throws JournalException {
        Map<Integer, Lease> leases =
                engine.leases().stream().collect(Collectors.toMap(lease -> lease.shard().stream(), lease -> lease));
        List<Assigned> assigned = leases.isEmpty() ? List.of() : parts.work().assigned(leases.keySet());
        if (!leases.isEmpty()) {
            reopen(assigned);
        }
        Set<Place> wanted = new HashSet<>();
        for (Assigned one : assigned) {
            Place place = new Place(one.subscription().key(), one.cursor().stream());
            wanted.add(place);
            // There is a lease for each stream that was asked for.
            man(place, one, requireNonNull(leases.get(place.stream())));
        }
        workers.forEach((place, working) -> {
            if (!wanted.contains(place)) {
                working.end();
            }
        });
        workers.values().removeIf(working -> !working.thread().isAlive());
    }

    /** Whoever made, resumed or moved a subscription wants to see it tried, whatever its place has asked for. */
    private void reopen(List<Assigned> assigned) {
        Map<SubscriptionKey, Long> now = new HashMap<>();
        for (Assigned one : assigned) {
            Subscription subscription = one.subscription();
            Long before = revisions.get(subscription.key());
            boolean isNew = now.put(subscription.key(), subscription.revision()) == null;
            if (isNew && (before == null || before != subscription.revision())) {
                parts.sinks().way(subscription.wish().sink()).gate().reopen();
            }
        }
        revisions = now;
    }

    /** Sees to it that somebody works there by these orders; never two at once. */
    private void man(Place place, Assigned assigned, Lease lease) {
        Orders orders =
                new Orders(assigned.subscription().wish(), assigned.cursor().turn(), lease.epoch());
        Working working = workers.get(place);
        if (working != null && working.thread().isAlive()) {
            if (!working.orders().equals(orders)) {
                working.end();
            }
            return;
        }
        Stop stop = new Stop(parts.turns());
        StreamWorker worker = new StreamWorker(parts, lease, assigned, stop, () -> isOurs(lease));
        workers.put(
                place,
                new Working(
                        orders,
                        Thread.ofVirtual()
                                .name("flowstone-events-out-" + place.key().name() + "-" + place.stream())
                                .start(worker),
                        stop));
    }

    private boolean isOurs(Lease lease) {
        return closed.getCount() > 0
                && engine.leases().stream()
                        .anyMatch(
                                held -> held.shard().id().equals(lease.shard().id()) && held.epoch() == lease.epoch());
    }

    private void stopAll() {
        workers.values().forEach(Working::end);
        TimeLeft time = TimeLeft.of(LAST);
        for (Working working : workers.values()) {
            try {
                if (!time.join(working.thread())) {
                    working.thread().interrupt();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** What is on its way is given up, and sent again by whoever comes next; what was acknowledged is still recorded. Returns at once. */
    public void end() {
        closed.countDown();
        workers.values().forEach(Working::end);
    }

    /** Waits, after {@link #end}, until all is recorded; what isn't after this time is sent again. */
    public void await(Duration time) {
        try {
            if (thread.join(time)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!workers.isEmpty()) {
            LOG.log(Level.WARNING, "how far events were sent can't be recorded; some will be sent again");
        }
        thread.interrupt();
        workers.values().forEach(working -> working.thread().interrupt());
    }

    /** Ends, and waits a moment until all is recorded. */
    @Override
    public void close() {
        end();
        await(LAST);
        parts.sinks().close();
    }
}
