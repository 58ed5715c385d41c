package dev.flowstone.kernel.read;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program's milestones, from its metadata, in either of two forms: {@code "milestones": {node: {"name": text, "weight":
 * number}}}, or a list of {@code {"node", "id", "name", "weight"}}, of which one node may have several. Without a name it is
 * called by its id, or like its node; without a weight it weighs 1; what is malformed, or names no node, is none.
 */
final class Milestones {
    private static final String MEMBER = "milestones";

    private Milestones() {}

    /** In the order of the program's nodes; those that the program has by itself if it declares none. */
    static List<Declared> of(Program program) {
        List<Declared> all = new ArrayList<>();
        JsonValue declared = program.metadata().get(MEMBER);
        Map<String, List<JsonObject>> byNode = byNode(declared);
        for (Node node : program.nodes()) {
            if (declared instanceof JsonObject || declared instanceof JsonArray) {
                byNode.getOrDefault(node.id().value(), List.of()).forEach(it -> declared(node, it, all));
            } else if (waits(node)) {
                all.add(new Declared(node.id(), node.id().value(), BigDecimal.ONE));
            }
        }
        return all;
    }

    private static Map<String, List<JsonObject>> byNode(@Nullable JsonValue declared) {
        Map<String, List<JsonObject>> byNode = new HashMap<>();
        if (declared instanceof JsonObject named) {
            named.members().forEach((node, it) -> {
                if (it instanceof JsonObject milestone) {
                    byNode.put(node, List.of(milestone));
                }
            });
        } else if (declared instanceof JsonArray listed) {
            for (JsonValue it : listed.items()) {
                if (it instanceof JsonObject milestone && milestone.get("node") instanceof JsonString(String node)) {
                    byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(milestone);
                }
            }
        }
        return byNode;
    }

    private static void declared(Node node, JsonObject milestone, List<Declared> into) {
        String name = text(milestone, "name", text(milestone, "id", node.id().value()));
        JsonValue weight = milestone.get("weight");
        if (weight == null) {
            into.add(new Declared(node.id(), name, BigDecimal.ONE));
        } else if (weight instanceof JsonNumber number && number.decimalValue().signum() >= 0) {
            into.add(new Declared(node.id(), name, number.decimalValue()));
        }
    }

    private static String text(JsonObject milestone, String member, String otherwise) {
        return milestone.get(member) instanceof JsonString(String text) ? text : otherwise;
    }

    private static boolean waits(Node node) {
        return switch (node) {
            case Node.Task _, Node.HumanTask _, Node.Timer _, Node.Await _, Node.Call _ -> true;
            case Node.Start _, Node.End _, Node.Choice _, Node.Assign _, Node.Fork _, Node.Join _, Node.Emit _ -> false;
        };
    }

    record Declared(NodeId node, String name, BigDecimal weight) {}
}
