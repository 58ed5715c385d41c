package dev.flowstone.dialect.soundness;

import dev.flowstone.dialect.soundness.Flow.Branch;
import dev.flowstone.dialect.soundness.Move.Result;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.program.Source;
import dev.flowstone.kernel.program.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The steps that a marking allows. */
final class Moves {
    private static final String SUCCESS = Outcome.SUCCESS.name();

    private final Ground ground;
    private final Program program;
    private final Settling settling;

    Moves(Ground ground, Settling settling) {
        this.ground = ground;
        this.program = ground.program;
        this.settling = settling;
    }

    /** All steps from a marking. */
    List<Move> from(Flow marking) {
        Map<String, Integer> held = new HashMap<>();
        if (ground.hasPermits()) {
            held(marking, held);
        }
        return from(marking, held);
    }

    private void held(Flow flow, Map<String, Integer> held) {
        for (String await : flow.holds()) {
            Source.Permit permit = Ground.semaphore(ground.node(await)).orElseThrow();
            held.merge(permit.semaphore().toString(), permit.permits(), Integer::sum);
        }
        for (Branch branch : flow.branches()) {
            if (branch instanceof Branch.Running(Flow inner)) {
                held(inner, held);
            }
        }
    }

    private List<Move> from(Flow flow, Map<String, Integer> held) {
        Node node = ground.node(flow.node());
        if (!flow.branches().isEmpty()) {
            return inBranches(flow, (Node.Fork) node, held);
        }
        if (ground.scope(node).kind() == Scope.Kind.SETTLING) {
            return settled(flow, node);
        }
        List<Move> moves = new ArrayList<>();
        if (node instanceof Node.Fork fork) {
            open(flow, fork, moves);
        } else if (node instanceof Node.End end) {
            moves.add(new Move(flow.node(), end.terminate() ? new Result.Over() : new Result.Ended()));
        } else if (!flow.forced().isEmpty()) {
            complete(flow, node, flow.forced(), moves);
        } else {
            for (String outcome : ground.outcomes(node)) {
                if (!outcome.equals(SUCCESS) || isFree(node, held)) {
                    complete(flow, node, outcome, moves);
                }
            }
        }
        return moves;
    }

    private static boolean isFree(Node node, Map<String, Integer> held) {
        return Ground.semaphore(node)
                .map(it -> held.getOrDefault(it.semaphore().toString(), 0) + it.permits() <= it.limit())
                .orElse(true);
    }

    private void complete(Flow flow, Node node, String outcome, List<Move> moves) {
        Flow after = flow;
        if (outcome.equals(SUCCESS) && Ground.semaphore(node).isPresent()) {
            after = flow.holding(flow.node());
        } else if (node instanceof Node.Emit emit && emit.target() instanceof Target.Release release) {
            after = flow.without(release.await().value());
        }
        List<Edge> edges = ground.candidates(node, outcome);
        for (Edge edge : edges) {
            moves.add(new Move(flow.node(), take(after, node, outcome, edge)));
        }
        if (edges.isEmpty()) {
            moves.add(new Move(flow.node(), nowhere(node, outcome)));
        }
    }

    private Result nowhere(Node node, String outcome) {
        if (new Outcome(outcome).isFailure()) {
            Scope base = ground.base(node);
            boolean arrives = ground.scope(node).onFailure() == Scope.FailurePolicy.ARRIVE;
            return arrives && base.fork().isPresent()
                    ? new Result.Left(ground.join(base).orElseThrow().value(), outcome)
                    : new Result.Over();
        }
        return node.mayEnd() ? new Result.Ended() : new Result.Stuck(node.id().value(), outcome);
    }

