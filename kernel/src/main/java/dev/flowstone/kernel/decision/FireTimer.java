package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.TimerState;
import java.util.Optional;

/**
 * A timer is due (R19). That it is due is the shard's judgement, made with the database's clock: the kernel does not
 * compare it with the command's time.
 */
final class FireTimer {
    private FireTimer() {}

    static Optional<Decision.Rejected> decide(Deciding deciding, Command.FireTimer command) {
        TimerState timer = deciding.state().timer(command.timer());
        if (timer == null) {
            return Optional.of(
                    new Decision.Rejected(RejectionCode.NOT_FOUND, "no timer " + command.timer() + " is set"));
        }
        if (timer.generation() != command.generation()) {
            return Optional.of(new Decision.Rejected(
                    RejectionCode.INVALID_STATE,
                    "timer " + command.timer() + " is set in generation " + timer.generation() + "; "
                            + command.generation() + " is void"));
        }
        fire(deciding, timer);
        return Optional.empty();
    }

    static void fire(Deciding deciding, TimerState timer) {
        if (deciding.state().ending() == Ending.NONE && isLate(deciding, timer)) {
            timer.activation().ifPresent(deciding::within);
            return;
        }
        deciding.emit(new EventBody.TimerFired(timer.timer(), timer.generation()));
        timer.activation().ifPresent(deciding::within);
        Ending ending = deciding.state().ending();
        switch (timer.purpose()) {
            case WAIT, EXPIRY -> {}
            case TIMEOUT, CLAIM, REMINDER -> {
                if (ending == Ending.NONE) {
                    ofActivation(deciding, timer);
                }
            }
            case RETRY -> {
                if (timer.activation().map(ActivationId::isUndoing).orElse(false)) {
                    UndoAnswer.retry(deciding, timer);
                } else if (ending == Ending.NONE) {
                    retry(deciding, timer);
                }
            }
            case DEADLINE -> {
                if (ending == Ending.NONE || ending == Ending.ROLLING_BACK) {
                    Unhandled.fails(
                            deciding,
                            TaskError.of("RUN_DEADLINE", "the run did not end within its deadline"),
                            Optional.empty(),
                            0);
                }
            }
            case DRAIN -> Draining.expired(deciding);
            case HOLD -> Heeding.woken(deciding, timer);
        }
    }

    /** What waits only while the run goes on. */
    private static void ofActivation(Deciding deciding, TimerState timer) {
        switch (timer.purpose()) {
            case TIMEOUT -> Timeouts.fired(deciding, timer);
            case CLAIM -> HumanTimers.claimEnded(deciding, timer);
            case REMINDER -> HumanTimers.reminds(deciding, timer);
            case WAIT, RETRY, DEADLINE, DRAIN, HOLD, EXPIRY -> {}
        }
    }

    /** Whether a recurring timer is to fire another time instead. */
    private static boolean isLate(Deciding deciding, TimerState timer) {
        ActivationId id = timer.activation().orElse(null);
        if (timer.purpose() != EventBody.TimerPurpose.WAIT
                || id == null
                || !(deciding.state().program().node(id.node()) instanceof Node.Timer node)) {
            return false;
        }
        return switch (node.due()) {
            case Due.After _, Due.At _ -> false;
            case Due.Cron cron -> Recurring.late(deciding, timer, cron.missed());
            case Due.Every every -> Recurring.late(deciding, timer, every.missed());
        };
    }

    private static void retry(Deciding deciding, TimerState timer) {
        Activation activation =
                timer.activation().map(deciding.state()::activation).orElse(null);
        if (activation == null || !activation.isLive()) {
            return;
        }
        Node node = deciding.state().program().node(activation.id().node());
        if (node instanceof Node.Task task) {
            Dispatching.attempt(deciding, task, activation.id(), activation.attempt() + 1);
        }
    }
}
