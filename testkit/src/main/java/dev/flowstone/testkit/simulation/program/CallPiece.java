package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.ChildAnswer;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.testkit.simulation.world.Dice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A child: waited for or not, its output wrapped or not, with every policy; some can't be, since they aren't there or are
 * above already.
 */
final class CallPiece implements ProgramPiece {
    private static final List<ChildPolicy> ENDS = policies(ChildPolicy::ends);
    private static final List<ChildPolicy> SUSPENDS = policies(ChildPolicy::suspends);
    private static final List<ChildPolicy> TIMES_OUT = policies(ChildPolicy::timesOut);

    private static final List<String> WITHIN = List.of("PT1S", "PT15S", "PT90S");

    /** Being let go is the rarest of them, for it takes an operator and a child that is under way: chosen more often. */
    private static List<ChildPolicy> policies(Predicate<ChildPolicy> meant) {
        return Stream.concat(
                        Stream.of(ChildPolicy.values()).filter(meant),
                        Stream.of(ChildPolicy.DETACH, ChildPolicy.DETACH))
                .toList();
    }

    @Override
    public Class<? extends Node> kind() {
        return Node.Call.class;
    }

    @Override
    public int weight() {
        return 4;
    }

    @Override
    public void write(Sketch sketch, String id) {
        Dice dice = sketch.dice();
        JsonValue input = dice.percent(70)
                ? new JsonString("{{trigger}}")
                : JsonObject.builder().put("x", true).put("k", "k1").build();
        sketch.add(new Node.Call(
                new NodeId(id),
                sketch.scope(),
                new WorkflowId(dice.percent(80) ? sketch.another() : "w" + dice.below(4)),
                dice.percent(20) ? Optional.of(1) : Optional.empty(),
                Map.of("trigger", input),
                dice.percent(70),
                dice.percent(40) ? Optional.of(new JsonString(dice.pick(WITHIN))) : Optional.empty(),
                new ChildPolicies(dice.pick(ENDS), dice.pick(ENDS), dice.pick(SUSPENDS), dice.pick(TIMES_OUT)),
                dice.percent(50) ? ChildAnswer.WRAPPED : ChildAnswer.PLAIN,
                sketch.routing(),
                sketch.mayEnd(),
                new Origin("/nodes/" + id)));
    }
}
