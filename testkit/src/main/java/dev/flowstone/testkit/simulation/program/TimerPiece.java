package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import java.util.List;

/** A wait: long, short, none, negative, one that can't be read. In a cycle always some. */
final class TimerPiece implements ProgramPiece {
    private static final List<String> ANY =
            List.of("PT0S", "PT1S", "PT5S", "PT45S", "-PT1S", "{{context.data.n1.n}}", "nonsense");
    private static final List<String> SOME = List.of("PT2S", "PT20S", "PT45S", "nonsense");

    @Override
    public Class<? extends Node> kind() {
        return Node.Timer.class;
    }

    @Override
    public int weight() {
        return 5;
    }

    @Override
    public void write(Sketch sketch, String id) {
        String duration = sketch.dice().pick(sketch.isSettling() ? ANY : SOME);
        sketch.add(new Node.Timer(
                new NodeId(id),
                sketch.scope(),
                sketch.dice().percent(15)
                        ? new Due.Every(new JsonString("PT7S"), sketch.dice().pick(List.of(Due.Missed.values())))
                        : new Due.After(new JsonString(duration)),
                sketch.routing(),
                sketch.isSettling(),
                new Origin("/nodes/" + id)));
    }
}
