package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Instant;

/**
 * One attempt, as a {@link OneWayAction} sees it.
 *
 * @param at time of the event that scheduled it
 */
public record OneWayCall(
        RunKey run,
        WorkflowId workflow,
        String correlation,
        ActivationId activation,
        int attempt,
        JsonValue input,
        Instant at) {
    public OneWayCall {
        requireNonNull(run);
        requireNonNull(workflow);
        requireNonNull(correlation);
        requireNonNull(activation);
        requireNonNull(input);
        requireNonNull(at);
    }
}
