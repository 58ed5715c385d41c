package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonNumber;
import java.time.DateTimeException;
import java.time.Duration;

/** Reads what {@link ProgramWriter} wrote. */
final class ProgramReader {
    private ProgramReader() {}

    static Program read(JsonCursor at) {
        if (at.intValue("format") != ProgramWriter.FORMAT) {
            throw at.member("format").fault("no program of this format is known to this release");
        }
        return new Program(
                at.string("dialect"),
                at.intValue("compiler"),
                at.as("workflow", WorkflowId::new),
                at.list("scopes", ProgramReader::scope),
                at.list("nodes", ProgramReader::node),
                at.list("edges", ProgramReader::edge),
                at.as("output", Output::valueOf),
                at.find("deadline").map(deadline -> deadline.as(ProgramReader::duration)),
                at.member("metadata").object());
    }

    private static Scope scope(JsonCursor at) {
        return new Scope(
                at.as("id", ScopeId::new),
                at.find("parent").map(parent -> parent.as(ScopeId::new)),
                at.as("kind", Scope.Kind::valueOf),
                at.as("onFailure", Scope.FailurePolicy::valueOf),
                at.as("entry", NodeId::new),
                at.find("out").map(out -> out.as(NodeId::new)),
                at.find("continuation").map(edge -> edge.as(EdgeId::new)));
    }

    private static Node node(JsonCursor at) {
        NodeId id = at.as("id", NodeId::new);
        ScopeId scope = at.as("scope", ScopeId::new);
        Origin origin = new Origin(at.string("origin"));
        String kind = at.string("kind");
        return switch (kind) {
            case "Start" -> new Node.Start(id, scope, routing(at), origin);
            case "End" -> new Node.End(id, scope, at.as("outcome", Outcome::new), at.bool("terminate"), origin);
            case "Task" ->
                new Node.Task(
                        id,
                        scope,
                        at.as("handler", HandlerName::new),
                        at.member("input").value(),
                        retry(at.member("retry")),
                        at.as("timeout", ProgramReader::duration),
                        at.bool("rerender"),
                        routing(at),
                        at.bool("mayEnd"),
                        origin);
            case "Timer" ->
                new Node.Timer(id, scope, at.member("duration").value(), routing(at), at.bool("mayEnd"), origin);
            default -> throw at.member("kind").fault("no node of kind " + kind + " is known to this release");
        };
    }

    private static Routing routing(JsonCursor at) {
        return at.as("routing", Routing::valueOf);
    }

    private static Retry retry(JsonCursor at) {
        if (!(at.member("factor").value() instanceof JsonNumber factor)) {
            throw at.member("factor").fault("expected a number");
        }
        return new Retry(
                at.intValue("attempts"),
                at.as("base", ProgramReader::duration),
                factor.doubleValue(),
                at.as("cap", ProgramReader::duration),
                at.bool("jitter"));
    }

    private static Edge edge(JsonCursor at) {
        return new Edge(
                at.as("id", EdgeId::new),
                at.as("from", NodeId::new),
                at.as("to", NodeId::new),
                at.as("on", Outcome::new),
                at.find("when").map(JsonCursor::string),
                at.bool("else"),
                at.intValue("priority"),
                new Origin(at.string("origin")));
    }

    private static Duration duration(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("not a duration: " + text, e);
        }
    }
}
