package dev.flowstone.engine.limit;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.time.Pace;
import dev.flowstone.kernel.id.HandlerName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets attempts begin within limits. After every {@link #change}, and every {@link #open} once time has passed, no line waits at an
 * open gate: what may begin has begun. No line begins before one that waits at a gate of both. Thread-safe; its lock guards
 * gates, lines and whatever they are in.
 */
public final class Gates {
    /** Of a rate this much may begin at once. */
    private static final Duration BURST = Duration.ofMillis(100);

    private final Clock clock;
    private final Runnable sooner;
    private final Map<ActionLimit, Gate> limits = new LinkedHashMap<>();
    private final boolean paced;
    private final ReentrantLock lock = new ReentrantLock();

    /** Gates that may have opened. */
    private final ArrayDeque<Gate> touched = new ArrayDeque<>();

    /** To be done when the lock is free again. */
    private List<Runnable> then = new ArrayList<>();

    /** When somebody is to call {@link #open}, as far as they know. */
    private long announced = Long.MAX_VALUE;

    /**
     * Nothing goes on yet.
     *
     * @param sooner is told that {@link #open} is to be called earlier than it last said; under the lock
     */
    public Gates(List<ActionLimit> limits, Clock clock, Runnable sooner) {
        this.clock = requireNonNull(clock);
        this.sooner = requireNonNull(sooner);
        // From the narrowest on, in one order for all: a line waits there first, where it is in nobody's way.
        limits.stream()
                .sorted(Comparator.comparing(ActionLimit::isOnMany)
                        .thenComparingInt(limit -> -limit.actions().length())
                        .thenComparing(ActionLimit::actions))
                .forEach(limit -> this.limits.put(limit, gate(limit)));
        this.paced = this.limits.values().stream().anyMatch(Gate::isPaced);
    }

    private static Gate gate(ActionLimit limit) {
        return new Gate(
                limit.atOnce() == 0 ? Integer.MAX_VALUE : limit.atOnce(),
                limit.perSecond() == 0 ? null : Pace.of(limit.perSecond(), BURST));
    }

    /** A further limit. */
    public static Gate gate(int atOnce) {
        return new Gate(atOnce, null);
    }

    /** The limits on an action, from the narrowest on. */
    public List<Gate> of(HandlerName action) {
        return limits.entrySet().stream()
                .filter(limit -> limit.getKey().isOn(action))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** How many may go on at once within all of them. */
    public static int most(List<Gate> gates) {
        return gates.stream().mapToInt(Gate::most).min().orElse(Integer.MAX_VALUE);
    }

    /** Changes what the lock guards, and then lets begin what may. */
    public <T> T change(Supplier<T> change) {
        return change(change, Runnable::run);
    }

    /**
     * The same.
     *
     * @param after is given what is to be done once the lock is free, and must see to it soon
     */
    public <T> T change(Supplier<T> change, Consumer<Runnable> after) {
        List<Runnable> now = List.of();
        lock.lock();
        try {
            lookAtTheClock();
            return change.get();
        } finally {
            try {
                pump();
                announce();
                now = taken();
            } finally {
                lock.unlock();
            }
            now.forEach(after);
        }
    }

    /** The same for a change without a result. */
    public void change(Runnable change) {
        change(() -> {
            change.run();
            return true;
        });
    }

    /** Looks at what the lock guards. */
    public <T> T look(Supplier<T> look) {
        lock.lock();
        try {
            return look.get();
        } finally {
            lock.unlock();
        }
    }

    /** Something to do once the lock is free; for lines, while they {@link Line#begin}. */
    public void then(Runnable action) {
        then.add(action);
    }

    private List<Runnable> taken() {
        if (then.isEmpty()) {
            return List.of();
        }
        List<Runnable> taken = then;
        then = new ArrayList<>();
        return taken;
    }

    /** To be signaled within a change. */
    public Condition condition() {
        return lock.newCondition();
    }

    /** Waits, in real time, until it holds, looking at each signal; false if it doesn't in time. */
    public boolean await(Condition signaled, long nanos, BooleanSupplier holds) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (!holds.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = signaled.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether somebody has to call {@link #open} as time goes on. */
    public boolean isPaced() {
        return paced;
    }

    /** Lets begin what time has allowed; answers when to call it again. */
    public Instant open() {
        return change(() -> {
            announced = next();
            return announced == Long.MAX_VALUE ? Instant.MAX : Instant.EPOCH.plusNanos(announced);
        });
    }

    /** Within a change: something in the line may have become ready. True if its first has begun. */
    public boolean pass(Line line) {
        return line.at == null && step(line, null);
    }

    /** Within a change: the line has lost what was in it. It will wait behind others again. */
    public void left(Line line) {
        if (line.at != null) {
            line.at.parked.of(line.workClass).remove(line);
            line.at = null;
        }
    }

    /** Within a change: goes on already, whatever the limits say; nothing else begins until there is room. */
    public Permit force(Line line) {
        line.gates.forEach(Gate::count);
        return new Permit(line.gates);
    }

    /** Within a change: what began is over; said again it means nothing. */
    public void end(@Nullable Permit permit) {
        if (permit == null || permit.ended) {
            return;
        }
        permit.ended = true;
        for (Gate gate : permit.gates) {
            gate.leave();
            touched.add(gate);
        }
    }

    /**
     * Begins the line's first, or lets the line wait.
     *
     * @param by the gate at which it was first; null if it comes anew. At gates after that one it comes behind all who wait
     */
    private boolean step(Line line, @Nullable Gate by) {
        long now = now();
        while (line.isReady()) {
            boolean first = by != null;
            for (Gate gate : line.gates) {
                if (!gate.isOpen(now) || (!first && !gate.parked.isEmpty())) {
                    park(line, gate);
                    return false;
                }
                first &= gate != by;
            }
            Permit permit = new Permit(line.gates);
            if (line.begin(permit)) {
                line.gates.forEach(gate -> gate.enter(now));
                return true;
            }
        }
        return false;
    }

    private void park(Line line, Gate gate) {
        line.at = gate;
        gate.parked.of(line.workClass).add(line);
        touched.add(gate);
    }

    private void lookAtTheClock() {
        if (paced) {
            for (Gate gate : limits.values()) {
                if (gate.isPaced()) {
                    touched.add(gate);
                }
            }
            pump();
        }
    }

    private void pump() {
        for (Gate gate = touched.poll(); gate != null; gate = touched.poll()) {
            while (!gate.parked.isEmpty() && gate.isOpen(now())) {
                Line line = gate.parked.next().removeFirst();
                line.at = null;
                if (step(line, gate) && line.at == null && line.isReady()) {
                    park(line, gate);
                }
            }
        }
    }

    private void announce() {
        long next = paced ? next() : Long.MAX_VALUE;
        if (next < announced) {
            announced = next;
            sooner.run();
        }
    }

    private long next() {
        long now = now();
        long next = Long.MAX_VALUE;
        for (Gate gate : limits.values()) {
            if (!gate.parked.isEmpty()) {
                next = Math.min(next, gate.opensAt(now));
            }
        }
        return next;
    }

    private long now() {
        return paced ? Pace.nanos(clock.now()) : 0;
    }

    /** How much goes on within each limit. */
    public Map<ActionLimit, Integer> running() {
        return look(() -> {
            Map<ActionLimit, Integer> running = new LinkedHashMap<>();
            limits.forEach((limit, gate) -> running.put(limit, gate.running()));
            return running;
        });
    }
}
