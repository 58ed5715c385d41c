package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.TimerState;
import java.util.Optional;

/** What operators ask of a run. */
final class Controlling {
    private Controlling() {}

    static Optional<Decision.Rejected> decide(Deciding deciding, ControlCommand control) {
        if (control instanceof ControlCommand.Heed heed) {
            return Heeding.heed(deciding, heed);
        }
        if (deciding.state().status().isFinal() && !(control instanceof ControlCommand.StartFrom)) {
            return invalid("the run is over: " + deciding.state().status());
        }
        if (startsSomething(control) && holds(deciding.state(), control)) {
            return Optional.of(new Decision.Rejected(RejectionCode.SUSPENDED, "the run is held; resume it first"));
        }
        return switch (control) {
            case ControlCommand.SuspendRun command -> Suspending.suspend(deciding, command);
            case ControlCommand.ResumeRun command -> Suspending.resume(deciding, command);
            case ControlCommand.DrainRun command -> Draining.begin(deciding, command);
            case ControlCommand.Heed command -> Heeding.heed(deciding, command);
            case ControlCommand.CancelRun command -> Stopping.cancel(deciding, command);
            case ControlCommand.TerminateRun command -> Stopping.terminate(deciding, command);
            case ControlCommand.FailRun command -> Stopping.fail(deciding, command);
            case ControlCommand.RollBack command -> Stopping.rollBack(deciding, command);
            case ControlCommand.RetryIncident command -> Incidents.retry(deciding, command);
            case ControlCommand.SkipIncident command -> Incidents.skip(deciding, command);
            case ControlCommand.FailIncident command -> Incidents.fail(deciding, command);
            case ControlCommand.ForceFireTimer command -> force(deciding, command);
            case ControlCommand.MigrateRun command -> Migrating.decide(deciding, command);
            case ControlCommand.StartFrom command -> Resetting.decide(deciding, command);
        };
    }

    /** What would set something going at once. */
    private static boolean startsSomething(ControlCommand control) {
        return switch (control) {
            case ControlCommand.FailRun _,
                    ControlCommand.RollBack _,
                    ControlCommand.RetryIncident _,
                    ControlCommand.SkipIncident _,
                    ControlCommand.FailIncident _,
                    ControlCommand.ForceFireTimer _ -> true;
            case ControlCommand.SuspendRun _,
                    ControlCommand.ResumeRun _,
                    ControlCommand.DrainRun _,
                    ControlCommand.Heed _,
                    ControlCommand.CancelRun _,
                    ControlCommand.TerminateRun _,
                    ControlCommand.MigrateRun _,
                    ControlCommand.StartFrom _ -> false;
        };
    }

    /** While the run drains, what it begins anew by itself stays ready; what is tried again would not. */
    private static boolean holds(Draft state, ControlCommand control) {
        boolean anew = control instanceof ControlCommand.RetryIncident || control instanceof ControlCommand.RollBack;
        return state.hold() == Hold.SUSPENDED || (state.hold() == Hold.DRAINING && anew);
    }

    static Optional<Decision.Rejected> invalid(String reason) {
        return Optional.of(new Decision.Rejected(RejectionCode.INVALID_STATE, reason));
    }

    private static Optional<Decision.Rejected> force(Deciding deciding, ControlCommand.ForceFireTimer command) {
        Draft state = deciding.state();
        TimerState timer = state.timer(command.timer());
        if (timer == null) {
            return Optional.of(
                    new Decision.Rejected(RejectionCode.NOT_FOUND, "no timer " + command.timer() + " is set"));
        }
        if (state.ending() == Ending.KILLED || (state.ending() != Ending.NONE && !undoes(timer))) {
            return invalid("the run is on its way to its end; only what undoes something may be tried early, and"
                    + " nothing in a run that is being terminated");
        }
        deciding.emit(new ControlEvent.TimerForced(timer.timer(), timer.generation()));
        FireTimer.fire(deciding, timer);
        return Optional.empty();
    }

    /** What ends by itself begins nothing anew on the way; it still undoes what was done (R24). */
    private static boolean undoes(TimerState timer) {
        return timer.activation().filter(ActivationId::isUndoing).isPresent();
    }
}
