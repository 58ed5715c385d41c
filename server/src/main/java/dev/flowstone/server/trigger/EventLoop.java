package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.time.TimeLeft;
import dev.flowstone.engine.trigger.EventTriggers;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Follows the events of the streams whose shards this node has, for all event triggers together: each event is taken once however many
 * triggers there are, and compared in memory. End it before the engine's
 * leases are given back.
 */
public final class EventLoop implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(EventLoop.class.getName());
    private static final Duration TICK = Duration.ofMillis(100);

    private final Parts parts;
    private final Supplier<List<Lease>> leases;
    private final boolean starts;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** By stream. */
    private final Map<Integer, StreamFollower> followers = new ConcurrentHashMap<>();

    private final Thread thread =
            Thread.ofVirtual().name("flowstone-event-triggers").unstarted(this::ticks);
    private final EventView view;
    private final AtomicBoolean begun = new AtomicBoolean();
    private boolean inTrouble;

    /**
     * Makes one that waits for {@link #begin}.
     *
     * @param leases that this node has
     * @param starts whether events start something
     */
    EventLoop(Parts parts, Supplier<List<Lease>> leases, boolean starts) {
        this.parts = requireNonNull(parts);
        this.leases = requireNonNull(leases);
        this.starts = starts;
        this.view = new EventView(parts.feed(), parts.triggers(), System::nanoTime);
    }

    /** What followers work with. */
    record Parts(Feed feed, RunHistory history, EventTriggers triggers, OwnEvents starts) {
        Parts {
            requireNonNull(feed);
            requireNonNull(history);
            requireNonNull(triggers);
            requireNonNull(starts);
        }
    }

    /**
     * Makes one that waits for {@link #begin}.
     *
     * @param enabled whether events start something; if not, they are passed over
     */
    public static EventLoop of(
            Ports ports, Engine engine, EventTriggers triggers, EventStarts starts, boolean enabled) {
        Parts parts = new Parts(ports.feed(), new RunHistory(ports.runs()), triggers, starts);
        return new EventLoop(parts, engine::leases, enabled);
    }

    /** Follows events from now on, once the node can reach those others that have the shards of what is started. */
    public void begin() {
        if (!begun.getAndSet(true)) {
            thread.start();
        }
    }

    private void ticks() {
        try {
            while (!closed.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                tick();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tick() {
        try {
            Listeners listeners = view.listeners();
            if (listeners.isIdle()) {
                // One that is still at work is met again: nobody else may follow its stream meanwhile.
                followers.values().removeIf(StreamFollower::isAtRest);
                listeners = view.lookForAny();
            }
            if (!listeners.isIdle()) {
                follow();
            }
            inTrouble = false;
        } catch (Throwable e) {
            if (!inTrouble) {
                LOG.log(Level.WARNING, "what happens can't be seen for triggers now: " + e.getMessage(), e);
            }
            inTrouble = true;
        }
    }

    private void follow() throws JournalException {
        Map<Integer, Lease> ours = ours();
        man(ours);
        if (ours.isEmpty()) {
            return;
        }
        EventView.Seen seen = view.look(ours.keySet(), this::isBehind);
        followers.forEach((stream, follower) -> follower.wake(seen.head(stream)));
    }

    private boolean isBehind(Map<Integer, Long> heads) {
        return followers.entrySet().stream()
                .anyMatch(it -> it.getValue().isBehind(heads.getOrDefault(it.getKey(), 0L)));
    }

    private Map<Integer, Lease> ours() {
        Map<Integer, Lease> ours = new HashMap<>();
        leases.get().forEach(lease -> ours.put(lease.shard().stream(), lease));
        return ours;
    }

    /** Sees to it that each stream that is this node's has one who follows it, and no other. */
    private void man(Map<Integer, Lease> ours) throws JournalException {
        followers.entrySet().removeIf(it -> !it.getValue().isOf(ours.get(it.getKey())));
        Collection<Integer> fresh = ours.keySet().stream()
                .filter(stream -> !followers.containsKey(stream))
                .toList();
        if (fresh.isEmpty()) {
            return;
        }
        var places = parts.triggers().places(fresh);
        for (int stream : fresh) {
            Lease lease = requireNonNull(ours.get(stream));
            followers.put(
                    stream,
                    new StreamFollower(parts, lease, places.get(stream), starts, view::listeners, () -> isOurs(lease)));
        }
    }

    private boolean isOurs(Lease lease) {
        return closed.getCount() > 0
                && leases.get().stream()
                        .anyMatch(
                                held -> held.shard().id().equals(lease.shard().id()) && held.epoch() == lease.epoch());
    }

    /** Nothing more is begun; what is under way has until {@link #await}. Returns at once. */
    public void end() {
        closed.countDown();
        parts.starts().end();
    }

    /** Waits, after {@link #end}, until what is under way is recorded; what isn't is taken again by whoever comes next, and starts nothing again. */
    public void await(Duration time) {
        TimeLeft left = TimeLeft.of(time);
        try {
            if (begun.get()) {
                boolean _ = left.join(thread);
            }
            for (StreamFollower follower : followers.values()) {
                follower.end(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for nothing. */
    @Override
    public void close() {
        end();
        thread.interrupt();
    }
}
