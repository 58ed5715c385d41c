package dev.flowstone.kernel.state;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import java.util.OptionalLong;

/**
 * What stands in a run's context for a result that is left out of it: {@code {"$omitted": {"bytes": 12345}}}. That it does is what {@link
 * NodeState#leftOut} says; an action may give a value of that form.
 */
public final class Omitted {
    private static final String MARK = "$omitted";
    private static final String BYTES = "bytes";

    private Omitted() {}

    /** The mark for a result of so many bytes in its canonical form. */
    public static Payload of(long bytes) {
        return Payload.of(JsonObject.builder()
                .put(MARK, JsonObject.builder().put(BYTES, bytes).build())
                .build());
    }

    /** Of how many bytes the result was that this mark stands for; empty if it is none. What merely looks like one isn't told from it here. */
    static OptionalLong bytes(Payload result) {
        return result instanceof Payload.Inline(JsonObject mark)
                        && mark.members().size() == 1
                        && mark.get(MARK) instanceof JsonObject omitted
                        && omitted.members().size() == 1
                        && omitted.get(BYTES) instanceof JsonNumber bytes
                        && bytes.isLong()
                ? OptionalLong.of(bytes.longValue())
                : OptionalLong.empty();
    }
}
