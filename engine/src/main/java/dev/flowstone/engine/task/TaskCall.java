package dev.flowstone.engine.task;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.Attempt;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * One attempt, as its handler sees it.
 *
 * @param input the parameters, rendered
 * @param template the parameters as the definition has them, before anything was filled in; null where that isn't known: for
 *     transactional handlers, and for workers in other processes
 * @param key the same for every attempt of the activation: hand it to the other side, which then drops repetitions
 * @param timeout after which the handler's thread is interrupted
 * @param traceparent hand it to the other side as the header of that name, so that one trace shows both
 * @param links what is linked already in the tenant: look before you make it again
 * @param canceled whether nobody waits for it any more, because its run is canceled or its time is up; it stays so, whatever became of the
 *     interrupt
 * @param requester for whom the run was started; unknown for transactional handlers, and for workers in other processes
 */
public record TaskCall(
        TenantId tenant,
        WorkflowId workflow,
        RunId run,
        String correlation,
        ActivationId activation,
        int attempt,
        HandlerName handler,
        JsonValue input,
        JsonValue template,
        Sha256 key,
        Duration timeout,
        LinkLookup links,
        RequesterLookup requester,
        BooleanSupplier canceled,
        Optional<String> traceparent) {
    /** This attempt of a run, with its input at hand. */
    static TaskCall of(
            TenantId tenant,
            WorkflowId workflow,
            RunId run,
            String correlation,
            Attempt attempt,
            JsonValue input,
            JsonValue template,
            LinkLookup links,
            RequesterLookup requester,
            BooleanSupplier canceled,
            Optional<String> traceparent) {
        return new TaskCall(
                tenant,
                workflow,
                run,
                correlation,
                attempt.activation(),
                attempt.attempt(),
                attempt.handler(),
                input,
                template,
                attempt.key(),
                attempt.timeout(),
                links,
                requester,
                canceled,
                traceparent);
    }
}
