package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Writes every field of a program, absent ones left out. */
final class ProgramWriter {
    static final int FORMAT = 1;

    /** What releases that know only the first format would misread, so they refuse it: a call that wraps its answer. */
    static final int WRAPPING = 2;

    /** The same for a program that says what becomes of a context that is too large. */
    static final int CONTEXT = 3;

    private ProgramWriter() {}

    static JsonObject write(Program program) {
        JsonObject.Builder json = JsonObject.builder()
                .put("format", format(program))
                .put("dialect", program.dialect())
                .put("compiler", program.compiler())
                .put("workflow", program.workflow().value())
                .put("scopes", array(program.scopes(), ProgramWriter::scope))
                .put("nodes", array(program.nodes(), NodeWriter::write))
                .put("edges", array(program.edges(), ProgramWriter::edge))
                .put("output", output(program.output()))
                .putIfPresent("deadline", program.deadline().map(Duration::toString))
                .put("metadata", program.metadata());
        if (!program.context().equals(ContextRule.DEFAULT)) {
            json.put("context", context(program.context()));
        }
        return json.build();
    }

    private static int format(Program program) {
        if (!program.context().equals(ContextRule.DEFAULT)) {
            return CONTEXT;
        }
        return program.nodes().stream().anyMatch(ProgramWriter::wraps) ? WRAPPING : FORMAT;
    }

    private static JsonObject context(ContextRule rule) {
        JsonObject.Builder json =
                JsonObject.builder().put("overflow", rule.overflow().name());
        rule.maxBytes().ifPresent(bytes -> json.put("maxBytes", bytes));
        return json.build();
    }

    private static boolean wraps(Node node) {
        return node instanceof Node.Call call && call.answer() == ChildAnswer.WRAPPED;
    }

    private static JsonValue output(Output output) {
        return switch (output) {
            case Output.Terminals _ -> new JsonString("TERMINALS");
            case Output.Template template ->
                JsonObject.builder().put("template", template.value()).build();
        };
    }

    private static JsonObject scope(Scope scope) {
        return JsonObject.builder()
                .put("id", scope.id().value())
                .putIfPresent("parent", scope.parent().map(ScopeId::value))
                .put("kind", scope.kind().name())
                .put("onFailure", scope.onFailure().name())
                .put("entry", scope.entry().value())
                .putIfPresent("out", scope.out().map(NodeId::value))
                .putIfPresent("continuation", scope.continuation().map(EdgeId::value))
                .putIfPresent("fork", scope.fork().map(NodeId::value))
                .build();
    }

    private static JsonObject edge(Edge edge) {
        return JsonObject.builder()
                .put("id", edge.id().value())
                .put("from", edge.from().value())
                .put("to", edge.to().value())
                .put("on", edge.on().name())
                .putIfPresent("when", edge.when())
                .put("else", edge.otherwise())
                .put("priority", edge.priority())
                .putIfPresent("as", edge.as().map(Outcome::name))
                .putIfPresent("policy", edge.policy().map(PolicyName::value))
                .put("origin", edge.origin().pointer())
                .build();
    }

    private static <T> JsonArray array(List<T> list, Function<? super T, ? extends JsonValue> write) {
        List<JsonValue> out = new ArrayList<>(list.size());
        for (T item : list) {
            out.add(write.apply(item));
        }
        return new JsonArray(out);
    }
}
