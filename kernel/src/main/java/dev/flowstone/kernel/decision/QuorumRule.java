package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.event.HumanEvent.Settlement;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.state.HumanDecision;
import dev.flowstone.kernel.state.HumanTaskState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a human task has its outcome (R13).
 *
 * <p>{@code One} and {@code Count} count decisions alike. {@code Majority}, {@code All} and {@code Serial} count those who
 * are asked, of whom each decides once, a role by the first who has it; an abstention takes one of them away. A quorum is
 * out of reach as soon as nothing that those who have not decided may say could meet it.
 */
final class QuorumRule {
    private final Node.HumanTask node;
    private final HumanTaskState task;
    private final Map<Outcome, Integer> tally = new HashMap<>();

    private QuorumRule(Node.HumanTask node, HumanTaskState task) {
        this.node = node;
        this.task = task;
        for (HumanDecision decision : task.decisions()) {
            if (!node.abstain().equals(Optional.of(decision.outcome()))) {
                tally.merge(decision.outcome(), 1, Integer::sum);
            }
        }
    }

    static Judgement judge(Node.HumanTask node, HumanTaskState task) {
        return new QuorumRule(node, task).judge();
    }

    /** Whether each of those who are asked decides once; if not, decisions just count. */
    static boolean countsThoseAsked(Quorum quorum) {
        return switch (quorum) {
            case Quorum.One _, Quorum.Count _ -> false;
            case Quorum.Majority _, Quorum.All _, Quorum.Serial _ -> true;
        };
    }

    private Judgement judge() {
        for (HumanDecision decision : task.decisions()) {
            if (node.vetoes().contains(decision.outcome())) {
                return new Judgement.Met(decision.outcome(), Settlement.VETO);
            }
        }
        return switch (node.quorum()) {
            case Quorum.One _ -> count(1);
            case Quorum.Count count -> count(count.decisions());
            case Quorum.Majority _ -> majority();
            case Quorum.All _, Quorum.Serial _ -> all();
        };
    }

    private Judgement count(int wanted) {
        if (most() >= wanted) {
            return met();
        }
        boolean openEnded = !node.uniqueActors()
                || task.assignees().stream()
                        .anyMatch(assignee -> assignee.party().kind() == Party.Kind.ROLE);
        boolean reachable = openEnded || most() + task.undecided().size() >= wanted;
        return reachable ? Judgement.OPEN : Judgement.UNREACHABLE;
    }

    /** More than half of all who don't abstain; those who have not decided may still abstain. */
    private Judgement majority() {
        int decided = decided();
        int open = task.undecided().size();
        if (2 * most() > decided + open) {
            return met();
        }
        return 2 * most() + open > decided ? Judgement.OPEN : Judgement.UNREACHABLE;
    }

    private Judgement all() {
        if (tally.size() > 1) {
            return Judgement.UNREACHABLE;
        }
        if (!task.undecided().isEmpty()) {
            return Judgement.OPEN;
        }
        return tally.isEmpty() ? Judgement.UNREACHABLE : met();
    }

    private int decided() {
        return tally.values().stream().mapToInt(Integer::intValue).sum();
    }

    private int most() {
        return tally.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** There is one outcome with most decisions: a quorum is judged after each decision. */
    private Judgement met() {
        int most = most();
        for (Outcome outcome : node.outcomes()) {
            if (tally.getOrDefault(outcome, 0) == most) {
                return new Judgement.Met(outcome, Settlement.QUORUM);
            }
        }
        throw new IllegalStateException("a decision for an outcome that " + node.id() + " doesn't declare");
    }

    /** How it stands. */
    sealed interface Judgement {
        Judgement OPEN = new Open();
        Judgement UNREACHABLE = new Unreachable();

        /** Others are still to decide. */
        record Open() implements Judgement {}

        /** It has its outcome. */
        record Met(Outcome outcome, Settlement how) implements Judgement {}

        /** It can't have one any more. */
        record Unreachable() implements Judgement {}
    }
}
