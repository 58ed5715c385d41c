package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.TimerState;
import java.util.Optional;

/** What operators ask of a run. */
final class Controlling {
    private Controlling() {}

    static Optional<Decision.Rejected> decide(Deciding deciding, ControlCommand control) {
        if (deciding.state().status().isFinal()
                && !(control instanceof ControlCommand.Attest)
                && !(control instanceof ControlCommand.StartFrom)) {
            return invalid("the run is over: " + deciding.state().status());
        }
        return switch (control) {
            case ControlCommand.SuspendRun command -> Suspending.suspend(deciding, command);
            case ControlCommand.ResumeRun command -> Suspending.resume(deciding, command);
            case ControlCommand.DrainRun command -> Draining.begin(deciding, command);
            case ControlCommand.CancelRun command -> Stopping.cancel(deciding, command);
            case ControlCommand.TerminateRun command -> Stopping.terminate(deciding, command);
            case ControlCommand.RollBack command -> Stopping.rollBack(deciding, command);
            case ControlCommand.RetryIncident command -> Incidents.retry(deciding, command);
            case ControlCommand.SkipIncident command -> Incidents.skip(deciding, command);
            case ControlCommand.FailIncident command -> Incidents.fail(deciding, command);
            case ControlCommand.ForceFireTimer command -> force(deciding, command);
            case ControlCommand.MigrateRun command -> Migrating.decide(deciding, command);
            case ControlCommand.Attest command -> attest(deciding, command);
            case ControlCommand.StartFrom command -> Resetting.decide(deciding, command);
        };
    }

    static Optional<Decision.Rejected> invalid(String reason) {
        return Optional.of(new Decision.Rejected(RejectionCode.INVALID_STATE, reason));
    }

    private static Optional<Decision.Rejected> force(Deciding deciding, ControlCommand.ForceFireTimer command) {
        Draft state = deciding.state();
        if (state.hold() == Hold.SUSPENDED) {
            return Optional.of(new Decision.Rejected(RejectionCode.SUSPENDED, "the run is suspended; resume it first"));
        }
        TimerState timer = state.timer(command.timer());
        if (timer == null) {
            return Optional.of(
                    new Decision.Rejected(RejectionCode.NOT_FOUND, "no timer " + command.timer() + " is set"));
        }
        deciding.emit(new ControlEvent.TimerForced(timer.timer(), timer.generation()));
        FireTimer.fire(deciding, timer);
        return Optional.empty();
    }

    private static Optional<Decision.Rejected> attest(Deciding deciding, ControlCommand.Attest command) {
        if (deciding.state().undoing().attestations().get(command.attestation()) == null) {
            return Optional.of(new Decision.Rejected(
                    RejectionCode.NOT_FOUND,
                    "no attestation " + Answers.text(command.attestation(), Answers.CODE) + " is asked for"));
        }
        deciding.emit(new CompensationEvent.AttestationGiven(
                command.attestation(), Answers.text(command.statement(), Answers.MESSAGE)));
        return Optional.empty();
    }
}
