package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.FrozenTimer;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.Suspension;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Suspends and resumes a run (R25). */
final class Suspending {
    private Suspending() {}

    static Optional<Decision.Rejected> suspend(Deciding deciding, ControlCommand.SuspendRun command) {
        Draft state = deciding.state();
        if (state.ending() == Ending.CANCELING || state.ending() == Ending.KILLED) {
            return Controlling.invalid("the run is being canceled, which nothing holds up");
        }
        Suspension own = state.control().own();
        if (own == null || own.hold() != Hold.SUSPENDED) {
            now(deciding, command.policy(), command.reason(), command.scope());
        }
        return Optional.empty();
    }

    /** From the next event on nothing is decided. */
    static void now(Deciding deciding, HoldPolicy policy, String reason, String scope) {
        Hold before = deciding.state().hold();
        Timers.cancel(deciding, Timers.DRAIN);
        deciding.emit(new ControlEvent.RunSuspended(
                policy, Answers.text(reason, Answers.MESSAGE), Answers.text(scope, Answers.MESSAGE)));
        Children.control(deciding, Message.Operation.SUSPEND, Answers.text(reason, Answers.MESSAGE));
        changed(deciding, before, deciding.now());
    }

    /** An operator's word counts for this very run, also while a scope that it lies in is held. */
    static Optional<Decision.Rejected> resume(Deciding deciding, ControlCommand.ResumeRun command) {
        Hold before = deciding.state().hold();
        if (before != Hold.NONE) {
            lift(deciding, command.reason());
            Heeding.waive(deciding, command.reason());
            changed(deciding, before, deciding.now());
        }
        return Optional.empty();
    }

    /** The run's own suspension or drain is over; what holds its scope isn't. */
    static void resumeOwn(Deciding deciding, String reason) {
        Hold before = deciding.state().hold();
        lift(deciding, reason);
        changed(deciding, before, deciding.now());
    }

    private static void lift(Deciding deciding, String reason) {
        Suspension own = deciding.state().control().own();
        Timers.cancel(deciding, Timers.DRAIN);
        if (own == null) {
            return;
        }
        deciding.emit(new ControlEvent.RunResumed(Answers.text(reason, Answers.MESSAGE)));
        if (own.hold() == Hold.SUSPENDED) {
            Children.control(deciding, Message.Operation.RESUME, Answers.text(reason, Answers.MESSAGE));
        }
    }

    /** What holds the run has changed at that instant: its timers stand still from then on, or run again. */
    static void changed(Deciding deciding, Hold before, Instant at) {
        Draft state = deciding.state();
        Suspension now = state.control().suspension();
        Hold after = state.hold();
        if (before == Hold.SUSPENDED && after != Hold.SUSPENDED) {
            thaw(deciding, at);
        }
        if (now != null && after == Hold.SUSPENDED && now.policy().timers() == HoldPolicy.TimerRule.FREEZE) {
            freeze(deciding, at);
        }
        if (after == Hold.DRAINING && state.timer(Timers.DRAIN) == null) {
            state.control().wide().expiresAt().ifPresent(due -> Draining.expires(deciding, due));
        }
    }

    private static void freeze(Deciding deciding, Instant at) {
        for (TimerState timer : deciding.state().timers()) {
            if (timer.purpose() == EventBody.TimerPurpose.HOLD) {
                continue;
            }
            Duration left = Duration.between(at, timer.dueAt());
            deciding.emit(new ControlEvent.TimerFrozen(
                    timer.timer(), timer.generation(), left.isNegative() ? Duration.ZERO : left));
            deciding.emit(new EventBody.TimerCanceled(timer.timer(), timer.generation()));
        }
    }

    /** A cancellation lifts the fence for undoing (R25): what is being undone goes on with the time that it had left. */
    static void thawUndoing(Deciding deciding) {
        for (FrozenTimer frozen : deciding.state().control().frozen().values()) {
            if (frozen.timer().activation().map(ActivationId::isUndoing).orElse(false)) {
                thaw(deciding, frozen, deciding.now());
            }
        }
    }

    private static void thaw(Deciding deciding, Instant at) {
        for (FrozenTimer frozen : deciding.state().control().frozen().values()) {
            thaw(deciding, frozen, at);
        }
    }

    private static void thaw(Deciding deciding, FrozenTimer frozen, Instant at) {
        TimerState timer = frozen.timer();
        Instant due = Recurring.ofGrid(deciding, timer)
                .or(() -> Timers.due(at, frozen.remaining()))
                .orElse(timer.dueAt());
        deciding.emit(new EventBody.TimerSet(
                timer.timer(), timer.generation() + 1, due, timer.purpose(), timer.activation()));
    }
}
