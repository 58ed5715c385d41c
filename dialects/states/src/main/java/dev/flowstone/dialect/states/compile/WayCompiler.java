package dev.flowstone.dialect.states.compile;

import dev.flowstone.dialect.states.compile.Parts.Terms;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Body;
import dev.flowstone.dialect.states.model.Branch;
import dev.flowstone.dialect.states.model.Rules;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.dialect.states.model.Transition;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The ways out of one state: for each outcome its transitions, each with what is done on leaving. */
final class WayCompiler {
    private final Parts parts;
    private final Works works;
    private final StateDef state;
    private final Surroundings around;
    private final List<NodeId> failing;
    private final Rules rules;
    private final Gate gate;
    private final boolean timed;
    private final ScopeId inner;

    /** Whether the way that arrives at the join of a timed state was found: the first one. */
    private boolean arrived;

    private boolean left;

    WayCompiler(Parts parts, Works works, At workflow, StateDef state, Surroundings around, List<NodeId> failing) {
        this.parts = parts;
        this.works = works;
        this.state = state;
        this.around = around;
        this.failing = failing;
        this.rules = new Rules(workflow);
        this.gate = new Gate(workflow, state, around.scope());
        this.timed = Ids.timed(state);
        this.inner = timed ? new ScopeId(state.name() + "/timed/body") : around.scope();
    }

    void compile() {
        for (String outcome : state.outcomes()) {
            List<Transition> ways = state.ways(outcome);
            boolean falls = outcome.equals(StateDef.TIMEOUT) || outcome.equals(StateDef.DENIED);
            if (ways.isEmpty() && falls) {
                ways = state.ways(StateDef.FAILURE);
            }
            compile(outcome, ways);
        }
        if (state.at().has("recheck")) {
            recheck();
        }
    }

    private void compile(String outcome, List<Transition> ways) {
        List<Start> starts = starts(outcome);
        for (int i = 0; i < ways.size(); i++) {
            Transition way = ways.get(i);
            Origin origin = new Origin(way.pointer());
            Terms terms = new Terms(way.when().map(rules::condition), way.otherwise(), i, Optional.empty());
            Goal goal = leaving(outcome, i, way);
            boolean inside = !outcome.equals(StateDef.TIMEOUT) && !outcome.equals(StateDef.DENIED);
            if (timed && inside && !arrived) {
                arrived = true;
                NodeId join = Ids.of(state, "timed/join");
                parts.edge(join, StateDef.SUCCESS, goal.node(), goal.terms(Parts.PLAIN), origin);
                goal = new Goal(join, Optional.of(outcome));
            }
            for (Start start : starts) {
                // Beside the condition of a policy's gate everything is otherwise.
                Terms here = outcome.equals(StateDef.DENIED)
                        ? new Terms(terms.when(), terms.when().isEmpty(), i + 1, Optional.empty())
                        : terms;
                parts.edge(start.node(), start.on(), goal.node(), goal.terms(here), origin);
            }
        }
        if (ways.isEmpty()) {
            nowhere(outcome, starts);
        }
    }

    /** Where an outcome shows. */
    private List<Start> starts(String outcome) {
        List<Start> starts = new ArrayList<>();
        NodeId body = Ids.body(state);
        switch (outcome) {
            case StateDef.FAILURE -> failing.forEach(node -> starts.add(new Start(node, StateDef.FAILURE)));
            case StateDef.TIMEOUT ->
                starts.add(timed ? new Start(Ids.of(state, "clock"), StateDef.SUCCESS) : new Start(body, outcome));
            case StateDef.DENIED -> gate.denying().forEach(node -> starts.add(new Start(node, StateDef.SUCCESS)));
            case "unsatisfied" -> {
                int phases = 1
                        + state.branches().stream()
                                .mapToInt(Branch::phase)
                                .max()
                                .orElse(0);
                for (int phase = 0; phase + 1 < phases; phase++) {
                    starts.add(new Start(Ids.join(state, phase, phases), outcome));
                }
                starts.add(new Start(body, outcome));
            }
            default -> {
                starts.add(new Start(body, outcome));
                // What is looked at again has no outcome but that: a child's cancelation, say, is never looked at
                // twice.
                if (state.at().has("recheck") && outcome.equals(StateDef.SUCCESS)) {
                    starts.add(new Start(Ids.of(state, "guards"), outcome));
                }
            }
        }
        return starts;
    }

