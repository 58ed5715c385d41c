package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody.TimerCanceled;
import dev.flowstone.kernel.event.EventBody.TimerFired;
import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.event.EventBody.TimerSet;
import dev.flowstone.kernel.event.TimerEvent.TickPlanned;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Due.Missed;
import dev.flowstone.kernel.program.Grid;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Tick;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Timers that come again (R19). Each visit of such a node stands for one tick of a grid, which goes on from the tick that
 * the node fired last in the same scope instance: late firings don't add up, and no tick is fired twice.
 */
final class Recurring {
    /** A tick that is to be skipped when nobody could fire it counts as fired in time up to here, and up to the next tick. */
    static final Duration GRACE = Duration.ofMinutes(1);

    private Recurring() {}

    static void begin(Deciding deciding, ActivationId id, Grid grid, Missed policy) {
        Activation activation = deciding.state().activation(id);
        Tick before = activation == null ? null : deciding.state().tick(activation);
        Instant from = before == null ? deciding.now() : before.done();
        switch (Grids.read(deciding, grid, from)) {
            case Grids.Refused refused -> Dispatching.failed(deciding, id, 1, refused.error());
            case Grids.Walk walk -> plan(deciding, id, grid, walk.ticks(), from, policy);
        }
    }

    private static void plan(Deciding deciding, ActivationId id, Grid grid, Ticks ticks, Instant from, Missed policy) {
        Instant now = deciding.now();
        Optional<Ticks.Passed> passed = policy == Missed.ALL ? Optional.empty() : ticks.passed(from, now);
        int count = passed.map(Ticks.Passed::count).orElse(0);
        Optional<Instant> due;
        int missed;
        if (policy == Missed.ONCE && passed.isPresent()) {
            due = Optional.of(passed.get().last());
            missed = count - 1;
        } else {
            due = ticks.after(policy == Missed.SKIP && passed.isPresent() ? now : from);
            missed = count;
        }
        if (due.isEmpty()) {
            Dispatching.failed(deciding, id, 1, never(grid));
            return;
        }
        deciding.emit(new TickPlanned(id, due.get(), grid, missed));
        deciding.emit(new TimerSet(
                Timers.wait(id), Timers.generation(deciding, 1), due.get(), TimerPurpose.WAIT, Optional.of(id)));
        // A backlog goes through the shard's timers one by one: each is a wait, and other runs get their turn.
        if (policy != Missed.ALL && !due.get().isAfter(now)) {
            deciding.emit(new TimerFired(Timers.wait(id), 1));
        }
    }

    /**
     * The timer goes off. If it does so too late, its visit stands for a newer tick.
     *
     * @return whether it does not fire now
     */
    static boolean late(Deciding deciding, TimerState timer, Missed policy) {
        Activation activation =
                timer.activation().map(deciding.state()::activation).orElse(null);
        Tick tick = activation == null ? null : deciding.state().tick(activation);
        if (policy == Missed.ALL
                || activation == null
                || tick == null
                || tick.visit() != activation.id().visit()
                || !(Grids.read(deciding, tick.grid(), tick.done()) instanceof Grids.Walk(Ticks ticks))) {
            return false;
        }
        Instant now = deciding.now();
        if (policy == Missed.ONCE) {
            ticks.passed(tick.dueAt(), now).ifPresent(passed -> {
                int missed = Math.min(Ticks.COUNTED, tick.missed() + passed.count());
                deciding.emit(new TickPlanned(activation.id(), passed.last(), tick.grid(), missed));
            });
            return false;
        }
        boolean inTime = !now.isAfter(tick.dueAt().plus(GRACE))
                && ticks.after(tick.dueAt()).filter(next -> !next.isAfter(now)).isEmpty();
        if (inTime) {
            return false;
        }
        skip(deciding, timer, activation.id(), tick, ticks);
        return true;
    }

    /**
     * When a timer that stood still is due again if it recurs: at its tick, however long ago that is. Standing still doesn't move a
     * grid; what became of ticks that passed meanwhile is for the timer's own policy to say. Empty for any other timer.
     */
    static Optional<Instant> ofGrid(Deciding deciding, TimerState timer) {
        return timer.purpose() == TimerPurpose.WAIT
                ? timer.activation()
                        .map(deciding.state()::activation)
                        .flatMap(activation -> Optional.ofNullable(
                                        deciding.state().tick(activation))
                                .filter(tick -> tick.visit() == activation.id().visit()))
                        .map(Tick::dueAt)
                : Optional.empty();
    }

    private static void skip(Deciding deciding, TimerState timer, ActivationId id, Tick tick, Ticks ticks) {
        int missed = ticks.passed(tick.done(), deciding.now())
                .map(Ticks.Passed::count)
                .orElse(0);
        Optional<Instant> next = ticks.after(deciding.now());
        if (next.isEmpty()) {
            deciding.emit(new TimerCanceled(timer.timer(), timer.generation()));
            Dispatching.failed(deciding, id, 1, never(tick.grid()));
            return;
        }
        deciding.emit(new TickPlanned(id, next.get(), tick.grid(), missed));
        deciding.emit(
                new TimerSet(timer.timer(), timer.generation() + 1, next.get(), TimerPurpose.WAIT, Optional.of(id)));
    }

    private static TaskError never(Grid grid) {
        String shown = switch (grid) {
            case Grid.Cron cron -> "'" + Answers.text(cron.expression(), 60) + "'";
            case Grid.Every every -> every.period() + " from the last tick on";
        };
        return TaskError.of("NEVER_DUE", shown + " is not due before the year 10000");
    }
}
