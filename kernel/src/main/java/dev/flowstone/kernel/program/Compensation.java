package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;

/** What undoes a completed task (R24). */
public sealed interface Compensation {
    /**
     * Other work undoes it.
     *
     * @param input a template; sees the undone activation's output in {@code context.data}
     */
    record ByHandler(HandlerName handler, JsonValue input, Retry retry, Duration timeout) implements Compensation {
        public ByHandler {
            requireNonNull(handler);
            requireNonNull(input);
            requireNonNull(retry);
            requireNonNull(timeout);
        }
    }

    /** Nothing can undo it: a person attests what was done about it. */
    record Attested(String instructions) implements Compensation {
        public Attested {
            requireNonNull(instructions);
        }
    }
}
