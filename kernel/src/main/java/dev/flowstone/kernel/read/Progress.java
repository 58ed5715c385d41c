package dev.flowstone.kernel.read;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.ActivationStatus;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.NodeState;
import dev.flowstone.kernel.state.PersistentRunState;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.RunStatus;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How far a run has come (enterprise.md §7.1). {@code percent = ⌊100 × Σ weight of milestones reached ÷ Σ weight of those
 * reached or still reachable⌋}; a milestone is reached when a visit of its node has completed, and reachable if a path leads
 * to it from where the run is alive. So a loop never takes percents away; ways that were not taken don't count any more; in
 * parallel branches the sum is their average, weighted by what each has to do. Where a fork opens a branch for each element
 * of a collection, a milestone counts for the share of opened branches that have reached it. A run that has succeeded has
 * 100; one that fails, or has failed, is measured against all milestones of its program.
 *
 * <p>A program without milestones has one of weight 1 at each node where somebody is waited for.
 *
 * @param milestones all of the program's, by node
 * @param effort visits that were not skipped
 * @param rework those of them beyond a node's first one
 */
public record Progress(int percent, List<Milestone> milestones, long effort, long rework) {
    private static final int DIGITS = 12;

    public Progress {
        milestones = List.copyOf(milestones);
    }

    /**
     * A milestone and whether the run has reached it; one in the branches of a collection, whether all that were opened
     * have.
     */
    public record Milestone(NodeId node, String name, BigDecimal weight, boolean reached) {}

    /** Cost linear in the program and in what the state remembers. */
    public static Progress of(Program program, RunState state) {
        if (!(state instanceof PersistentRunState known)) {
            throw new IllegalArgumentException("a state that the kernel did not make: " + state.getClass());
        }
        Draft draft = known.draft();
        Reachable reachable = new Reachable(program, draft);
        Set<NodeId> ahead = reachable.nodes();
        boolean whole =
                state.status() != RunStatus.SUCCEEDED && (state.status().isFinal() || draft.ending() != Ending.NONE);
        List<Milestone> milestones = new ArrayList<>();
        BigDecimal reached = BigDecimal.ZERO;
        BigDecimal total = BigDecimal.ZERO;
        for (Milestones.Declared declared : Milestones.of(program)) {
            Passed passed = passed(draft, reachable, declared.node());
            boolean all = passed.count() > 0 && passed.count() >= passed.of();
            milestones.add(new Milestone(declared.node(), declared.name(), declared.weight(), all));
            if (passed.count() > 0 || whole || ahead.contains(declared.node())) {
                total = total.add(declared.weight());
                reached = reached.add(passed.share(declared.weight()));
            }
        }
        return new Progress(
                percent(state.status(), reached, total), milestones, effort(draft), rework(draft, reachable));
    }

    private static int percent(RunStatus status, BigDecimal reached, BigDecimal total) {
        if (status == RunStatus.SUCCEEDED) {
            return 100;
        }
        return total.signum() == 0
                ? 0
                : reached.movePointRight(2).divide(total, 0, RoundingMode.DOWN).intValueExact();
    }

    /** Visits that have completed, as far as a node remembers its visits, out of how many that count. */
    private record Passed(long count, long of) {
        BigDecimal share(BigDecimal weight) {
            return count >= of
                    ? count == 0 ? BigDecimal.ZERO : weight
                    : weight.multiply(BigDecimal.valueOf(count))
                            .divide(BigDecimal.valueOf(of), DIGITS, RoundingMode.DOWN);
        }
    }

    private static Passed passed(Draft draft, Reachable reachable, NodeId id) {
        NodeState node = draft.node(draft.topology().place(id));
        long unfinished = node.activations().values().stream()
                .filter(activation -> activation.status() != ActivationStatus.COMPLETED)
                .count();
        return new Passed(node.visits() - unfinished, reachable.branchesOpened(id));
    }

    private static long effort(Draft draft) {
        long effort = 0;
        for (NodeState node : draft.nodes().values()) {
            effort += visits(node);
        }
        return effort;
    }

    private static long rework(Draft draft, Reachable reachable) {
        long rework = 0;
        for (int number = 0; number < draft.topology().size(); number++) {
            Place place = draft.topology().place(number);
            rework += Math.max(
                    0,
                    visits(draft.node(place))
                            - reachable.branchesOpened(place.node().id()));
        }
        return rework;
    }

    private static long visits(NodeState node) {
        long skipped = 0;
        for (Activation activation : node.activations().values()) {
            skipped += activation.status() == ActivationStatus.SKIPPED ? 1 : 0;
        }
        return node.visits() - skipped;
    }
}
