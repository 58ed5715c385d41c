package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.TimerState;
import dev.flowstone.kernel.state.WideHold;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is set for a scope that the run lies in (R25). A run records it when it is next touched, as if it had done so at
 * once: between a setting and its record nothing has happened to the run, or the record counts from what happened last.
 */
final class Heeding {
    /** Settings are numbered without end, generations of timers are not. */
    private static final int GENERATIONS = 1 << 30;

    private Heeding() {}

    static Optional<Decision.Rejected> heed(Deciding deciding, ControlCommand.Heed command) {
        Draft state = deciding.state();
        if (!state.heeds()) {
            return Optional.empty();
        }
        List<Setting> fresh = command.settings().stream()
                .filter(setting -> setting.number() > state.control().wide().number())
                .toList();
        Instant reached = state.lastEventTime();
        for (Setting setting : fresh) {
            Instant at = later(reached, Times.storable(setting.at()));
            Draining.slept(deciding, reached, at);
            take(deciding, setting, at);
            Draining.restsFrom(deciding, at);
            reached = at;
        }
        if (!fresh.isEmpty()) {
            Draining.slept(deciding, reached, deciding.now());
            mark(deciding);
        }
        return Optional.empty();
    }

    /** Why a run may not begin now. What another run starts is never refused: it would wait for ever. */
    static Optional<Decision.Rejected> refusal(Optional<Setting> birth, Command command) {
        boolean starts = command instanceof Command.StartRun || command instanceof ControlCommand.StartFrom;
        return birth.filter(setting -> starts
                        && setting.mode() == Setting.Mode.SUSPEND
                        && setting.policy().input() == HoldPolicy.InputRule.REJECT)
                .map(setting -> new Decision.Rejected(
                        RejectionCode.SUSPENDED, setting.scope() + " is suspended: " + setting.reason()));
    }

    /** The run that has just begun lies in a scope that is held. */
    static void born(Deciding deciding, Setting setting) {
        if (setting.mode() != Setting.Mode.GO) {
            Instant at = later(deciding.now(), Times.storable(setting.at()));
            take(deciding, setting, at);
            Draining.slept(deciding, at, deciding.now());
            mark(deciding);
        }
    }

    /** A drain of the scope is over for this run. */
    static void drained(Deciding deciding, Instant at) {
        WideHold wide = deciding.state().control().wide();
        Timers.cancel(deciding, Timers.DRAIN);
        deciding.emit(new ControlEvent.HoldImposed(
                wide.number(), Setting.Mode.SUSPEND, wide.policy(), wide.reason(), wide.scope(), at, Optional.empty()));
        Suspending.changed(deciding, Hold.DRAINING, at);
    }

    /** The run goes on whatever holds its scope. */
    static void waive(Deciding deciding, String reason) {
        WideHold wide = deciding.state().control().wide();
        if (wide.isInForce()) {
            deciding.emit(new ControlEvent.HoldWaived(wide.number(), Answers.text(reason, Answers.MESSAGE)));
            Timers.cancel(deciding, Timers.HOLD);
        }
    }

    /** Somebody looked after the run and it is still held. */
    static void woken(Deciding deciding, TimerState mark) {
        if (deciding.state().control().wide().isInForce()) {
            mark(deciding, mark.generation() + 1);
        }
    }

    private static void take(Deciding deciding, Setting setting, Instant at) {
        Draft state = deciding.state();
        Hold before = state.hold();
        if (state.control().own() == null) {
            Timers.cancel(deciding, Timers.DRAIN);
        }
        if (setting.mode() == Setting.Mode.GO) {
            deciding.emit(new ControlEvent.HoldLifted(setting.number(), at));
        } else {
            deciding.emit(new ControlEvent.HoldImposed(
                    setting.number(),
                    setting.mode(),
                    setting.policy(),
                    Answers.text(setting.reason(), Answers.MESSAGE),
                    Answers.text(setting.scope(), Answers.MESSAGE),
                    at,
                    expiry(setting)));
        }
        Suspending.changed(deciding, before, at);
    }

    /** A drain's time runs from when it was asked for, whenever the run records it. */
    private static Optional<Instant> expiry(Setting setting) {
        return setting.mode() == Setting.Mode.DRAIN
                ? Optional.of(Timers.due(Times.storable(setting.at()), setting.timeToLive())
                        .orElse(Times.LAST))
                : Optional.empty();
    }

    /** A run that is held by its scope has the timer by which it is found, no other has. */
    private static void mark(Deciding deciding) {
        boolean held = deciding.state().control().wide().isInForce();
        if (!held) {
            Timers.cancel(deciding, Timers.HOLD);
        } else if (deciding.state().timer(Timers.HOLD) == null) {
            mark(deciding, generation(deciding));
        }
    }

    private static void mark(Deciding deciding, int generation) {
        deciding.emit(new EventBody.TimerSet(
                Timers.HOLD, generation, Times.LAST, EventBody.TimerPurpose.HOLD, Optional.empty()));
    }

    /** Grows with every setting that a run has recorded; 1 before the first. */
    static int generation(Deciding deciding) {
        return 1 + (int) Math.min(deciding.state().control().wide().number(), GENERATIONS);
    }

    static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
