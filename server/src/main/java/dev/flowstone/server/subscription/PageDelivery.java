package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.id.RunId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Sends a page in rounds until all of it is acknowledged: runs side by side, the events of one run one after another. In a round a run
 * whose event fails waits for the next round, and no other run waits for it. One thread makes the rounds.
 */
final class PageDelivery {
    /** Failures one after another after which a round ends, so that nobody waits for a place that is down. */
    private static final int ENOUGH = 5;

    private final List<OutEvent> events;
    private final boolean[] acknowledged;
    private final FeedPlace begin;
    private final FeedPlace end;
    private final Sinks.Way way;
    private final BooleanSupplier mayGoOn;
    private final Map<Integer, SendException> failures = new ConcurrentHashMap<>();
    private final AtomicInteger inARow = new AtomicInteger();
    private int counted;

    /**
     * A page's.
     *
     * @param begin the place before it
     * @param mayGoOn asked before each event: whether this node may still send
     */
    PageDelivery(FeedPlace begin, EventPages.Page page, Sinks.Way way, BooleanSupplier mayGoOn) {
        this.events = page.events();
        this.acknowledged = new boolean[events.size()];
        this.begin = requireNonNull(begin);
        this.end = page.end();
        this.way = requireNonNull(way);
        this.mayGoOn = requireNonNull(mayGoOn);
    }

    /** Sends what is left; returns when every run has come to its end or failed. */
    void round() throws InterruptedException {
        failures.clear();
        inARow.set(0);
        List<Callable<Boolean>> lanes = new ArrayList<>();
        for (List<Integer> lane : lanes().values()) {
            lanes.add(() -> {
                send(lane);
                return true;
            });
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var _ = threads.invokeAll(lanes);
        }
    }

    /** What is left of each run, by the places of its events, runs in the order of their first. */
    private Map<RunId, List<Integer>> lanes() {
        Map<RunId, List<Integer>> lanes = new LinkedHashMap<>();
        for (int i = 0; i < acknowledged.length; i++) {
            if (!acknowledged[i]) {
                lanes.computeIfAbsent(events.get(i).run(), _ -> new ArrayList<>())
                        .add(i);
            }
        }
        return lanes;
    }

    private void send(List<Integer> lane) throws InterruptedException {
        for (int i : lane) {
            way.gate().enter();
            try {
                if (inARow.get() >= ENOUGH || !mayGoOn.getAsBoolean() || !isSent(i)) {
                    return;
                }
            } finally {
                way.gate().leave();
            }
        }
    }

    private boolean isSent(int event) throws InterruptedException {
        try {
            way.sink().send(events.get(event));
            acknowledged[event] = true;
            inARow.set(0);
            return true;
        } catch (SendException e) {
            failed(event, e);
        } catch (RuntimeException e) {
            failed(event, SendException.of("a fault of ours: " + e));
        }
        return false;
    }

    private void failed(int event, SendException why) {
        failures.put(event, why);
        inARow.incrementAndGet();
    }

    boolean isDone() {
        return first() == acknowledged.length;
    }

    /** The first that isn't acknowledged. */
    private int first() {
        for (int i = 0; i < acknowledged.length; i++) {
            if (!acknowledged[i]) {
                return i;
            }
        }
        return acknowledged.length;
    }

    /** Up to where everything is acknowledged. */
    FeedPlace place() {
        int first = first();
        return first == acknowledged.length
                ? end
                : first == 0 ? begin : events.get(first - 1).behind();
    }

    /** The event that the place is before, if it has failed in the last round: what is held up, and holds up. */
    Optional<OutEvent> blocked() {
        int first = first();
        return failures.containsKey(first) ? Optional.of(events.get(first)) : Optional.empty();
    }

    /** What went wrong in the last round: of the event that is held up, or of another one. */
    Optional<SendException> failure() {
        return failures.entrySet().stream().min(Map.Entry.comparingByKey()).map(Map.Entry::getValue);
    }

    List<SendException> failures() {
        return List.copyOf(failures.values());
    }

    /** How many were acknowledged that this hasn't told of before. */
    int counted() {
        int all = 0;
        for (boolean one : acknowledged) {
            all += one ? 1 : 0;
        }
        int more = all - counted;
        counted = all;
        return more;
    }
}
