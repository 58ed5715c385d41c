package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.util.List;

/**
 * A request's body: bytes within the declared limit, sent as JSON unless the route takes anything.
 *
 * @param limits on what is read as JSON
 */
@SuppressWarnings("ArrayRecordComponent")
public record Body(byte[] bytes, JsonLimits limits) {
    public Body {
        requireNonNull(bytes);
        requireNonNull(limits);
    }

    /** Somebody's from outside. */
    public Body(byte[] bytes) {
        this(bytes, JsonLimits.DEFAULT);
    }

    /** Any value. */
    public JsonParser.Located value() throws ProblemException {
        try {
            return JsonParser.parseLocated(bytes, limits);
        } catch (JsonSyntaxException e) {
            throw malformed(e);
        }
    }

    /** The object in it; anything else is refused, with its place. */
    public Fields object() throws ProblemException {
        JsonParser.Located document = value();
        if (document.value() instanceof JsonObject object) {
            return new Fields(document, "", object);
        }
        throw Query.refused("the body is a JSON object");
    }

    private static ProblemException malformed(JsonSyntaxException e) {
        Fault fault = new Fault(
                "JSON_SYNTAX",
                "",
                e.line(),
                e.column(),
                String.valueOf(e.getMessage()),
                "send one JSON document (RFC 8259)");
        return Problem.of(
                        ProblemCode.MALFORMED_JSON,
                        e.getMessage() + " (line " + e.line() + ", column " + e.column() + ")",
                        List.of(fault))
                .exception();
    }
}
