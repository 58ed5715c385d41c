package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;

/** Reads what {@link ProgramWriter} wrote. */
final class ProgramReader {
    private ProgramReader() {}

    static Program read(JsonCursor at) {
        int format = at.intValue("format");
        if (format < ProgramWriter.FORMAT || format > ProgramWriter.CONTEXT) {
            throw at.member("format").fault("no program of this format is known to this release");
        }
        return new Program(
                at.string("dialect"),
                at.intValue("compiler"),
                at.as("workflow", WorkflowId::new),
                at.list("scopes", ProgramReader::scope),
                at.list("nodes", NodeReader::read),
                at.list("edges", ProgramReader::edge),
                output(at.member("output")),
                at.find("deadline").map(deadline -> deadline.as(ProgramReader::duration)),
                at.member("metadata").object(),
                at.find("context").map(ProgramReader::context).orElse(ContextRule.DEFAULT));
    }

    private static ContextRule context(JsonCursor at) {
        return new ContextRule(
                at.as("overflow", ContextRule.Overflow::valueOf),
                at.find("maxBytes").map(JsonCursor::intValue));
    }

    private static Output output(JsonCursor at) {
        if (at.value() instanceof JsonObject) {
            return new Output.Template(at.member("template").value());
        }
        if (at.string().equals("TERMINALS")) {
            return Output.TERMINALS;
        }
        throw at.fault("no output of this kind is known to this release");
    }

    private static Scope scope(JsonCursor at) {
        return new Scope(
                at.as("id", ScopeId::new),
                at.find("parent").map(parent -> parent.as(ScopeId::new)),
                at.as("kind", Scope.Kind::valueOf),
                at.as("onFailure", Scope.FailurePolicy::valueOf),
                at.as("entry", NodeId::new),
                at.find("out").map(out -> out.as(NodeId::new)),
                at.find("continuation").map(edge -> edge.as(EdgeId::new)),
                at.find("fork").map(fork -> fork.as(NodeId::new)));
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
                at.find("as").map(outcome -> outcome.as(Outcome::new)),
                at.find("policy").map(policy -> policy.as(PolicyName::new)),
                new Origin(at.string("origin")));
    }

    static Duration duration(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("not a duration: " + text, e);
        }
    }
}
