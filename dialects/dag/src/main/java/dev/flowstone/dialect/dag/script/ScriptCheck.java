package dev.flowstone.dialect.dag.script;

import dev.flowstone.dialect.dag.definition.DagEdge;
import dev.flowstone.dialect.dag.definition.DagNode;
import dev.flowstone.dialect.dag.definition.Definition;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.graph.Graph;
import dev.flowstone.dialect.dag.graph.Upstream;
import dev.flowstone.dialect.dag.graph.Upstream.Question;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.expression.References;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.expression.TemplateFault;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** Looks at every condition and every string of every node's parameters. */
public final class ScriptCheck {
    /** The names that expressions may begin with (§5.2, §6.2, and {@code spec} of §13.1). */
    private static final List<String> NAMES = List.of("trigger", "spec", "context", "vars");

    private final Graph graph;
    private final ScriptExpressions scripts;
    private final Faults faults;
    private final Nearest nearest;
    private final int maxExpressions;
    private final List<Reading> readings = new ArrayList<>();
    private int expressions;

    public ScriptCheck(Graph graph, ScriptExpressions scripts, Faults faults, Nearest nearest, int maxExpressions) {
        this.maxExpressions = maxExpressions;
        this.graph = graph;
        this.scripts = scripts;
        this.faults = faults;
        this.nearest = nearest;
    }

    /** Notes what can't be parsed and what reads the data of no node. */
    public void check(Definition definition) {
        for (int vertex = 0; vertex < definition.nodes().size(); vertex++) {
            DagNode node = definition.nodes().get(vertex);
            parameters(vertex, node.parameters(), node.pointer() + "/parameters");
            for (DagEdge edge : node.edges()) {
                condition(vertex, edge);
            }
        }
    }

    /** Notes what reads the data of a node that can't have run; only for a graph without circles. */
    public void checkOrder() {
        List<Question> questions = readings.stream()
                .map(Reading::question)
                .filter(it -> it.earlier() >= 0)
                .distinct()
                .toList();
        if (questions.isEmpty()) {
            return;
        }
        Set<Question> refuted = new Upstream(graph).refuted(questions);
        for (Reading reading : readings) {
            if (refuted.contains(reading.question())) {
                DagNode reader = graph.node(reading.question().later());
                faults.add(
                        FaultCode.NOT_UPSTREAM,
                        reading.pointer(),
                        "this reads the data of " + Quoted.text(reading.id()) + ", which doesn't run before "
                                + reader.name(),
                        "lead a path from " + Quoted.text(reading.id()) + " to " + reader.name()
                                + ", or read another node's data");
            }
        }
    }

    private void condition(int vertex, DagEdge edge) {
        if (edge.condition().isEmpty() || beyondTheLimit()) {
            return;
        }
        String source = edge.condition().get();
        String pointer = edge.pointer() + "/condition";
        scripts.checkCondition(source).ifPresent(error -> refuse(FaultCode.CONDITION_INVALID, pointer, error));
        References references = scripts.conditionReferences(source);
        roots(references, pointer);
        for (String id : references.nodes()) {
            boolean own = graph.vertex(id).equals(OptionalInt.of(vertex));
            if (!own) {
                read(vertex, id, pointer);
            }
        }
    }

    private void parameters(int vertex, JsonValue value, String pointer) {
        switch (value) {
            case JsonObject object ->
                object.members()
                        .forEach(
                                (name, member) -> parameters(vertex, member, pointer + "/" + JsonPointer.escape(name)));
            case JsonArray array -> {
                for (int i = 0; i < array.items().size(); i++) {
                    parameters(vertex, array.items().get(i), pointer + "/" + i);
                }
            }
            case JsonString text when text.value().contains("{{") -> template(vertex, text, pointer);
            default -> {}
        }
    }

    private void template(int vertex, JsonString source, String pointer) {
        if (beyondTheLimit()) {
            return;
        }
        for (TemplateFault fault : scripts.checkTemplate(source)) {
            refuse(FaultCode.TEMPLATE_INVALID, pointer + fault.pointer(), fault.error());
        }
        References references = scripts.templateReferences(source);
        roots(references, pointer);
        references.nodes().forEach(id -> read(vertex, id, pointer));
    }

    /** Compiling is the dearest part of a check; what it may cost is bounded. */
    private boolean beyondTheLimit() {
        expressions++;
        if (expressions == maxExpressions + 1) {
            faults.add(
                    FaultCode.TOO_MANY_EXPRESSIONS,
                    "/nodes",
                    "the workflow has more than " + maxExpressions + " conditions and templates",
                    "split it into several workflows, or raise the limit dag.maxNodesPerWorkflow, of which this one is five times");
        }
        return expressions > maxExpressions;
    }

    private void roots(References references, String pointer) {
        for (String root : references.roots()) {
            if (!NAMES.contains(root)) {
                faults.add(
                        FaultCode.UNKNOWN_NAME,
                        pointer,
                        "no value is named " + Quoted.text(root) + " here",
                        nearest.orElse(root, NAMES, "an expression begins with " + Quoted.choice(NAMES)));
            }
        }
    }

    private void read(int vertex, String id, String pointer) {
        OptionalInt earlier = graph.vertex(id);
        if (earlier.isPresent()) {
            readings.add(new Reading(new Question(earlier.getAsInt(), vertex), id, pointer));
            return;
        }
        faults.add(
                FaultCode.UNKNOWN_NODE_REFERENCE,
                pointer,
                "this reads the data of " + Quoted.text(id) + ", and there is no such node",
                nearest.orElse(id, graph.ids(), "name one of the workflow's nodes: " + Quoted.choice(graph.ids())));
    }

    private void refuse(FaultCode code, String pointer, ExpressionError error) {
        String place = error.position() < 0 ? "" : " (at character " + (error.position() + 1) + ")";
        faults.add(
                code,
                pointer,
                Quoted.cut(error.message(), 500) + place,
                "docs/expressions.md says what the expression language accepts");
    }

    private record Reading(Question question, String id, String pointer) {}
}
