package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.ActivationStatus;
import dev.flowstone.kernel.state.Canceling;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.HeldPermit;
import dev.flowstone.kernel.state.Mark;
import dev.flowstone.kernel.state.NodeState;
import dev.flowstone.kernel.state.Undo;
import java.util.Optional;

/** Ends a run from outside, or takes it back to an earlier point (R24, R25). */
final class Stopping {
    private Stopping() {}

    /** Asked again, it changes nothing; what was asked first counts. */
    static Optional<Decision.Rejected> cancel(Deciding deciding, ControlCommand.CancelRun command) {
        Draft state = deciding.state();
        switch (state.ending()) {
            case CANCELING, KILLED -> {
                return Optional.empty();
            }
            case FAILING, TERMINATING -> {
                return Controlling.invalid("the run is on its way to its end already; it can be terminated");
            }
            case NONE, ROLLING_BACK -> {}
        }
        Timers.cancel(deciding, Timers.DRAIN);
        Timers.cancel(deciding, Timers.HOLD);
        Suspending.thawUndoing(deciding);
        deciding.emit(new ControlEvent.RunCanceling(
                Answers.text(command.reason(), Answers.MESSAGE),
                command.undo() == ControlCommand.Undo.RUN,
                command.supersededBy()));
        Children.control(deciding, Message.Operation.CANCEL, Answers.text(command.reason(), Answers.MESSAGE));
        return Optional.empty();
    }

    static Optional<Decision.Rejected> terminate(Deciding deciding, ControlCommand.TerminateRun command) {
        if (deciding.state().ending() == Ending.KILLED) {
            return Optional.empty();
        }
        Timers.cancel(deciding, Timers.DRAIN);
        Timers.cancel(deciding, Timers.HOLD);
        deciding.emit(new ControlEvent.RunTerminating(Answers.text(command.reason(), Answers.MESSAGE)));
        Children.control(deciding, Message.Operation.TERMINATE, Answers.text(command.reason(), Answers.MESSAGE));
        return Optional.empty();
    }

    /** Asked again, it changes nothing; one that has another end before it keeps that. */
    static Optional<Decision.Rejected> fail(Deciding deciding, ControlCommand.FailRun command) {
        switch (deciding.state().ending()) {
            case FAILING -> {
                return Optional.empty();
            }
            case CANCELING, KILLED, TERMINATING -> {
                return Controlling.invalid("the run is on its way to its end already; it can be terminated");
            }
            case NONE, ROLLING_BACK -> {}
        }
        TaskError forced = TaskError.of("FORCED", Answers.text(command.reason(), Answers.MESSAGE));
        Unhandled.fails(deciding, forced, Optional.empty(), 0);
        return Optional.empty();
    }

    /** A terminated run gives up what it was undoing. Whether there was anything. */
    static boolean abandons(Deciding deciding) {
        Undo undo = deciding.state().undoing().first();
        if (undo == null) {
            return false;
        }
        Timers.cancel(deciding, Timers.retry(undo.activation()));
        deciding.emit(new CompensationEvent.CompensationFailed(
                undo.activation(), TaskError.of("RUN_TERMINATED", "the run was terminated")));
        return true;
    }

    static Optional<Decision.Rejected> rollBack(Deciding deciding, ControlCommand.RollBack command) {
        Draft state = deciding.state();
        NodeId mark = command.mark();
        Place place = state.topology().find(mark.value());
        if (place == null) {
            return Optional.of(new Decision.Rejected(RejectionCode.NOT_FOUND, "this program has no node " + mark));
        }
        if (state.ending() != Ending.NONE) {
            return Controlling.invalid(
                    state.ending() == Ending.ROLLING_BACK
                            ? "the run rolls back already"
                            : "the run is on its way to its end");
        }
        if (!place.scope().id().equals(state.program().root().id())) {
            return Controlling.invalid(mark + " lies in a scope of its own; a run goes back in its root scope only");
        }
        if (place.scope().kind() == Scope.Kind.SETTLING) {
            return Controlling.invalid("every node of a settling scope settles once: there is no way back in it");
        }
        if (!state.topology().undoes()) {
            return Controlling.invalid("nothing in this program can be undone");
        }
        if (place.node() instanceof Node.Join) {
            return Controlling.invalid("a join is come to by its fork only; roll back to that");
        }
        NodeState node = state.node(place);
        Activation last = node.activations().get(node.visits());
        boolean completed = last != null && last.status() == ActivationStatus.COMPLETED;
        if (!completed || state.undoing().marks().get(place.number()) == null) {
            return Controlling.invalid(mark + " is not completed, or was rolled back itself");
        }
        deciding.emit(new ControlEvent.RollbackBegan(mark, Answers.text(command.reason(), Answers.MESSAGE)));
        return Optional.empty();
    }

    /** Permits that were got since the mark go back: the awaits that got them are come to again. */
    static void releases(Deciding deciding, NodeId mark) {
        Draft state = deciding.state();
        Mark to = state.undoing().marks().get(state.topology().place(mark).number());
        for (HeldPermit permit : state.post().permits()) {
            Place place = state.topology().find(permit.activation().node().value());
            Mark got = place == null ? null : state.undoing().marks().get(place.number());
            boolean newest = place != null
                    && state.node(place).visits() == permit.activation().visit();
            if (to != null && got != null && newest && got.sequence() >= to.sequence()) {
                Permits.giveBack(deciding, permit);
            }
        }
    }

    /** The final event of a run that was canceled or terminated. */
    static void end(Deciding deciding) {
        Draft state = deciding.state();
        Canceling why = state.control().canceling();
        String reason = why == null ? "" : why.reason();
        Optional<RunId> supersededBy = why == null ? Optional.empty() : why.supersededBy();
        deciding.emit(
                state.ending() == Ending.KILLED
                        ? new ControlEvent.RunTerminated(reason)
                        : new ControlEvent.RunCanceled(reason, supersededBy));
    }
}
