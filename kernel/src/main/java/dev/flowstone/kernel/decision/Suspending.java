package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.FrozenTimer;
import dev.flowstone.kernel.state.Hold;
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
        if (state.hold() != Hold.SUSPENDED) {
            now(deciding, command.policy(), command.reason(), command.scope());
        }
        return Optional.empty();
    }

    /** From the next event on nothing is decided. */
    static void now(Deciding deciding, HoldPolicy policy, String reason, String scope) {
        Timers.cancel(deciding, Timers.DRAIN);
        deciding.emit(new ControlEvent.RunSuspended(
                policy, Answers.text(reason, Answers.MESSAGE), Answers.text(scope, Answers.MESSAGE)));
        Children.control(deciding, Message.Operation.SUSPEND, Answers.text(reason, Answers.MESSAGE));
        if (policy.timers() == HoldPolicy.TimerRule.FREEZE) {
            for (TimerState timer : deciding.state().timers()) {
                Duration left = Duration.between(deciding.now(), timer.dueAt());
                deciding.emit(new ControlEvent.TimerFrozen(
                        timer.timer(), timer.generation(), left.isNegative() ? Duration.ZERO : left));
                deciding.emit(new EventBody.TimerCanceled(timer.timer(), timer.generation()));
            }
        }
    }

    static Optional<Decision.Rejected> resume(Deciding deciding, ControlCommand.ResumeRun command) {
        Draft state = deciding.state();
        if (state.hold() == Hold.NONE) {
            return Optional.empty();
        }
        boolean suspended = state.hold() == Hold.SUSPENDED;
        Timers.cancel(deciding, Timers.DRAIN);
        deciding.emit(new ControlEvent.RunResumed(Answers.text(command.reason(), Answers.MESSAGE)));
        if (suspended) {
            Children.control(deciding, Message.Operation.RESUME, Answers.text(command.reason(), Answers.MESSAGE));
        }
        for (FrozenTimer frozen : state.control().frozen().values()) {
            TimerState timer = frozen.timer();
            Instant due = Timers.due(deciding.now(), frozen.remaining()).orElse(timer.dueAt());
            deciding.emit(new EventBody.TimerSet(
                    timer.timer(), timer.generation() + 1, due, timer.purpose(), timer.activation()));
        }
        return Optional.empty();
    }
}
