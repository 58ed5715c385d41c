package dev.flowstone.dialect.dag.script;

import dev.flowstone.dialect.dag.definition.DagNode;
import dev.flowstone.dialect.dag.definition.Definition;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Map;

/**
 * Renders every string of every node's parameters with an empty {@code trigger}, {@code spec}, {@code context} and {@code
 * vars} (§9.1.1). What then fails and reads none of them fails in every run: a fault. What reads them may fail for want of
 * data alone: a warning.
 */
public final class DryRender {
    private static final Map<String, JsonValue> EMPTY = Map.of(
            "trigger", JsonObject.EMPTY,
            "spec", JsonObject.EMPTY,
            "context",
                    JsonObject.builder()
                            .put("data", JsonObject.EMPTY)
                            .put("omitted", JsonObject.EMPTY)
                            .build(),
            "vars", JsonObject.EMPTY);
    private static final Roots NO_DATA = EMPTY::get;

    private final ScriptExpressions scripts;
    private final Faults faults;

    public DryRender(ScriptExpressions scripts, Faults faults) {
        this.scripts = scripts;
        this.faults = faults;
    }

    public void check(Definition definition) {
        for (DagNode node : definition.nodes()) {
            check(node.parameters(), node.pointer() + "/parameters");
        }
    }

    private void check(JsonValue value, String pointer) {
        switch (value) {
            case JsonObject object ->
                object.members().forEach((name, member) -> check(member, pointer + "/" + JsonPointer.escape(name)));
            case JsonArray array -> {
                for (int i = 0; i < array.items().size(); i++) {
                    check(array.items().get(i), pointer + "/" + i);
                }
            }
            case JsonString text when text.value().contains("{{") -> render(text, pointer);
            default -> {}
        }
    }

    private void render(JsonString template, String pointer) {
        if (!scripts.checkTemplate(template).isEmpty()) {
            return;
        }
        if (scripts.render(template, NO_DATA) instanceof Rendering.Failed failed) {
            ExpressionError error = failed.error();
            boolean reads = !scripts.templateReferences(template).roots().isEmpty();
            String place = error.position() < 0 ? "" : " (at character " + (error.position() + 1) + ")";
            faults.add(
                    reads ? FaultCode.TEMPLATE_NEEDS_DATA : FaultCode.TEMPLATE_FAILS,
                    pointer,
                    (reads ? "without data this can't be rendered: " : "this can never be rendered: ")
                            + Quoted.cut(error.message(), 500)
                            + place,
                    reads
                            ? "if a run may lack the data, write ?. and ?? with a value for that case"
                            : "repair the expression");
        }
    }
}
