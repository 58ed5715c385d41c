package dev.flowstone.server.trigger;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.TriggerSchedules;
import dev.flowstone.server.config.TriggerConfig;
import dev.flowstone.server.metric.TriggerMetrics;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Fires the schedule triggers of this node's shards. A tick is claimed durably, once, by the owner of its trigger's shard, and started by
 * the owner of its start's shard, under a request id that is the tick's: so it is one execution, whatever happens between.
 *
 * <pre>
 *   due ─▶ claimed, with its delivery ─▶ open ─▶ started, settled
 *           under the shard's epoch        └▶ not now: open again, later
 * </pre>
 *
 * While nothing is due it looks twice a second what others have done. Close it before the engine's leases are given back.
 */
public final class ScheduleLoop implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ScheduleLoop.class.getName());
    private static final Duration PERIOD = Duration.ofMillis(500);

    /** Between pages, and before what is due now. */
    private static final Duration BREATH = Duration.ofMillis(5);

    private static final Duration LAST = Duration.ofSeconds(5);

    private final TriggerSchedules schedules;
    private final Supplier<List<Lease>> leases;
    private final TriggerMetrics metrics;
    private final ScheduleClaims claims;
    private final OpenTicks open;
    private final Semaphore woken = new Semaphore(0);
    private volatile boolean ended;

    /** Whether more waits than there was room for. */
    private volatile boolean isHungry;

    /** When schedules are to be looked at next, as {@link System#nanoTime} counts. */
    private long lookAt = System.nanoTime();

    private final Trouble asking = new Trouble("whose schedules are due can't be asked now");
    private final Trouble claiming = new Trouble("what schedules are due can't be claimed now");
    private final Trouble starting = new Trouble("what schedules have fired can't be started now");
    private final Thread thread = Thread.ofVirtual().name("flowstone-schedules").unstarted(this::rounds);

    private ScheduleLoop(
            TriggerSchedules schedules,
            TickStarter starter,
            Supplier<List<Lease>> leases,
            Clock clock,
            Duration missedAfter,
            TriggerMetrics metrics) {
        this.schedules = requireNonNull(schedules);
        this.leases = requireNonNull(leases);
        this.metrics = requireNonNull(metrics);
        RulesCache rules = new RulesCache();
        this.claims = new ScheduleClaims(schedules, rules, missedAfter);
        this.open = new OpenTicks(schedules, new TickAttempt(starter, rules), clock, metrics, this::freed);
    }

    /** Begins, if schedules are to fire at this node. */
    public static ScheduleLoop start(
            TriggerSchedules schedules,
            Launcher launcher,
            Engine engine,
            Clock clock,
            TriggerConfig config,
            TriggerMetrics metrics) {
        return start(schedules, TickStarter.of(launcher), engine::leases, clock, config, metrics);
    }

    /** @param clock for what is measured; what is due, the store's time says */
    static ScheduleLoop start(
            TriggerSchedules schedules,
            TickStarter starter,
            Supplier<List<Lease>> leases,
            Clock clock,
            TriggerConfig config,
            TriggerMetrics metrics) {
        ScheduleLoop loop = new ScheduleLoop(schedules, starter, leases, clock, config.missedAfter(), metrics);
        if (config.schedules()) {
            loop.thread.start();
        } else {
            loop.ended = true;
        }
        return loop;
    }

    private void freed() {
        if (isHungry) {
            woken.release();
        }
    }

    private void rounds() {
        try {
            Duration pause = BREATH;
            while (!ended) {
                boolean _ = woken.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
                woken.drainPermits();
                pause = ended ? BREATH : round();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Claims and starts what is due, neither for the other's trouble left undone; for how long nothing more is. */
    private Duration round() {
        Optional<Here> here = asking.of(this::here);
        return here.isEmpty() || here.get().mine().isEmpty() ? PERIOD : round(here.get());
    }

    private Duration round(Here here) {
        if (System.nanoTime() - lookAt >= 0) {
            Duration pause = claiming.of(() -> look(here)).orElse(PERIOD);
            lookAt = System.nanoTime() + pause.toNanos();
        }
        if (starting.of(() -> take(here)).isEmpty()) {
            return PERIOD;
        }
        Duration until = Duration.ofNanos(lookAt - System.nanoTime());
        return until.compareTo(BREATH) < 0 ? BREATH : until;
    }

    /** This node's shards, and what time it is. */
    private record Here(List<Lease> mine, Instant now) {}

    private Here here() throws JournalException {
        List<Lease> mine = leases.get();
        return new Here(mine, mine.isEmpty() ? Instant.MIN : schedules.now());
    }

    /** When to look again. */
    private Duration look(Here here) throws JournalException {
        ScheduleClaims.Look look = claims.look(here.mine(), here.now(), PERIOD);
        metrics.claimed(look.claimed());
        metrics.skipped(look.skipped());
        if (look.isFull()) {
            return BREATH;
        }
        Duration until =
                look.next().map(next -> Duration.between(here.now(), next)).orElse(PERIOD);
        return until.compareTo(BREATH) < 0 ? BREATH : until.compareTo(PERIOD) > 0 ? PERIOD : until;
    }

    private boolean take(Here here) throws JournalException {
        isHungry = true; // before it looks, or a place that becomes free meanwhile would be missed
        isHungry = open.take(here.mine(), here.now());
        return isHungry;
    }

    /** Does something again and again; the log tells when it begins to fail, and each minute of it. */
    private static final class Trouble {
        private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

        private final String what;
        private boolean isThere;
        private long toldAt;

        Trouble(String what) {
            this.what = what;
        }

        @FunctionalInterface
        interface Work<T> {
            T get() throws JournalException;
        }

        /** Empty if it failed. */
        <T> Optional<T> of(Work<T> work) {
            try {
                T done = work.get();
                isThere = false;
                return Optional.of(done);
            } catch (JournalException | RuntimeException | Error e) {
                long now = System.nanoTime();
                if (!isThere || now - toldAt > MINUTE) {
                    LOG.log(Level.WARNING, what + ": " + e.getMessage(), e);
                    toldAt = now;
                }
                isThere = true;
                return Optional.empty();
            }
        }
    }

    /** Claims nothing more; what is open has until {@link #await}. Returns at once. */
    public void end() {
        ended = true;
        woken.release();
    }

    /** Waits, after {@link #end}, until what was begun is settled; what isn't after this time is taken up by whoever comes next. */
    public void await(Duration time) {
        open.await(time);
    }

    @Override
    public void close() {
        end();
        await(LAST);
        thread.interrupt();
    }
}
