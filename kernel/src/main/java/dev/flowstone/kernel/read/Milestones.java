package dev.flowstone.kernel.read;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * A program's milestones, from its metadata: {@code "milestones": {node: {"name": text, "weight": number}}}. Without a
 * name it is called like its node, without a weight it weighs 1; what is malformed, or names no node, is none.
 */
final class Milestones {
    private static final String MEMBER = "milestones";

    private Milestones() {}

    /** By node; those that the program has by itself if it declares none. */
    static List<Declared> of(Program program) {
        List<Declared> all = new ArrayList<>();
        JsonValue declared = program.metadata().get(MEMBER);
        for (Node node : program.nodes()) {
            if (declared instanceof JsonObject milestones) {
                if (milestones.get(node.id().value()) instanceof JsonObject milestone) {
                    declared(node, milestone, all);
                }
            } else if (waits(node)) {
                all.add(new Declared(node.id(), node.id().value(), BigDecimal.ONE));
            }
        }
        return all;
    }

    private static void declared(Node node, JsonObject milestone, List<Declared> into) {
        String name = milestone.get("name") instanceof JsonString text
                ? text.value()
                : node.id().value();
        JsonValue weight = milestone.get("weight");
        if (weight == null) {
            into.add(new Declared(node.id(), name, BigDecimal.ONE));
        } else if (weight instanceof JsonNumber number && number.decimalValue().signum() >= 0) {
            into.add(new Declared(node.id(), name, number.decimalValue()));
        }
    }

    private static boolean waits(Node node) {
        return switch (node) {
            case Node.Task _, Node.HumanTask _, Node.Timer _, Node.Await _, Node.Call _ -> true;
            case Node.Start _, Node.End _, Node.Choice _, Node.Assign _, Node.Fork _, Node.Join _, Node.Emit _ -> false;
        };
    }

    record Declared(NodeId node, String name, BigDecimal weight) {}
}
