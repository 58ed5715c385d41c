package dev.flowstone.dialect.drawing;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import java.util.List;
import java.util.Optional;

/**
 * A program as data for who draws it: {@code title}, {@code nodes} with {@code id}, {@code kind}, {@code title}, {@code detail}
 * and {@code status}, {@code edges} in reading order with {@code from}, {@code to}, {@code on}, {@code when}, {@code policy},
 * {@code otherwise}, {@code label} and {@code taken}. Of any size.
 */
public final class GraphJson {
    private GraphJson() {}

    /** With what the run did; without one, no node has a status and no edge was taken. */
    public static JsonObject of(Program program, Optional<RunOverlay> run) {
        List<JsonValue> nodes =
                program.nodes().stream().<JsonValue>map(node -> node(node, run)).toList();
        List<JsonValue> edges = ReadingOrder.edges(program).stream()
                .<JsonValue>map(edge -> edge(program, edge, run))
                .toList();
        return JsonObject.builder()
                .put("title", Wording.title(program))
                .put("nodes", new JsonArray(nodes))
                .put("edges", new JsonArray(edges))
                .build();
    }

    private static JsonObject node(Node node, Optional<RunOverlay> run) {
        Optional<String> status = run.flatMap(
                        it -> Optional.ofNullable(it.nodes().get(node.id())))
                .map(NodeStatus::word);
        return JsonObject.builder()
                .put("id", node.id().value())
                .put("kind", kind(node))
                .put("title", Wording.title(node))
                .put("detail", Wording.detail(node))
                .put("status", text(status))
                .build();
    }

    private static String kind(Node node) {
        return switch (node) {
            case Node.Start _ -> "start";
            case Node.End _ -> "end";
            case Node.Task _ -> "task";
            case Node.Timer _ -> "timer";
            case Node.HumanTask _ -> "human";
            case Node.Choice _ -> "choice";
            case Node.Assign _ -> "assign";
            case Node.Fork _ -> "fork";
            case Node.Join _ -> "join";
            case Node.Await _ -> "await";
            case Node.Emit _ -> "emit";
            case Node.Call _ -> "call";
        };
    }

    private static JsonObject edge(Program program, Edge edge, Optional<RunOverlay> run) {
        return JsonObject.builder()
                .put("id", edge.id().value())
                .put("from", edge.from().value())
                .put("to", edge.to().value())
                .put("on", edge.on().name())
                .put("when", text(edge.when()))
                .put("policy", text(edge.policy().map(Object::toString)))
                .put("otherwise", JsonBoolean.of(edge.otherwise()))
                .put("label", Wording.label(program, edge))
                .put(
                        "taken",
                        JsonBoolean.of(run.map(it -> ReadingOrder.isTaken(program, edge, it))
                                .orElse(false)))
                .build();
    }

    private static JsonValue text(Optional<String> text) {
        return text.<JsonValue>map(JsonString::new).orElse(JsonNull.NULL);
    }
}
