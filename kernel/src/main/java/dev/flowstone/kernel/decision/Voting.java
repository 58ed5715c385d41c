package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Assignee;
import dev.flowstone.kernel.state.Claim;
import dev.flowstone.kernel.state.HumanDecision;
import dev.flowstone.kernel.state.HumanTaskState;
import java.util.List;
import java.util.Optional;

/** A person decides (R13–R15). */
final class Voting {
    private final Deciding deciding;
    private final Node.HumanTask node;
    private final HumanTaskState task;
    private final HumanCommand.Decide command;

    Voting(Deciding deciding, Node.HumanTask node, HumanTaskState task, HumanCommand.Decide command) {
        this.deciding = deciding;
        this.node = node;
        this.task = task;
        this.command = command;
    }

    Optional<Decision.Rejected> decide() {
        Optional<Decision.Rejected> malformed = malformed();
        if (malformed.isPresent()) {
            return malformed;
        }
        if (node.uniqueActors()) {
            for (HumanDecision made : task.decisions()) {
                if (Repetition.isOne(deciding, made, command)) {
                    return Optional.empty();
                }
                if (Voters.isOf(made, deciding.actor().toString())
                        || Voters.isOf(made, principal().toString())) {
                    return Refusal.of(
                            RejectionCode.CONFLICT, deciding.actor() + " has decided already, or " + principal());
                }
            }
        }
        if (!command.subjectVersion().equals(deciding.state().data().subjectVersion())) {
            return Refusal.of(
                    RejectionCode.STALE_SUBJECT_VERSION,
                    "decided on version " + shown(command.subjectVersion()) + " of the subject, "
                            + task.activation() + " is about version "
                            + shown(deciding.state().data().subjectVersion()));
        }
        int most = deciding.bounds().humans().decisions();
        if (task.decisions().size() >= most) {
            return Refusal.of(RejectionCode.LIMIT_EXCEEDED, "at most " + most + " decide in one visit");
        }
        return inSomePlace();
    }

    /** In whose place among those asked it counts. */
    private Optional<Decision.Rejected> inSomePlace() {
        List<Assignee> places = Voters.places(node, task, principal(), command.roles());
        for (Assignee place : places) {
            if (command.override() || !Voters.isTaken(task, Optional.of(place.party()), deciding.actor())) {
                return record(Optional.of(place));
            }
        }
        Claim claim = task.claim();
        if (!places.isEmpty() && claim != null) {
            return Claiming.taken(claim);
        }
        if (!command.override()) {
            return Refusal.of(
                    RejectionCode.NOT_ASSIGNED, principal() + " is not asked, or it is not " + principal() + "'s turn");
        }
        boolean counted = QuorumRule.countsThoseAsked(node.quorum());
        return record(counted ? task.undecided().stream().findFirst() : Optional.empty());
    }

    private Optional<Decision.Rejected> record(Optional<Assignee> place) {
        ActivationId id = task.activation();
        Optional<Party> behalf = command.onBehalfOf()
                .map(Party::user)
                .or(() -> place.flatMap(assignee -> assignee.chain().stream().findFirst()));
        boolean recorded = deciding.offer(new HumanEvent.HumanDecided(
                id,
                command.outcome(),
                place.map(Assignee::party),
                behalf,
                command.rationale(),
                command.subjectVersion(),
                command.override()));
        if (!recorded) {
            return Refusal.of(RejectionCode.LIMIT_EXCEEDED, "the decision is longer than an event may be");
        }
        Settling.judge(deciding, node, id);
        HumanTaskState open = deciding.state().people().humanTask(id);
        Claim claim = open == null ? null : open.claim();
        if (claim != null && (claim.by().equals(deciding.actor()) || claim.as().equals(place.map(Assignee::party)))) {
            HumanTimers.release(deciding, id, HumanEvent.Release.DECIDED);
        }
        return Optional.empty();
    }

    private Optional<Decision.Rejected> malformed() {
        return HumanDesk.declared(node, command.outcome())
                .or(() -> command.rationale().flatMap(rationale -> Refusal.text("rationale", rationale)))
                .or(() -> command.onBehalfOf().flatMap(user -> named(user)));
    }

    private static Optional<Decision.Rejected> named(String user) {
        boolean good = !user.isEmpty()
                && user.length() <= Party.MAX_LENGTH
                && Answers.text(user, Party.MAX_LENGTH).equals(user);
        return good
                ? Optional.empty()
                : Refusal.of(
                        RejectionCode.INVALID_COMMAND,
                        "who is represented is a user's id of at most " + Party.MAX_LENGTH + " characters");
    }

    /** Whose decision it is: the actor's, or that of the one represented. */
    private Actor principal() {
        return command.onBehalfOf().map(user -> new Actor("user", user)).orElse(deciding.actor());
    }

    private static String shown(Optional<Long> version) {
        return version.map(Object::toString).orElse("none");
    }
}
