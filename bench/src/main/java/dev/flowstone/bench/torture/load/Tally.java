package dev.flowstone.bench.torture.load;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** How calls fared. */
public final class Tally {
    private static final int KEPT = 20;

    private final Elapsed elapsed;
    private final PerSecond acknowledged = new PerSecond();
    private final PerSecond unanswered = new PerSecond();
    private final Queue<String> odd = new ConcurrentLinkedQueue<>();
    private final AtomicLong odds = new AtomicLong();
    private final Queue<String> differing = new ConcurrentLinkedQueue<>();
    private final AtomicLong twice = new AtomicLong();
    private final AtomicLong givenUp = new AtomicLong();

    public Tally(Elapsed elapsed) {
        this.elapsed = requireNonNull(elapsed);
    }

    void acknowledged() {
        acknowledged.add(elapsed.seconds());
    }

    /** Not answered, or told to come again. */
    void unanswered() {
        unanswered.add(elapsed.seconds());
    }

    /** Answered as nobody expects. */
    public void odd(String what) {
        if (odds.incrementAndGet() <= KEPT) {
            odd.add(what);
        }
    }

    /** Asked of two nodes at the same time. */
    void twice() {
        twice.incrementAndGet();
    }

    /** They said different things. */
    void differed(String what) {
        differing.add(what);
    }

    public long twiceCount() {
        return twice.get();
    }

    /** Each in words. */
    public List<String> differences() {
        return List.copyOf(differing);
    }

    /** Never known, in spite of all patience. */
    void givenUp() {
        givenUp.incrementAndGet();
    }

    public PerSecond acknowledgedPerSecond() {
        return acknowledged;
    }

    public PerSecond unansweredPerSecond() {
        return unanswered;
    }

    /** The first of them. */
    public List<String> oddities() {
        return List.copyOf(odd);
    }

    public long oddCount() {
        return odds.get();
    }

    public long givenUpCount() {
        return givenUp.get();
    }
}
