package dev.flowstone.testkit.simulation.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import java.util.List;
import java.util.Map;

/** Variables: constants, what others have, what isn't there. */
final class AssignPiece implements ProgramPiece {
    private static final List<Map<String, JsonValue>> VALUES = List.of(
            Map.of("v0", new JsonString("{{trigger.x}}")),
            Map.of("v0", new JsonString("one"), "v1", new JsonString("{{context.data}}")),
            Map.of("v1", new JsonString("{{variables.v0}}")));

    @Override
    public Class<? extends Node> kind() {
        return Node.Assign.class;
    }

    @Override
    public int weight() {
        return 2;
    }

    @Override
    public void write(Sketch sketch, String id) {
        sketch.add(new Node.Assign(
                new NodeId(id),
                sketch.scope(),
                sketch.dice().pick(VALUES),
                sketch.routing(),
                sketch.mayEnd(),
                new Origin("/nodes/" + id)));
    }
}
