package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.simulation.world.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A fork with its branches and its join: named ones or one for each element, of both kinds, forks inside, exits later. */
final class ForkPiece implements ProgramPiece {
    private static final List<String> ITEMS =
            List.of("{{trigger.items}}", "{{trigger.items}}", "{{trigger.items}}", "{{trigger.x}}", "{{nowhere}}");

    @Override
    public Class<? extends Node> kind() {
        return Node.Fork.class;
    }

    @Override
    public int weight() {
        return 4;
    }

    @Override
    public void write(Sketch sketch, String id) {
        Dice dice = sketch.dice();
        String join = id + "j";
        boolean each = dice.percent(40);
        int count = each ? 1 : dice.percent(5) ? 0 : dice.between(1, 3);
        List<Branches.Branch> named = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            named.add(new Branches.Branch("b" + i, new ScopeId(id + "b" + i)));
        }
        Branches branches = each
                ? new Branches.Each(
                        new JsonString(dice.pick(ITEMS)), named.getFirst().scope(), dice.between(1, 3))
                : new Branches.Static(named);
        Origin origin = new Origin("/nodes/" + id);
        sketch.add(new Node.Fork(new NodeId(id), sketch.scope(), branches, new NodeId(join), sketch.routing(), origin));
        sketch.add(new Node.Join(
                new NodeId(join),
                sketch.scope(),
                policy(dice, count),
                dice.pick(List.of(Node.Join.Losers.values())),
                sketch.routing(),
                sketch.mayEnd(),
                origin));
        List<String> inside = new ArrayList<>();
        for (Branches.Branch branch : named) {
            inside.addAll(branch(sketch, id, join, branch.scope().value()));
        }
        sketch.composite(id, join, inside);
    }

    /** Writes one; answers with all nodes in it, at any depth. */
    private static List<String> branch(Sketch sketch, String fork, String join, String name) {
        Dice dice = sketch.dice();
        List<Scope.FailurePolicy> policies = List.of(
                Scope.FailurePolicy.FAIL,
                Scope.FailurePolicy.COMPENSATE,
                Scope.FailurePolicy.ARRIVE,
                Scope.FailurePolicy.ARRIVE,
                Scope.FailurePolicy.ARRIVE,
                Scope.FailurePolicy.PARK,
                dice.percent(50) ? Scope.FailurePolicy.PARK : Scope.FailurePolicy.FAIL);
        boolean settling = dice.percent(50);
        sketch.begin(name, settling);
        List<String> pieces = new ArrayList<>();
        int size = dice.between(1, 2);
        for (int i = 0; i < size; i++) {
            pieces.add(name + "n" + i);
            sketch.piece(pieces.get(i), i > 0);
            if (i > 0) {
                sketch.edge(pieces.getFirst(), pieces.get(i));
            }
        }
        String last = pieces.getLast();
        if (!sketch.isEnd(last) && dice.percent(90)) {
            sketch.arrive(last, join, true);
        }
        if (dice.percent(40)) {
            sketch.arrive(pieces.getFirst(), join, false);
        }
        if (!settling && !sketch.isEnd(last) && dice.percent(20)) {
            sketch.edge(last, pieces.getFirst());
        }
        List<String> inside = new ArrayList<>();
        for (String piece : pieces) {
            if (!sketch.isEnd(piece)) {
                inside.add(sketch.out(piece));
                inside.addAll(sketch.inside(piece));
            }
        }
        sketch.endBranch(pieces.getFirst(), dice.pick(policies), fork);
        return inside;
    }

    private static JoinPolicy policy(Dice dice, int count) {
        Set<Outcome> accept =
                dice.percent(50) ? Set.of() : Set.of(Outcome.SUCCESS, Outcome.FAILURE, new Outcome("yes"));
        return switch (dice.below(6)) {
            case 0 -> new JoinPolicy.Count(1, accept);
            case 1 -> new JoinPolicy.Count(dice.between(1, Math.max(1, count)), accept);
            case 2 -> new JoinPolicy.Majority(accept);
            case 3 -> new JoinPolicy.Ended(dice.between(1, Math.max(1, count)));
            default -> new JoinPolicy.All();
        };
    }
}
