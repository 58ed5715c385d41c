package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Assignee;
import dev.flowstone.kernel.state.Claim;
import dev.flowstone.kernel.state.HumanTaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reserves a task for one actor, for a while (R14). A claim keeps others out of the place that it was made in. */
final class Claiming {
    private static final Duration LONGEST = Duration.ofDays(366);

    private Claiming() {}

    static Optional<Decision.Rejected> claim(
            Deciding deciding, Node.HumanTask node, HumanTaskState task, HumanCommand.Claim command) {
        Actor actor = deciding.actor();
        Claim known = task.claim();
        if (known != null && !known.by().equals(actor)) {
            return taken(known);
        }
        if (Voters.hasSpoken(node, task, actor)) {
            return Refusal.of(RejectionCode.CONFLICT, actor + " has decided already");
        }
        List<Assignee> places = Voters.places(node, task, actor, command.roles());
        if (places.isEmpty() && !command.override()) {
            return Refusal.of(RejectionCode.NOT_ASSIGNED, actor + " is not asked");
        }
        return lease(deciding, task, places.stream().findFirst().map(Assignee::party), command.lease());
    }

    static Optional<Decision.Rejected> heartbeat(
            Deciding deciding, HumanTaskState task, HumanCommand.Heartbeat command) {
        Claim known = task.claim();
        if (known == null) {
            return Refusal.of(RejectionCode.INVALID_STATE, "nobody has claimed " + task.activation());
        }
        return known.by().equals(deciding.actor()) ? lease(deciding, task, known.as(), command.lease()) : taken(known);
    }

    static Optional<Decision.Rejected> release(Deciding deciding, HumanTaskState task, HumanCommand.Release command) {
        Claim known = task.claim();
        if (known == null) {
            return Optional.empty();
        }
        if (!known.by().equals(deciding.actor()) && !command.override()) {
            return taken(known);
        }
        HumanTimers.release(deciding, task.activation(), HumanEvent.Release.RELEASED);
        return Optional.empty();
    }

    static Optional<Decision.Rejected> taken(Claim known) {
        return Refusal.of(RejectionCode.CONFLICT, known.by() + " has claimed it until " + known.expiresAt());
    }

    private static Optional<Decision.Rejected> lease(
            Deciding deciding, HumanTaskState task, Optional<Party> as, Duration lease) {
        if (lease.isNegative() || lease.isZero() || lease.compareTo(LONGEST) > 0) {
            return Refusal.of(RejectionCode.INVALID_COMMAND, "a claim lasts longer than nothing, at most " + LONGEST);
        }
        Optional<Instant> end = Timers.due(deciding.now(), lease);
        if (end.isEmpty()) {
            return Refusal.of(RejectionCode.INVALID_COMMAND, "a claim ends before the year 10000");
        }
        deciding.emit(new HumanEvent.TaskClaimed(task.activation(), as, end.get()));
        HumanTaskState claimed = deciding.state().people().humanTask(task.activation());
        if (claimed != null) {
            HumanTimers.lease(deciding, claimed, end.get());
        }
        return Optional.empty();
    }
}
