package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.Compensation;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.program.Target;
import dev.flowstone.testkit.simulation.world.Dice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A state machine most of which goes well and can be undone: bookings one after another, some of them several at once, some in
 * a scope of their own, and something to wait for between them. What operators take back is worth taking back.
 */
final class Trip {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Retry RETRY = new Retry(3, Duration.ofSeconds(1), 2, Duration.ofMinutes(1), true);

    private final Sketch sketch;
    private final Dice dice;

    Trip(Sketch sketch) {
        this.sketch = sketch;
        this.dice = sketch.dice();
    }

    /** Writes it into the root scope, behind its start; answers with its first node. */
    String write() {
        String next = "end";
        sketch.add(new Node.End(new NodeId(next), sketch.scope(), Outcome.SUCCESS, false, new Origin("/nodes/end")));
        if (dice.percent(60)) {
            sketch.piece("last", false);
            sketch.plain("last", next);
            next = "last";
        }
        for (int i = dice.between(2, 5); i > 0; i--) {
            next = stop("t" + i, next);
        }
        return next;
    }

    /** One stop, which leads on to the next. */
    private String stop(String id, String next) {
        int die = dice.below(10);
        if (die < 2) {
            return fork(id, next);
        }
        if (die < 4) {
            return chapter(id, next);
        }
        switch (die) {
            case 4 -> new AwaitPiece().write(sketch, id);
            case 5 -> {
                return counter(id, next);
            }
            default -> book(id);
        }
        sketch.plain(id, next);
        return id;
    }

    /** A booking that few may make at once. */
    private String counter(String id, String next) {
        AwaitPiece.permit(sketch, id);
        book(id + "w");
        EmitPiece.write(sketch, id + "r", new Target.Release(new NodeId(id)));
        sketch.plain(id, id + "w");
        sketch.plain(id + "w", id + "r");
        sketch.plain(id + "r", next);
        return id;
    }

    private String chapter(String id, String next) {
        sketch.begin(id + "s", true);
        List<String> inside = bookings(id + "s", dice.between(2, 3));
        sketch.endSettling(inside.getFirst(), inside.getLast(), next);
        return inside.getFirst();
    }

    private String fork(String id, String next) {
        NodeId join = new NodeId(id + "j");
        Origin origin = new Origin("/nodes/" + id);
        List<Branches.Branch> branches = new ArrayList<>();
        boolean each = dice.percent(40);
        for (int i = each ? 1 : dice.between(2, 3); i > 0; i--) {
            branches.add(new Branches.Branch("b" + i, new ScopeId(id + "b" + i)));
        }
        sketch.add(new Node.Fork(
                new NodeId(id),
                sketch.scope(),
                each
                        ? new Branches.Each(
                                new JsonString("{{trigger.items}}"),
                                branches.getFirst().scope(),
                                dice.between(1, 3))
                        : new Branches.Static(branches),
                join,
                Routing.FIRST,
                origin));
        sketch.add(new Node.Join(
                join,
                sketch.scope(),
                dice.percent(50) ? new JoinPolicy.All() : new JoinPolicy.Ended(1),
                dice.pick(List.of(Node.Join.Losers.values())),
                Routing.FIRST,
                true,
                origin));
        for (Branches.Branch branch : branches) {
            sketch.begin(branch.scope().value(), dice.percent(50));
            List<String> inside = bookings(branch.scope().value(), dice.between(1, 2));
            if (dice.percent(15)) {
                // Nobody ever finds out what to book here.
                book(inside.getFirst(), new JsonString("{{nowhere.to.be.found}}"));
            }
            sketch.arrive(inside.getLast(), join.value(), true);
            sketch.endBranch(
                    inside.getFirst(),
                    dice.percent(30) ? Scope.FailurePolicy.PARK : dice.pick(List.of(Scope.FailurePolicy.values())),
                    id);
        }
        sketch.composite(id, join.value(), List.of());
        sketch.plain(id, next);
        return id;
    }

    private List<String> bookings(String prefix, int size) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            all.add(prefix + "n" + i);
            book(all.getLast());
            if (i > 0) {
                sketch.plain(all.get(i - 1), all.get(i));
            }
        }
        return all;
    }

    private void book(String id) {
        book(id, JsonObject.builder().put("x", "{{trigger.x}}").build());
    }

    private void book(String id, JsonValue input) {
        Compensation undo = dice.percent(12)
                ? new Compensation.Attested("call them")
                : new Compensation.ByHandler(TaskPiece.handler(sketch), JsonObject.EMPTY, RETRY, TIMEOUT);
        sketch.add(new Node.Task(
                new NodeId(id),
                sketch.scope(),
                TaskPiece.handler(sketch),
                input,
                RETRY,
                TIMEOUT,
                false,
                dice.percent(85) ? Optional.of(undo) : Optional.empty(),
                Optional.empty(),
                sketch.routing(),
                true,
                new Origin("/nodes/" + id)));
    }
}
