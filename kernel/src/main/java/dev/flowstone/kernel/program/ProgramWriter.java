package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Writes every field of a program, absent ones left out. */
final class ProgramWriter {
    static final int FORMAT = 1;

    private ProgramWriter() {}

    static JsonObject write(Program program) {
        return JsonObject.builder()
                .put("format", FORMAT)
                .put("dialect", program.dialect())
                .put("compiler", program.compiler())
                .put("workflow", program.workflow().value())
                .put("scopes", array(program.scopes(), ProgramWriter::scope))
                .put("nodes", array(program.nodes(), ProgramWriter::node))
                .put("edges", array(program.edges(), ProgramWriter::edge))
                .put("output", program.output().name())
                .putIfPresent("deadline", program.deadline().map(Duration::toString))
                .put("metadata", program.metadata())
                .build();
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
                .build();
    }

    private static JsonObject node(Node node) {
        JsonObject.Builder out = JsonObject.builder()
                .put("id", node.id().value())
                .put("scope", node.scope().value())
                .put("origin", node.origin().pointer());
        switch (node) {
            case Node.Start start ->
                out.put("kind", "Start").put("routing", start.routing().name());
            case Node.End end ->
                out.put("kind", "End").put("outcome", end.outcome().name()).put("terminate", end.terminate());
            case Node.Task task ->
                out.put("kind", "Task")
                        .put("handler", task.handler().value())
                        .put("input", task.input())
                        .put("retry", retry(task.retry()))
                        .put("timeout", task.timeout().toString())
                        .put("rerender", task.rerender())
                        .put("routing", task.routing().name())
                        .put("mayEnd", task.mayEnd());
            case Node.Timer timer ->
                out.put("kind", "Timer")
                        .put("duration", timer.duration())
                        .put("routing", timer.routing().name())
                        .put("mayEnd", timer.mayEnd());
        }
        return out.build();
    }

    private static JsonObject retry(Retry retry) {
        return JsonObject.builder()
                .put("attempts", retry.attempts())
                .put("base", retry.base().toString())
                .put("factor", JsonNumber.of(retry.factor()))
                .put("cap", retry.cap().toString())
                .put("jitter", retry.jitter())
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
