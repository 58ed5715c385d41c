package dev.flowstone.testkit.scenario;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineNode;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.shard.ShardLoop;
import dev.flowstone.engine.shard.ShardStatus;
import dev.flowstone.testkit.time.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * The production engine on one thread: whoever holds it steps it, runs its handlers and moves its clock. Nothing happens
 * by itself, so that equal steps give equal histories.
 */
public final class SteppedNode {
    private static final Duration READ_SETTINGS = Duration.ofMillis(500);
    private static final int MAX_STEPS = 1_000_000;

    private final VirtualClock clock;
    private final EngineNode node;
    private final ArrayDeque<Runnable> handlers = new ArrayDeque<>();
    private Instant leasesKept = Instant.MIN;
    private Instant leasesDue = Instant.MIN;
    private Instant settingsDue = Instant.MIN;
    private Instant limitsDue = Instant.MAX;

    /**
     * A node over ports.
     *
     * @param clock the ports' own
     * @param parts what it is made of; its executor is replaced by one that waits to be stepped
     */
    public SteppedNode(VirtualClock clock, EngineConfig config, EngineParts parts) {
        this(clock, config, parts, executor -> executor);
    }

    /** The same, with a say in how handlers are executed. */
    public SteppedNode(VirtualClock clock, EngineConfig config, EngineParts parts, UnaryOperator<Executor> executor) {
        this.clock = requireNonNull(clock);
        this.node = new EngineNode(config, parts.withExecutor(executor.apply(handlers::add)));
    }

    public EngineNode node() {
        return node;
    }

    /** Acquires or renews leases if it is time to, and reads what was set for scopes. */
    public void keepLeases() {
        Instant now = clock.now();
        // A clock that was ahead and is right again must not keep it from reading.
        if (!now.isBefore(settingsDue) || settingsDue.isAfter(now.plus(READ_SETTINGS))) {
            settingsDue = now.plus(READ_SETTINGS);
            node.readSettings();
        }
        now = clock.now();
        // Nor from keeping its leases.
        if (!now.isBefore(leasesDue) || now.isBefore(leasesKept) || hasEnded()) {
            leasesKept = now;
            leasesDue = node.keepLeases();
        }
    }

    /** Whether a loop has ended since its node kept its leases, which it then does at once. */
    private boolean hasEnded() {
        return node.loops().stream().anyMatch(loop -> loop.status() == ShardStatus.ENDED);
    }

    /** Steps every loop once; whether any has more to do. */
    public boolean stepLoops() {
        return stepLoops(() -> {});
    }

    /** The same, for whoever has to see what each loop has done before the next one is stepped, and what was done before them all. */
    public boolean stepLoops(Runnable look) {
        keepLeases();
        limitsDue = node.openLimits();
        look.run();
        boolean more = false;
        for (ShardLoop loop : List.copyOf(node.loops())) {
            more |= loop.step();
            look.run();
        }
        // One loop may have left something for another that was stepped before it.
        return more || node.loops().stream().anyMatch(ShardLoop::isCalled);
    }

    /** Runs one handler that waits for a thread; false if none does. */
    public boolean runHandler() {
        Runnable handler = handlers.poll();
        if (handler == null) {
            return false;
        }
        handler.run();
        return true;
    }

    /** How many handlers wait for a thread. */
    public int waitingHandlers() {
        return handlers.size();
    }

    /** Steps and runs handlers until nothing is left to do at this instant. */
    public void settle() {
        for (int i = 0; i < MAX_STEPS; i++) {
            boolean more = stepLoops();
            more |= runHandler();
            if (!more) {
                return;
            }
        }
        throw new IllegalStateException("it never comes to rest");
    }

    /** Steps without running handlers until nothing is left to do at this instant. */
    public void settleLoops() {
        for (int i = 0; i < MAX_STEPS; i++) {
            if (!stepLoops()) {
                return;
            }
        }
        throw new IllegalStateException("it never comes to rest");
    }

    /** Moves the clock and then settles. */
    public void advance(Duration by) {
        clock.advance(by);
        settle();
    }

    /** Settles, and leaps to the next instant at which something happens, until it holds or the time is over. */
    public void runUntil(BooleanSupplier holds, Duration atMost) {
        Instant end = clock.now().plus(atMost);
        settle();
        while (!holds.getAsBoolean()) {
            Instant next = nextWake();
            if (next.isAfter(end)) {
                throw new IllegalStateException("it never came true within " + atMost);
            }
            if (next.isAfter(clock.now())) {
                clock.set(next);
            } else {
                clock.advance(Duration.ofMillis(1));
            }
            settle();
        }
    }

    /** When something happens next by itself, handlers' answers aside. */
    public Instant nextWake() {
        Instant next = limitsDue.isBefore(leasesDue) ? limitsDue : leasesDue;
        for (ShardLoop loop : node.loops()) {
            if (loop.status() != ShardStatus.ENDED) {
                Instant wake = loop.wakeAt();
                next = wake.isBefore(next) ? wake : next;
            }
        }
        return next;
    }
}
