package dev.flowstone.kernel.state;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildAnswer;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;

/**
 * A child's output as its call's result, by the call's {@link ChildAnswer}. A wrapped one is kept as {@code {"outputs": …}} if
 * it is short. One that stands in the payload store is kept by its hash alone, and wrapped by whoever reads it; nothing
 * else that a call has as its result stands there.
 */
public final class ChildResult {
    private static final String OUTPUTS = "outputs";

    private ChildResult() {}

    /** What is kept of a child's output for the node that called it. */
    public static Payload kept(Node node, Payload output) {
        return wraps(node) && output instanceof Payload.Inline(JsonValue value)
                ? Payload.of(JsonObject.builder().put(OUTPUTS, value).build())
                : output;
    }

    static Payload spawned(Node node, RunId child) {
        JsonObject.Builder result = JsonObject.builder();
        return Payload.of(
                wraps(node)
                        ? result.put("executionId", child.toString())
                                .put(OUTPUTS, JsonNull.NULL)
                                .build()
                        : result.put("run", child.toString()).build());
    }

    static Outcome canceled(Node node) {
        return wraps(node) ? Outcome.FAILURE : Outcome.CANCELED;
    }

    /** What expressions see of a node's result, whose value this is. */
    public static JsonValue seen(Node node, Payload result, JsonValue value) {
        return wraps(node) && result instanceof Payload.Stored
                ? JsonObject.builder().put(OUTPUTS, value).build()
                : value;
    }

    /** The output of a node that ended in success, for its run's own output: the child's, not wrapped. */
    public static Payload output(Node node, Payload result) {
        if (node instanceof Node.Call call
                && call.waits()
                && wraps(call)
                && result instanceof Payload.Inline(JsonObject wrapped)) {
            return wrapped.find(OUTPUTS).map(Payload::of).orElse(result);
        }
        return result;
    }

    /** Whether a result that was kept for one node is read in the same way if it is another's. */
    public static boolean reads(Node kept, Node other) {
        return wraps(kept) == wraps(other);
    }

    private static boolean wraps(Node node) {
        return node instanceof Node.Call call && call.answer() == ChildAnswer.WRAPPED;
    }
}
