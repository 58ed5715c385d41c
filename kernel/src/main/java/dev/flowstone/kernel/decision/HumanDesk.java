package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.event.HumanEvent.Settlement;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.ActivationStatus;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.HumanTaskState;
import java.util.Optional;

/** Where people's commands come in (R14): finds the task that they name, or says why it can't be had. */
final class HumanDesk {
    private HumanDesk() {}

    static Optional<Decision.Rejected> decide(Deciding deciding, HumanCommand command) {
        return switch (command) {
            case HumanCommand.Attest attest -> Attesting.decide(deciding, attest);
            case HumanCommand.Claim claim -> at(deciding, claim.activation(), claim);
            case HumanCommand.Heartbeat heartbeat -> at(deciding, heartbeat.activation(), heartbeat);
            case HumanCommand.Release release -> at(deciding, release.activation(), release);
            case HumanCommand.Decide decide -> at(deciding, decide.activation(), decide);
            case HumanCommand.Reassign reassign -> at(deciding, reassign.activation(), reassign);
            case HumanCommand.Delegate delegate -> at(deciding, delegate.activation(), delegate);
            case HumanCommand.Resolve resolve -> at(deciding, resolve.activation(), resolve);
        };
    }

    private static Optional<Decision.Rejected> at(Deciding deciding, ActivationId id, HumanCommand command) {
        Draft state = deciding.state();
        Place place = state.topology().find(id.node().value());
        if (place == null) {
            return Refusal.of(RejectionCode.NOT_FOUND, "this program has no node " + id.node());
        }
        if (!(place.node() instanceof Node.HumanTask node)) {
            return Refusal.of(RejectionCode.INVALID_STATE, id.node() + " is no human task");
        }
        if (state.people().humanTask(id) == null) {
            return closed(deciding, place, id, command);
        }
        if (state.ending() != Ending.NONE) {
            return Refusal.of(RejectionCode.INVALID_STATE, "the run is about to end, and " + id + " with it");
        }
        Drifting.first(deciding, id);
        HumanTaskState task = state.people().humanTask(id);
        if (task == null) {
            return Refusal.of(RejectionCode.CONFLICT, id + " has ended, since its subject was changed");
        }
        return open(deciding, node, task, command);
    }

    /** Nobody is asked, or not any more. */
    private static Optional<Decision.Rejected> closed(
            Deciding deciding, Place place, ActivationId id, HumanCommand command) {
        int visits = deciding.state().node(place).visits();
        if (id.visit() > visits) {
            return Refusal.of(RejectionCode.NOT_FOUND, "the run has not come to " + id);
        }
        if (id.visit() < visits) {
            return Refusal.of(
                    RejectionCode.STALE_ACTIVATION, id + " is over, the run has come to visit " + visits + " since");
        }
        if (Repetition.isOne(deciding, place, id, command)) {
            return Optional.empty();
        }
        Activation activation = deciding.state().activation(id);
        return activation != null && activation.status() == ActivationStatus.READY
                ? Refusal.of(RejectionCode.INVALID_STATE, id + " has not begun; nobody is asked before the run goes on")
                : Refusal.of(RejectionCode.CONFLICT, id + " is settled");
    }

    private static Optional<Decision.Rejected> open(
            Deciding deciding, Node.HumanTask node, HumanTaskState task, HumanCommand command) {
        return switch (command) {
            case HumanCommand.Attest attest -> Attesting.decide(deciding, attest);
            case HumanCommand.Claim claim -> Claiming.claim(deciding, node, task, claim);
            case HumanCommand.Heartbeat heartbeat -> Claiming.heartbeat(deciding, task, heartbeat);
            case HumanCommand.Release release -> Claiming.release(deciding, task, release);
            case HumanCommand.Decide decide -> new Voting(deciding, node, task, decide).decide();
            case HumanCommand.Reassign reassign -> Handover.reassign(deciding, node, task, reassign);
            case HumanCommand.Delegate delegate -> Handover.delegate(deciding, node, task, delegate);
            case HumanCommand.Resolve resolve -> resolve(deciding, node, task, resolve);
        };
    }

    private static Optional<Decision.Rejected> resolve(
            Deciding deciding, Node.HumanTask node, HumanTaskState task, HumanCommand.Resolve command) {
        Optional<Decision.Rejected> refused =
                declared(node, command.outcome()).or(() -> Refusal.text("reason", command.reason()));
        if (refused.isEmpty()) {
            Settling.settle(deciding, task, Settlement.RESOLVED, command.outcome(), Optional.of(command.reason()));
        }
        return refused;
    }

    static Optional<Decision.Rejected> declared(Node.HumanTask node, Outcome outcome) {
        return node.outcomes().contains(outcome)
                ? Optional.empty()
                : Refusal.of(
                        RejectionCode.INVALID_COMMAND,
                        node.id() + " can't be decided as '" + Answers.text(outcome.name(), 60) + "'; it knows "
                                + node.outcomes());
    }
}
