package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Assignee;
import dev.flowstone.kernel.state.HumanTaskState;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Others are asked instead: by somebody's order, or because one who is asked hands it on. */
final class Handover {
    /** How often in a row the same place may be handed on. */
    private static final int LONGEST_CHAIN = 32;

    private Handover() {}

    static Optional<Decision.Rejected> reassign(
            Deciding deciding, Node.HumanTask node, HumanTaskState task, HumanCommand.Reassign command) {
        Optional<Decision.Rejected> refused = Refusal.text("reason", command.reason())
                .or(() -> command.from().flatMap(from -> undecided(task, from)))
                .or(() -> newcomers(deciding, node, task, command.from(), command.to()));
        if (refused.isPresent()) {
            return refused;
        }
        boolean recorded = deciding.offer(
                new HumanEvent.TaskReassigned(task.activation(), command.from(), command.reason(), command.to()));
        return recorded ? after(deciding, node, task.activation()) : tooMany(deciding);
    }

    static Optional<Decision.Rejected> delegate(
            Deciding deciding, Node.HumanTask node, HumanTaskState task, HumanCommand.Delegate command) {
        Optional<Decision.Rejected> refused =
                Refusal.text("reason", command.reason()).or(() -> undecided(task, command.from()));
        if (refused.isPresent()) {
            return refused;
        }
        if (!command.override() && !command.from().covers(deciding.actor(), command.roles())) {
            return Refusal.of(RejectionCode.NOT_ASSIGNED, deciding.actor() + " is not " + command.from());
        }
        if (Voters.isTaken(task, Optional.of(command.from()), deciding.actor()) && !command.override()) {
            return Refusal.of(RejectionCode.CONFLICT, "somebody else has claimed it");
        }
        for (Assignee assignee : task.assignees()) {
            if (assignee.party().equals(command.from())) {
                Optional<Decision.Rejected> circle = circle(assignee, command.to());
                if (circle.isPresent()) {
                    return circle;
                }
            }
        }
        Optional<Decision.Rejected> unfit =
                newcomers(deciding, node, task, Optional.of(command.from()), List.of(command.to()));
        if (unfit.isPresent()) {
            return unfit;
        }
        deciding.emit(new HumanEvent.TaskDelegated(task.activation(), command.from(), command.reason(), command.to()));
        return after(deciding, node, task.activation());
    }

    private static Optional<Decision.Rejected> circle(Assignee assignee, Party to) {
        if (assignee.party().equals(to) || assignee.chain().contains(to)) {
            return Refusal.of(RejectionCode.INVALID_COMMAND, "delegated in a circle: " + to + " had it already");
        }
        return assignee.chain().size() < LONGEST_CHAIN
                ? Optional.empty()
                : Refusal.of(RejectionCode.LIMIT_EXCEEDED, "handed on " + LONGEST_CHAIN + " times already");
    }

    private static Optional<Decision.Rejected> undecided(HumanTaskState task, Party from) {
        if (!task.asks(from)) {
            return Refusal.of(RejectionCode.NOT_FOUND, from + " is not asked");
        }
        return task.undecided().stream().anyMatch(assignee -> assignee.party().equals(from))
                ? Optional.empty()
                : Refusal.of(RejectionCode.CONFLICT, "in the place of " + from + " it was decided already");
    }

    /** Those who come must be people who are not asked yet and can still decide: else the quorum could wait for ever. */
    private static Optional<Decision.Rejected> newcomers(
            Deciding deciding, Node.HumanTask node, HumanTaskState task, Optional<Party> from, List<Party> to) {
        if (to.isEmpty()) {
            return Refusal.of(RejectionCode.INVALID_COMMAND, "nobody would be asked");
        }
        Set<Party> staying = new HashSet<>();
        task.assignees().forEach(assignee -> staying.add(assignee.party()));
        if (from.isPresent()) {
            staying.remove(from.get());
        } else {
            task.undecided().forEach(assignee -> staying.remove(assignee.party()));
        }
        for (Party party : to) {
            if (!staying.add(party)) {
                return Refusal.of(RejectionCode.CONFLICT, party + " is asked already");
            }
            if (Voters.hasSpoken(node, task, party)) {
                return Refusal.of(RejectionCode.CONFLICT, party + " has decided already");
            }
        }
        return staying.size() > deciding.bounds().humans().assignees() ? tooMany(deciding) : Optional.empty();
    }

    private static Optional<Decision.Rejected> tooMany(Deciding deciding) {
        return Refusal.of(
                RejectionCode.LIMIT_EXCEEDED,
                "at most " + deciding.bounds().humans().assignees() + " are asked");
    }

    private static Optional<Decision.Rejected> after(Deciding deciding, Node.HumanTask node, ActivationId id) {
        HumanTimers.releaseIfReplaced(deciding, id);
        Settling.judge(deciding, node, id);
        return Optional.empty();
    }
}
