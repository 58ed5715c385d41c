package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.ForkState;
import dev.flowstone.kernel.state.PersistentRunState;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.state.ScopeInstance;
import dev.flowstone.kernel.state.WorkItem;
import java.util.Optional;

/** A run begins at a recorded point of another one (R26). History is never cut: the other one stays as it is. */
final class Resetting {
    private Resetting() {}

    /** Why the command is malformed, or empty. */
    static Optional<Decision.Rejected> check(ControlCommand.StartFrom command, PersistentRunState state) {
        PersistentRunState from;
        try {
            from = PersistentRunState.restore(state.programs(), state.program(), state.programHash(), command.state());
        } catch (IllegalArgumentException e) {
            return invalid("the state is no snapshot of a run of this program");
        }
        if (from.lastSequence() != command.sequence() || from.lastSequence() == 0) {
            return invalid("the state is not that after event " + command.sequence());
        }
        if (!from.run().equals(command.from()) || !from.tenant().equals(command.tenant())) {
            return invalid("the state is one of another run");
        }
        if (command.run().equals(command.from())) {
            return invalid("a run can't begin at a point of itself");
        }
        if (from.status() != RunStatus.RUNNING || !from.incidents().isEmpty()) {
            return invalid("a run begins only at a point at which the other one was running, without an incident");
        }
        if (from.draft().ending() != Ending.NONE) {
            return invalid("the other run was on its way to its end");
        }
        if (!from.permits().isEmpty()) {
            return invalid("the other run held permits, which no other run can go on with");
        }
        if (from.hasVerdicts()) {
            return invalid("a decision of people waited to be used, which may happen only once");
        }
        if (from.draft().head() instanceof WorkItem.Exit exit) {
            return invalid("the other run was leaving a scope there, along " + exit.edge());
        }
        Optional<ActivationId> failing = from.draft().failing();
        if (failing.isPresent()) {
            // Whoever had it tried again would do so under the other run's key.
            return invalid("the failure of " + failing.get() + " was not dealt with there: a run begins before it");
        }
        for (ScopeInstance scope : from.draft().tree().scopes()) {
            for (ActivationId id : scope.live().values()) {
                if (isMidway(from.draft(), id)) {
                    return invalid(
                            "the other run was in the midst of " + id + " there: a run begins behind it, or before");
                }
            }
        }
        return Optional.empty();
    }

    /** Whether the same decision went on with it, and nothing else would. */
    private static boolean isMidway(Draft state, ActivationId id) {
        return switch (state.program().node(id.node())) {
            case Node.Start _, Node.End _, Node.Choice _, Node.Assign _, Node.Join _ -> true;
            case Node.Fork _ -> {
                ForkState fork = state.tree().fork(id);
                yield fork == null || Joining.isAboutToFire(state, fork);
            }
            case Node.Task _, Node.Timer _, Node.HumanTask _, Node.Await _, Node.Emit _, Node.Call _ -> false;
        };
    }

    static Optional<Decision.Rejected> decide(Deciding deciding, ControlCommand.StartFrom command) {
        JsonObject state = command.state();
        if (!deciding.offer(
                new ControlEvent.RunReset(deciding.state().programHash(), command.from(), command.sequence(), state))) {
            return Optional.of(new Decision.Rejected(
                    RejectionCode.LIMIT_EXCEEDED,
                    "the state is longer than an event may be ("
                            + deciding.bounds().eventBytes() + " bytes)"));
        }
        deciding.state().program().deadline().ifPresent(deadline -> StartRun.setDeadline(deciding, deadline));
        return Optional.empty();
    }

    private static Optional<Decision.Rejected> invalid(String reason) {
        return Optional.of(new Decision.Rejected(RejectionCode.INVALID_COMMAND, reason));
    }
}
