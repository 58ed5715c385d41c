package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.id.RunId;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Sends a page in rounds until all of it is acknowledged: runs side by side, the events of one run one after another. In a round a run
 * whose event fails waits for the next round, and no other run waits for it: the next round begins with the others, and with those that
 * failed longest ago. One thread makes the rounds.
 */
final class PageDelivery {
    private static final System.Logger LOG = System.getLogger(PageDelivery.class.getName());

    /** Failures one after another after which a round ends, so that nobody waits for a place that is down. */
    private static final int ENOUGH = 5;

    private final List<OutEvent> events;
    private final boolean[] acknowledged;
    private final FeedPlace begin;
    private final FeedPlace end;
    private final Sinks.Way way;
    private final BooleanSupplier mayGoOn;
    private final Map<Integer, SendException> failures = new ConcurrentHashMap<>();
    private final Map<RunId, Integer> failedIn = new ConcurrentHashMap<>();
    private final AtomicInteger inARow = new AtomicInteger();
    private int rounds;
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

    /** Sends what is left; returns when every run has come to its end or failed, or the place is to be left alone. */
    void round() throws InterruptedException {
        rounds++;
        failures.clear();
        inARow.set(0);
        Queue<List<Integer>> left = new ConcurrentLinkedQueue<>(lanes());
        Callable<Boolean> sender = () -> sendAll(left);
        int senders = Math.min(left.size(), way.gate().places());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var _ = threads.invokeAll(Collections.nCopies(senders, sender));
        }
    }

    /** What is left of each run, by the places of its events: runs that didn't fail in the order of their first, then the others. */
    private List<List<Integer>> lanes() {
        Map<RunId, List<Integer>> lanes = new LinkedHashMap<>();
        for (int i = 0; i < acknowledged.length; i++) {
            if (!acknowledged[i]) {
                lanes.computeIfAbsent(events.get(i).run(), _ -> new ArrayList<>())
                        .add(i);
            }
        }
        return lanes.entrySet().stream()
                .sorted(Comparator.comparing(lane -> failedIn.getOrDefault(lane.getKey(), 0)))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Whether it came to the end of all. */
    private boolean sendAll(Queue<List<Integer>> lanes) throws InterruptedException {
        for (List<Integer> lane = lanes.poll(); lane != null; lane = lanes.poll()) {
            send(lane);
            if (!goesOn()) {
                return false;
            }
        }
        return true;
    }

    private void send(List<Integer> lane) throws InterruptedException {
        for (int i : lane) {
            // Who is given up takes nothing of the pace.
            if (!goesOn()) {
                return;
            }
            way.gate().enter();
            try {
                if (!goesOn() || !isSent(i)) {
                    return;
                }
            } finally {
                way.gate().leave();
            }
        }
    }

    private boolean goesOn() {
        return inARow.get() < ENOUGH && !way.gate().isPaused() && mayGoOn.getAsBoolean();
    }

    private boolean isSent(int event) throws InterruptedException {
        try {
            way.sink().send(events.get(event));
            acknowledged[event] = true;
            failedIn.remove(events.get(event).run());
            inARow.set(0);
            return true;
        } catch (SendException e) {
            failed(event, e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "event " + events.get(event).id() + " can't be sent", e);
            failed(
                    event,
                    SendException.of("a fault of ours, " + e.getClass().getSimpleName() + "; the server's log has it"));
        }
        return false;
    }

    private void failed(int event, SendException why) {
        failures.put(event, why);
        failedIn.put(events.get(event).run(), rounds);
        inARow.incrementAndGet();
        why.pause().ifPresent(way.gate()::pause);
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

    /** The event that the place is before, if something failed in the last round: it holds up the page, tried or not. */
    Optional<OutEvent> blocked() {
        return failures.isEmpty() || isDone() ? Optional.empty() : Optional.of(events.get(first()));
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
