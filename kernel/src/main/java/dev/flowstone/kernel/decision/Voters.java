package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.state.Assignee;
import dev.flowstone.kernel.state.Claim;
import dev.flowstone.kernel.state.HumanDecision;
import dev.flowstone.kernel.state.HumanTaskState;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Who may act in whose place. */
final class Voters {
    private Voters() {}

    /**
     * Those who are asked and whom this actor may answer for, the best first: by name before by role. What they have said
     * already doesn't count in a quorum of those who are asked; a serial one asks only one at a time.
     */
    static List<Assignee> places(Node.HumanTask node, HumanTaskState task, Actor actor, Set<String> roles) {
        List<Assignee> open = QuorumRule.countsThoseAsked(node.quorum()) ? task.undecided() : task.assignees();
        if (node.quorum() instanceof Quorum.Serial && !open.isEmpty()) {
            open = List.of(open.getFirst());
        }
        return open.stream()
                .filter(assignee -> assignee.party().covers(actor, roles))
                .sorted((one, other) ->
                        one.party().kind().compareTo(other.party().kind()))
                .toList();
    }

    /** Whether somebody else has reserved this place. */
    static boolean isTaken(HumanTaskState task, Optional<Party> place, Actor actor) {
        Claim claim = task.claim();
        return claim != null && !claim.by().equals(actor) && claim.as().equals(place);
    }

    /** Whether this party decided, or somebody did on its behalf, where a person counts once. */
    static boolean hasSpoken(Node.HumanTask node, HumanTaskState task, Party party) {
        return hasSpoken(node, task, party.toString());
    }

    static boolean hasSpoken(Node.HumanTask node, HumanTaskState task, Actor actor) {
        return hasSpoken(node, task, actor.toString());
    }

    private static boolean hasSpoken(Node.HumanTask node, HumanTaskState task, String person) {
        return node.uniqueActors() && task.decisions().stream().anyMatch(decision -> isOf(decision, person));
    }

    /** Whether this person, kind and id, decided, or somebody on that person's behalf. */
    static boolean isOf(HumanDecision decision, String person) {
        return decision.actor().toString().equals(person)
                || decision.onBehalfOf().map(Party::toString).equals(Optional.of(person));
    }
}
