package dev.flowstone.dialect.states.compile;

import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Branch;
import dev.flowstone.dialect.states.model.Region;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Node.Join.Losers;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A region's states, and the branches inside them. Nesting is bounded by the parser. */
final class RegionCompiler {
    private static final int WINDOW = 10;

    private final Parts parts;
    private final Works works;
    private final At workflow;

    RegionCompiler(Parts parts, Works works, At workflow) {
        this.parts = parts;
        this.works = works;
        this.workflow = workflow;
    }

    void compile(Region region, Surroundings around) {
        for (StateDef state : region.states().values()) {
            new StateCompiler(parts, works, workflow, this, state, around).compile();
        }
    }

    /** Forks and joins of a state, phase by phase; its last join is the state itself. */
    void branches(StateDef state, ScopeId scope, Surroundings around) {
        At at = state.at()
                .object("parallel")
                .or(() -> state.at().object("forEach"))
                .orElseThrow();
        Scope.FailurePolicy policy = ProgramCompiler.policy(at.text("onFailure"), around.onFailure());
        int phases = 1 + state.branches().stream().mapToInt(Branch::phase).max().orElse(0);
        for (int phase = 0; phase < phases; phase++) {
            int now = phase;
            List<Branch> branches =
                    state.branches().stream().filter(it -> it.phase() == now).toList();
            NodeId fork = Ids.fork(state, phase);
            NodeId join = Ids.join(state, phase, phases);
            Origin origin = new Origin(at.pointer());
            parts.nodes.add(new Node.Fork(fork, scope, opened(at, branches), join, Routing.FIRST, origin));
            boolean last = phase == phases - 1;
            JoinPolicy joined = last ? policy(at) : new JoinPolicy.All();
            Losers losers =
                    last ? Losers.valueOf(at.text("losers").orElse("cancel").toUpperCase(Locale.ROOT)) : Losers.CANCEL;
            parts.nodes.add(new Node.Join(join, scope, joined, losers, Routing.FIRST, false, origin));
            if (!last) {
                parts.edge(join, StateDef.SUCCESS, Ids.fork(state, phase + 1), origin);
            }
            for (Branch branch : branches) {
                Region region = branch.region();
                ScopeId inner = new ScopeId(region.name());
                NodeId entry = Ids.entry(ProgramCompiler.found(region));
                parts.scope(inner, Optional.of(scope), policy, entry, Optional.of(fork));
                compile(region, around.branch(inner, join, policy));
            }
        }
    }

    private static Branches opened(At at, List<Branch> branches) {
        if (at.has("items")) {
            ScopeId scope = new ScopeId(branches.getFirst().region().name());
            return new Branches.Each(
                    at.value("items").orElseThrow(), scope, at.whole("window").orElse(WINDOW));
        }
        return new Branches.Static(branches.stream()
                .map(it ->
                        new Branches.Branch(it.name(), new ScopeId(it.region().name())))
                .toList());
    }

    private static JoinPolicy policy(At at) {
        At join = at.object("join").orElse(at);
        Set<Outcome> accept =
                Set.copyOf(join.texts("accept").stream().map(Outcome::new).toList());
        return join.whole("count")
                .<JoinPolicy>map(it -> new JoinPolicy.Count(it, accept))
                .or(() -> join.whole("ended").map(JoinPolicy.Ended::new))
                .orElseGet(() -> switch (at.text("join").orElse(join.has("majority") ? "majority" : "all")) {
                    case "any" -> new JoinPolicy.Count(1, accept);
                    case "majority" -> new JoinPolicy.Majority(accept);
                    default -> new JoinPolicy.All();
                });
    }
}