    private Result take(Flow flow, Node from, String outcome, Edge edge) {
        Scope base = ground.base(from);
        String human = from instanceof Node.HumanTask && ground.asksForOutcomes(base) ? outcome : flow.last();
        Node to = program.node(edge.to());
        boolean stays = ground.base(to).equals(base);
        if (stays) {
            return new Result.Moved(flow.moved(to.id().value(), human));
        }
        String as = edge.as().map(Outcome::name).orElse(human.isEmpty() ? outcome : human);
        return new Result.Left(to.id().value(), as);
    }

    /** A settling scope is one step: every way out of it that it can have. */
    private List<Move> settled(Flow flow, Node node) {
        Settling.Summary summary = settling.summary(ground.scope(node));
        List<Move> moves = new ArrayList<>();
        for (Settling.Way way : summary.ways()) {
            Node from = program.node(way.edge().from());
            moves.add(new Move(from.id().value(), take(flow, from, way.outcome(), way.edge())));
        }
        if (summary.ways().isEmpty()) {
            moves.add(new Move(flow.node(), new Result.Ended()));
        }
        return moves;
    }

    private void open(Flow flow, Node.Fork fork, List<Move> moves) {
        for (Edge edge : ground.candidates(fork, Outcome.FAILURE.name())) {
            moves.add(new Move(flow.node(), take(flow, fork, Outcome.FAILURE.name(), edge)));
        }
        boolean each = fork.branches() instanceof Branches.Each;
        List<Flow> opened = new ArrayList<>();
        opened.add(opened(flow, fork));
        if (each) {
            opened.add(flow.fired(fork.join().value(), SUCCESS));
        }
        opened.forEach(it -> moves.add(new Move(flow.node(), new Result.Moved(it))));
    }

    /** The fork with its branches open: a collection's stand for two elements. */
    Flow opened(Flow flow, Node.Fork fork) {
        List<ScopeId> scopes = switch (fork.branches()) {
            case Branches.Static named ->
                named.branches().stream().map(Branches.Branch::scope).toList();
            case Branches.Each each -> List.of(each.scope(), each.scope());
        };
        if (scopes.isEmpty()) {
            return flow.fired(fork.join().value(), SUCCESS);
        }
        List<Branch> branches = new ArrayList<>();
        for (ScopeId scope : scopes) {
            branches.add(new Branch.Running(Flow.at(program.scope(scope).entry().value())));
        }
        return flow.with(List.copyOf(branches));
    }

    private List<Move> inBranches(Flow flow, Node.Fork fork, Map<String, Integer> held) {
        boolean one = ground.isIndependent(fork);
        List<Move> moves = new ArrayList<>();
        for (int i = 0; i < flow.branches().size(); i++) {
            if (flow.branches().get(i) instanceof Branch.Running(Flow inner)) {
                List<Move> steps = from(inner, held);
                boolean goesOn = false;
                for (Move step : steps) {
                    goesOn |= !(step.result() instanceof Result.Stuck);
                    moves.add(new Move(step.by(), lifted(flow, fork, i, step.result())));
                }
                if (one && goesOn) {
                    return moves;
                }
            }
        }
        return moves;
    }

    /** What a branch's step means to the fork's scope. */
    private Result lifted(Flow flow, Node.Fork fork, int branch, Result result) {
        return switch (result) {
            case Result.Moved(Flow moved) -> new Result.Moved(flow.with(branch, new Branch.Running(moved)));
            case Result.Ended _ -> Joins.judged(flow.with(branch, new Branch.Died()), join(fork));
            case Result.Left(String to, String outcome) -> {
                if (to.equals(fork.join().value())) {
                    yield Joins.judged(flow.with(branch, new Branch.Arrived(outcome)), join(fork));
                }
                NodeId target = new NodeId(to);
                boolean here = ground.base(program.node(target)).equals(ground.base(fork));
                yield here ? new Result.Moved(flow.moved(to, flow.last())) : result;
            }
            case Result.Over over -> over;
            case Result.Stuck stuck -> stuck;
        };
    }

    private Node.Join join(Node.Fork fork) {
        return (Node.Join) program.node(fork.join());
    }
}