    /** What is done on leaving by this way, and where it leads. */
    private Goal leaving(String outcome, int index, Transition way) {
        Goal goal = way.to()
                .flatMap(state.region()::find)
                .map(to -> new Goal(Ids.entry(to), Optional.empty()))
                .orElseGet(() -> new Goal(around.join().orElseThrow(), Optional.of(outcome)));
        if (outcome.equals(StateDef.DENIED)) {
            return goal;
        }
        Origin origin = new Origin(way.pointer());
        String copy = left ? "@" + outcome + "." + (index + 1) : "";
        List<Node> chain = new ArrayList<>();
        List<At> exit = state.at().list("onExit");
        for (int i = 0; i < exit.size(); i++) {
            chain.add(works.step(Ids.of(state, "exit" + copy + "/" + i), around.scope(), exit.get(i)));
        }
        for (String held : List.of("acquire", "limit")) {
            boolean holds = state.at().has(held.equals("acquire") ? "semaphore" : "concurrency");
            if (holds) {
                NodeId id = Ids.of(state, (held.equals("acquire") ? "release" : "unlimit") + copy);
                chain.add(works.release(id, around.scope(), Ids.of(state, held), origin));
            }
        }
        left |= !chain.isEmpty();
        for (int i = chain.size() - 1; i >= 0; i--) {
            Node node = chain.get(i);
            parts.nodes.add(node);
            parts.edge(node.id(), StateDef.SUCCESS, goal.node(), goal.terms(Parts.PLAIN), node.origin());
            goal = new Goal(node.id(), Optional.empty());
        }
        return goal;
    }

    /** No transition is for this outcome. */
    private void nowhere(String outcome, List<Start> starts) {
        Origin origin = new Origin(state.at().pointer());
        if (outcome.equals(StateDef.DENIED) && !starts.isEmpty()) {
            NodeId end = Ids.of(state, "denied");
            parts.nodes.add(new Node.End(end, around.root(), Outcome.DENIED, true, origin));
            Terms otherwise = new Terms(Optional.empty(), true, 1, Optional.empty());
            starts.forEach(start -> parts.edge(start.node(), start.on(), end, otherwise, origin));
        }
        boolean arrives = timed && around.onFailure() == Scope.FailurePolicy.ARRIVE;
        if (outcome.equals(StateDef.FAILURE) && arrives) {
            // The timer's join must not take it for the end of the work.
            for (Start start : starts) {
                Terms failed = Parts.PLAIN.as(StateDef.FAILURE);
                parts.edge(start.node(), start.on(), around.join().orElseThrow(), failed, origin);
            }
        }
    }

    /** A state whose guards are all false waits, and looks again (R9). */
    private void recheck() {
        At recheck = state.at().object("recheck").orElseThrow();
        Origin origin = new Origin(recheck.pointer());
        NodeId wait = Ids.of(state, "recheck");
        NodeId guards = Ids.of(state, "guards");
        parts.nodes.add(works.await(wait, inner, recheck, recheck.value("every")));
        parts.nodes.add(new Node.Choice(guards, inner, Routing.FIRST, false, origin));
        parts.edge(wait, StateDef.SUCCESS, guards, origin);
        if (recheck.has("every")) {
            parts.edge(wait, StateDef.TIMEOUT, guards, origin);
        }
        Terms otherwise = new Terms(Optional.empty(), true, Integer.MAX_VALUE, Optional.empty());
        parts.edge(guards, StateDef.SUCCESS, wait, otherwise, origin);
        if (state.body() != Body.HUMAN) {
            parts.edge(Ids.body(state), StateDef.SUCCESS, wait, otherwise, origin);
        }
    }

    /** A node and the outcome of it. */
    private record Start(NodeId node, String on) {}

    /** A node that a way leads to, and as what it arrives there if that is a join. */
    private record Goal(NodeId node, Optional<String> as) {
        Terms terms(Terms terms) {
            return as.map(terms::as).orElse(terms);
        }
    }
}
