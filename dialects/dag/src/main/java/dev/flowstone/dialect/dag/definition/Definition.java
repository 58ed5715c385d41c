package dev.flowstone.dialect.dag.definition;

import dev.flowstone.kernel.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** A whole definition. What was missing or unreadable is empty here and a fault elsewhere. */
public record Definition(
        Optional<String> id,
        Optional<String> displayName,
        Optional<String> description,
        Optional<String> startNode,
        Optional<JsonObject> triggerSchema,
        Settings settings,
        List<DagNode> nodes) {
    public Definition {
        nodes = List.copyOf(nodes);
    }
}
