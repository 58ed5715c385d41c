package dev.flowstone.dialect.soundness;

import static java.util.stream.Collectors.joining;

import dev.flowstone.dialect.soundness.Finding.Kind;
import dev.flowstone.dialect.soundness.Flow.Branch;
import dev.flowstone.dialect.soundness.Move.Result;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Breadth first over all markings, up to a bound: the first trace to anything is a shortest one. */
final class Walk {
    private final Ground ground;
    private final Moves moves;
    private final int most;
    private final Set<String> ran = new HashSet<>();
    private final Set<String> fired = new HashSet<>();
    private final Map<String, Seen> firstSeen = new HashMap<>();
    private final Map<String, Finding> deadlocks = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private int looked;
    private boolean complete = true;

    Walk(Ground ground, int most) {
        this.ground = ground;
        this.most = most;
        this.moves = new Moves(ground, new Settling(ground, this));
    }

    SoundnessReport run() {
        walk(Flow.at(ground.program.root().entry().value()), "");
        if (complete) {
            absences();
        }
        return new SoundnessReport(complete, looked, findings);
    }

    void ran(String node) {
        ran.add(node);
    }

    /** What a fork in a settling scope can lead to there. */
    Composite composite(Node.Fork fork) {
        Composite composite = new Composite(new TreeSet<>(), new TreeSet<>());
        Flow opened = moves.opened(Flow.at(fork.id().value()), fork);
        if (opened.branches().isEmpty()) {
            fired(opened);
            composite.joined().add(opened.forced());
            return composite;
        }
        for (Flow end : walk(opened, fork.id().value())) {
            if (end.forced().isEmpty()) {
                composite.exits().add(end.node());
            } else {
                composite.joined().add(end.forced());
            }
        }
        return composite;
    }

    /** Answers where tokens got that left a fork's node, if one is given that they shall not leave. */
    private List<Flow> walk(Flow first, String boundary) {
        List<Step> steps = new ArrayList<>();
        Set<Flow> seen = new HashSet<>();
        List<Flow> ends = new ArrayList<>();
        steps.add(new Step(first, -1, ""));
        seen.add(first);
        for (int at = 0; at < steps.size(); at++) {
            if (++looked > most) {
                complete = false;
                return ends;
            }
            Flow flow = steps.get(at).flow();
            note(flow, steps, at);
            if (!boundary.isEmpty() && !flow.node().equals(boundary)) {
                ends.add(flow);
                continue;
            }
            List<Move> next = moves.from(flow);
            if (next.isEmpty()) {
                deadlock(flow, steps, at);
            }
            for (Move move : next) {
                switch (move.result()) {
                    case Result.Moved(Flow moved) -> {
                        if (seen.add(moved)) {
                            steps.add(new Step(moved, at, move.by()));
                        }
                    }
                    case Result.Stuck(String node, String outcome) -> stuck(node, outcome, steps, at);
                    case Result.Left(String to, String _) -> ran(to);
                    case Result.Ended _, Result.Over _ -> {}
                }
            }
        }
        return ends;
    }

    private void note(Flow flow, List<Step> steps, int at) {
        if (ran.add(flow.node())) {
            firstSeen.put(flow.node(), new Seen(steps, at));
        }
        fired(flow);
        for (Branch branch : flow.branches()) {
            if (branch instanceof Branch.Running(Flow inner)) {
                note(inner, steps, at);
            }
        }
    }

    private void fired(Flow flow) {
        if (flow.forced().equals(Outcome.SUCCESS.name())) {
            fired.add(flow.node());
        }
    }

    private void deadlock(Flow flow, List<Step> steps, int at) {
        Set<String> waiting = new TreeSet<>();
        waiting(flow, waiting);
        String names = String.join(", ", waiting);
        if (!waiting.isEmpty() && !deadlocks.containsKey(names)) {
            List<NodeId> trace = trace(steps, at);
            String message = (waiting.size() == 1 ? names + " waits" : names + " wait")
                    + " for permits that this run holds itself";
            add(names, new Finding(Kind.DEADLOCK, ground.node(waiting.iterator().next()), trace, message));
        }
    }

    private static void waiting(Flow flow, Set<String> nodes) {
        if (flow.branches().isEmpty()) {
            nodes.add(flow.node());
        }
        for (Branch branch : flow.branches()) {
            if (branch instanceof Branch.Running(Flow inner)) {
                waiting(inner, nodes);
            }
        }
    }

    private void stuck(String node, String outcome, List<Step> steps, int at) {
        String key = node + " " + outcome;
        if (!deadlocks.containsKey(key)) {
            String message = "when the outcome of " + node + " is '" + outcome + "', no edge leads on";
            add(key, new Finding(Kind.DEADLOCK, ground.node(node), trace(steps, at), message));
        }
    }

    private void add(String key, Finding finding) {
        deadlocks.put(key, finding);
        findings.add(finding);
    }

    private static List<NodeId> trace(List<Step> steps, int at) {
        List<NodeId> trace = new ArrayList<>();
        for (int i = at; i > 0; i = steps.get(i).before()) {
            trace.add(new NodeId(steps.get(i).by()));
        }
        Collections.reverse(trace);
        return trace;
    }

    private void absences() {
        for (Node node : ground.program.nodes()) {
            if (node instanceof Node.Join join && !fired.contains(join.id().value()) && forked(join)) {
                String message = "no run can meet the policy of join " + join.id();
                findings.add(new Finding(Kind.JOIN_NEVER_FIRES, join, toFork(join), message));
            } else if (!ran.contains(node.id().value()) && !(node instanceof Node.Join) && isFirst(node)) {
                String from = ground.program.incoming(node.id()).stream()
                        .map(edge -> edge.from().value())
                        .collect(joining(", "));
                String message = "no run enters " + node.id()
                        + (from.isEmpty() ? "" : ": what leads there, from " + from + ", is never taken");
                findings.add(new Finding(Kind.NEVER_RUNS, node, nearest(node), message));
            }
        }
    }

    /** Whether what leads there does run: of a path that never runs, its first node is enough. */
    private boolean isFirst(Node node) {
        return ground.program.incoming(node.id()).stream()
                .anyMatch(edge -> ran.contains(edge.from().value()));
    }

    private boolean forked(Node.Join join) {
        return ground.program.nodes().stream()
                .anyMatch(node -> node instanceof Node.Fork fork
                        && fork.join().equals(join.id())
                        && ran.contains(fork.id().value()));
    }

    private List<NodeId> toFork(Node.Join join) {
        return ground.program.nodes().stream()
                .filter(node -> node instanceof Node.Fork fork && fork.join().equals(join.id()))
                .findFirst()
                .map(fork -> upTo(fork.id()))
                .orElse(List.of());
    }

    private List<NodeId> nearest(Node node) {
        for (Edge edge : ground.program.incoming(node.id())) {
            if (ran.contains(edge.from().value())) {
                return upTo(edge.from());
            }
        }
        return List.of();
    }

    private List<NodeId> upTo(NodeId node) {
        Seen seen = firstSeen.get(node.value());
        List<NodeId> trace = seen == null ? new ArrayList<>() : trace(seen.steps(), seen.at());
        trace.add(node);
        return trace;
    }

    /** Where a node first had a token; its trace is worked out only if somebody asks. */
    private record Seen(List<Step> steps, int at) {}

    private record Step(Flow flow, int before, String by) {}

    /** Outcomes of a join, and nodes that branches left for. */
    record Composite(Set<String> joined, Set<String> exits) {}
}
