package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.MessageEvent.ParentDetached;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.read.DeclaredHold;
import dev.flowstone.kernel.state.Suspension;
import java.util.Optional;

/**
 * What a parent's operation does to this run, its child (R22): the same as an operator's would. Where it would be refused
 * there is nothing to do; nobody waits for the answer.
 */
final class ChildControl {
    private ChildControl() {}

    static void apply(Deciding deciding, RunId parent, Message.Control control) {
        if (deciding.state().status().isFinal()) {
            return;
        }
        String reason = control.reason();
        switch (control.operation()) {
            case DETACH -> deciding.emit(new ParentDetached(reason));
            case CANCEL ->
                Controlling.decide(
                        deciding, new ControlCommand.CancelRun(reason, ControlCommand.Undo.RUN, Optional.empty()));
            case TERMINATE -> Controlling.decide(deciding, new ControlCommand.TerminateRun(reason));
            case SUSPEND ->
                Controlling.decide(
                        deciding,
                        new ControlCommand.SuspendRun(
                                DeclaredHold.of(deciding.state().program()), reason, by(parent)));
            case RESUME -> resume(deciding, parent, reason);
        }
    }

    /** Only what the parent has suspended; an operator's suspension of this very run stays. */
    private static void resume(Deciding deciding, RunId parent, String reason) {
        Suspension suspension = deciding.state().control().own();
        if (suspension != null && suspension.scope().equals(by(parent))) {
            Suspending.resumeOwn(deciding, reason);
        }
    }

    private static String by(RunId parent) {
        return "run/" + parent;
    }
}
