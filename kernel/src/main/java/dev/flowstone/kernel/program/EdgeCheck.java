package dev.flowstone.kernel.program;

import dev.flowstone.kernel.program.ProgramFault.Code;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of nodes and edges (R6, R8). */
final class EdgeCheck {
    private static final Set<Outcome> TASK =
            Set.of(Outcome.SUCCESS, Outcome.FAILURE, Outcome.TIMEOUT, Outcome.DENIED, Outcome.ALWAYS);
    private static final Set<Outcome> TIMER = Set.of(Outcome.SUCCESS, Outcome.FAILURE, Outcome.ALWAYS);
    private static final Set<Outcome> START = Set.of(Outcome.SUCCESS, Outcome.ALWAYS);
    private static final Set<Outcome> FORK = Set.of(Outcome.FAILURE);
    private static final Set<Outcome> JOIN = Set.of(Outcome.SUCCESS, Outcome.UNSATISFIED, Outcome.ALWAYS);
    private static final Set<Outcome> AWAIT = Set.of(Outcome.SUCCESS, Outcome.FAILURE, Outcome.TIMEOUT, Outcome.ALWAYS);
    private static final Set<Outcome> CALL =
            Set.of(Outcome.SUCCESS, Outcome.FAILURE, Outcome.TIMEOUT, Outcome.CANCELED, Outcome.ALWAYS);

    private final Program program;
    private final List<ProgramFault> faults;

    EdgeCheck(Program program, List<ProgramFault> faults) {
        this.program = program;
        this.faults = faults;
    }

    void run() {
        for (Node node : program.nodes()) {
            boolean flow = program.scope(node.scope()).kind() == Scope.Kind.FLOW;
            if (flow && node.routing() == Routing.ALL) {
                faults.add(ProgramFault.of(
                        Code.ALL_IN_FLOW_SCOPE,
                        node,
                        node.id() + " lies in a flow scope, where at most one edge is taken; branches take a fork"));
            }
        }
        for (Edge edge : program.edges()) {
            check(edge, program.node(edge.from()), program.node(edge.to()));
        }
    }

    private void check(Edge edge, Node from, Node to) {
        if (jumps(from, to)) {
            faults.add(ProgramFault.of(
                    Code.JUMP_INTO_SCOPE,
                    edge,
                    "the edge from " + from.id() + " to " + to.id() + " leads into scope " + to.scope()
                            + " past its entry " + program.scope(to.scope()).entry()));
        }
        if (to instanceof Node.Start) {
            faults.add(ProgramFault.of(
                    Code.EDGE_TO_START, edge, "the edge from " + from.id() + " leads back to the start"));
        }
        if (from instanceof Node.End) {
            faults.add(ProgramFault.of(Code.EDGE_FROM_END, edge, "an edge leaves " + from.id() + ", where paths end"));
        } else if (!outcomes(from).contains(edge.on())) {
            faults.add(ProgramFault.of(
                    Code.UNKNOWN_OUTCOME,
                    edge,
                    "the edge from " + from.id() + " to " + to.id() + " waits for the outcome " + edge.on() + ", which "
                            + from.id() + " never has"));
        }
        if (edge.policy().isPresent() && edge.when().isPresent()) {
            faults.add(ProgramFault.of(
                    Code.TWO_CONDITIONS,
                    edge,
                    "the edge from " + from.id() + " to " + to.id() + " has a condition and a policy"));
        }
        if (edge.otherwise() && edge.isConditional()) {
            faults.add(ProgramFault.of(
                    Code.CONDITION_ON_ELSE,
                    edge,
                    "the else edge from " + from.id() + " to " + to.id() + " has a condition"));
        }
    }

    /** Allowed are: to the same scope, out to one around it, and to the entry of one right inside either that no fork opens. */
    private boolean jumps(Node from, Node to) {
        Set<Scope> around = Topology.chain(program, program.scope(from.scope()));
        Scope target = program.scope(to.scope());
        if (around.contains(target)) {
            return false;
        }
        boolean rightInside = target.parent()
                .map(parent -> around.contains(program.scope(parent)))
                .orElse(false);
        return !rightInside || !target.entry().equals(to.id()) || target.fork().isPresent();
    }

    /** What an edge of this node may wait for. */
    static Set<Outcome> outcomes(Node node) {
        return switch (node) {
            case Node.Start _, Node.Choice _ -> START;
            case Node.Task _ -> TASK;
            case Node.Timer _, Node.Assign _, Node.Emit _ -> TIMER;
            case Node.End _ -> Set.of();
            case Node.Fork _ -> FORK;
            case Node.Join _ -> JOIN;
            case Node.Await _ -> AWAIT;
            case Node.Call _ -> CALL;
            case Node.HumanTask task -> {
                Set<Outcome> declared = new HashSet<>(task.outcomes());
                declared.add(Outcome.FAILURE);
                if (task.drift() == Drift.EXIT) {
                    declared.add(Outcome.DRIFT);
                }
                declared.add(Outcome.ALWAYS);
                yield declared;
            }
        };
    }
}
