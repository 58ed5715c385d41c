package dev.flowstone.dialect.states.compile;

import dev.flowstone.dialect.states.compile.Parts.Terms;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Body;
import dev.flowstone.dialect.states.model.Branch;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Routing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One state as a chain:
 *
 * <pre>
 * policy ─▶ limit ─▶ acquire ─▶ timed { enter… ─▶ the state itself | clock } ─▶ exit… ─▶ release ─▶ the next state
 *    └ denied                                                            └ timeout
 * </pre>
 *
 * Transitions are judged where the state has done its work; what is done on leaving stands behind them, once for each.
 */
final class StateCompiler {
    private final Parts parts;
    private final Works works;
    private final At workflow;
    private final RegionCompiler regions;
    private final StateDef state;
    private final Surroundings around;
    private final boolean timed;
    private final ScopeId inner;
    private final Origin origin;

    /** What can fail inside, in order. */
    private final List<NodeId> failing = new ArrayList<>();

    StateCompiler(Parts parts, Works works, At workflow, RegionCompiler regions, StateDef state, Surroundings around) {
        this.parts = parts;
        this.works = works;
        this.workflow = workflow;
        this.regions = regions;
        this.state = state;
        this.around = around;
        this.timed = Ids.timed(state);
        this.inner = timed ? new ScopeId(state.name() + "/timed/body") : around.scope();
        this.origin = new Origin(state.at().pointer());
    }

    void compile() {
        NodeId first = timed ? Ids.of(state, "timed") : Ids.inside(state);
        hold(first);
        if (timed) {
            clock();
        }
        steps();
        body();
        if (state.body() == Body.END) {
            end();
        } else {
            new WayCompiler(parts, works, workflow, state, around, failing).compile();
        }
    }

    /** Policies, then what is held. */
    private void hold(NodeId next) {
        At at = state.at();
        NodeId after = next;
        if (at.has("semaphore")) {
            NodeId id = Ids.of(state, "acquire");
            int permits =
                    at.object("semaphore").flatMap(it -> it.whole("permits")).orElse(1);
            Origin from = new Origin(at.pointer("semaphore"));
            parts.nodes.add(works.acquire(
                    id, around.scope(), state.semaphore().orElseThrow(), permits, Optional.empty(), from));
            parts.edge(id, StateDef.SUCCESS, after, from);
            after = id;
        }
        if (at.has("concurrency")) {
            NodeId id = Ids.of(state, "limit");
            parts.nodes.add(works.limit(
                    id, around.scope(), state, at.whole("concurrency").orElse(1)));
            parts.edge(id, StateDef.SUCCESS, after, origin);
            after = id;
        }
        if (at.has("policies")) {
            new Gate(workflow, state, around.scope()).compile(parts, after);
        }
    }

    /** The interrupt beside the body: the body arrives, or the clock leaves (R18). */
    private void clock() {
        NodeId fork = Ids.of(state, "timed");
        NodeId join = Ids.of(state, "timed/join");
        NodeId clock = Ids.of(state, "clock");
        ScopeId beside = new ScopeId(state.name() + "/timed/clock");
        Branches branches =
                new Branches.Static(List.of(new Branches.Branch("body", inner), new Branches.Branch("clock", beside)));
        Origin from = new Origin(state.at().pointer("timeout"));
        parts.nodes.add(new Node.Fork(fork, around.scope(), branches, join, Routing.FIRST, from));
        parts.nodes.add(new Node.Join(
                join, around.scope(), new JoinPolicy.Ended(1), Node.Join.Losers.CANCEL, Routing.FIRST, false, from));
        Optional<ScopeId> parent = Optional.of(around.scope());
        parts.scope(inner, parent, around.onFailure(), Ids.inside(state), Optional.of(fork));
        parts.scope(beside, parent, around.onFailure(), clock, Optional.of(fork));
        JsonValue after = state.at().value("timeout").orElseThrow();
        parts.nodes.add(new Node.Timer(clock, beside, new Due.After(after), Routing.FIRST, false, from));
    }

    /** What is done on entering, and all steps of the body but its last. */
    private void steps() {
        List<At> enter = state.at().list("onEnter");
        for (int i = 0; i < enter.size(); i++) {
            NodeId id = Ids.step(state, "enter", i, enter.get(i));
            NodeId next =
                    i + 1 < enter.size() ? Ids.step(state, "enter", i + 1, enter.get(i + 1)) : Ids.bodyEntry(state);
            step(id, enter.get(i), next);
        }
        List<At> tasks = state.body() == Body.TASKS ? state.steps() : List.of();
        for (int i = 0; i + 1 < tasks.size(); i++) {
            NodeId id = Ids.step(state, "task", i, tasks.get(i));
            boolean last = i + 2 == tasks.size();
            step(id, tasks.get(i), last ? Ids.body(state) : Ids.step(state, "task", i + 1, tasks.get(i + 1)));
        }
    }

    private void step(NodeId id, At step, NodeId next) {
        parts.nodes.add(works.step(id, inner, step));
        parts.edge(id, StateDef.SUCCESS, next, new Origin(step.pointer()));
        failing.add(id);
    }

    private void body() {
        NodeId id = Ids.body(state);
        At at = state.at();
        Optional<JsonValue> timeout = timed ? Optional.empty() : at.value("timeout");
        switch (state.body()) {
            case TASKS -> {
                if (state.steps().isEmpty()) {
                    choice(id);
                } else {
                    can(works.step(id, inner, state.steps().getLast()));
                }
            }
            case HUMAN -> can(works.human(id, inner, state));
            case WAIT -> can(works.await(id, inner, at.object("wait").orElseThrow(), timeout));
            case SEND -> can(works.send(id, inner, at.object("send").orElseThrow(), origin));
            case CALL -> can(works.call(id, inner, at.object("call").orElseThrow(), timeout));
            case TIMER -> can(works.timer(id, inner, at.object("timer").orElseThrow()));
            case ASSIGN -> can(works.assign(id, inner, at, origin));
            case PARALLEL, FOR_EACH -> {
                int phases = 1
                        + state.branches().stream()
                                .mapToInt(Branch::phase)
                                .max()
                                .orElse(0);
                for (int phase = 0; phase < phases; phase++) {
                    failing.add(Ids.fork(state, phase));
                }
                regions.branches(state, inner, around);
            }
            case ACQUIRE -> {
                At hold = at.object("acquire").orElseThrow();
                String semaphore = hold.text("semaphore").orElseThrow();
                can(works.acquire(id, inner, semaphore, hold.whole("permits").orElse(1), timeout, origin));
            }
            case RELEASE ->
                can(works.release(id, inner, new NodeId(at.text("release").orElseThrow()), origin));
            case CHOICE -> choice(id);
            case END -> {}
        }
    }

    private void can(Node node) {
        parts.nodes.add(node);
        failing.add(node.id());
    }

    private void choice(NodeId id) {
        parts.nodes.add(new Node.Choice(id, inner, Routing.FIRST, false, origin));
    }

    /** In a branch it arrives at the join. */
    private void end() {
        At end = state.at().object("end").orElseThrow();
        String outcome = end.text("outcome").orElse(StateDef.SUCCESS);
        boolean terminate = end.flag("terminate", false);
        NodeId id = Ids.body(state);
        if (around.join().isEmpty() || terminate) {
            parts.nodes.add(new Node.End(id, around.scope(), new Outcome(outcome), terminate, origin));
            return;
        }
        choice(id);
        Terms arrival = new Terms(Optional.empty(), false, 0, Optional.of(outcome));
        parts.edge(id, StateDef.SUCCESS, around.join().get(), arrival, origin);
    }
}
