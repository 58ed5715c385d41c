package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.trace.TracedStep;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.Attempt;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Calls one handler and turns whatever it does into an outcome: an exception into a retryable failure, an error of the
 * virtual machine too.
 */
final class HandlerCall implements Supplier<TaskOutcome> {
    private final HandlerRegistry handlers;
    private final PayloadReader payloads;
    private final TaskOutcomes outcomes;
    private final Links links;
    private final RequesterLookup requester;
    private final AttemptScope scope;
    private final TenantId tenant;
    private final WorkflowId workflow;
    private final RunId run;
    private final String correlation;
    private final Attempt attempt;
    private final JsonValue template;
    private volatile BooleanSupplier canceled = () -> false;

    HandlerCall(
            HandlerRegistry handlers,
            PayloadReader payloads,
            TaskOutcomes outcomes,
            Links links,
            RequesterLookup requester,
            AttemptScope scope,
            TenantId tenant,
            WorkflowId workflow,
            RunId run,
            String correlation,
            Attempt attempt,
            JsonValue template) {
        this.handlers = requireNonNull(handlers);
        this.payloads = requireNonNull(payloads);
        this.outcomes = requireNonNull(outcomes);
        this.links = requireNonNull(links);
        this.requester = requireNonNull(requester);
        this.scope = requireNonNull(scope);
        this.tenant = requireNonNull(tenant);
        this.workflow = requireNonNull(workflow);
        this.run = requireNonNull(run);
        this.correlation = requireNonNull(correlation);
        this.attempt = requireNonNull(attempt);
        this.template = requireNonNull(template);
    }

    /** Who knows whether anybody still waits for it; said before it is submitted. */
    void canceledBy(BooleanSupplier knows) {
        canceled = knows;
    }

    @Override
    public TaskOutcome get() {
        return scope.during(step -> Optional.of(made(step))).orElseThrow();
    }

    private TaskOutcome made(TracedStep step) {
        Optional<TaskHandler> handler = handlers.handler(attempt.handler());
        if (handler.isEmpty()) {
            return TaskOutcome.failed(
                    FailureClass.PERMANENT,
                    "UNKNOWN_HANDLER",
                    "no handler is registered for the action " + attempt.handler());
        }
        try {
            TaskResult result = handler.get().handle(call(payloads.resolve(tenant, attempt.input()), step));
            return outcomes.of(requireNonNull(result, "the handler answered null"));
        } catch (JournalException e) {
            // Its input can't be read just now. Given back, it uses up nothing, and the database paces the repetition.
            return TaskOutcome.of(new TaskAnswer.Returned());
        } catch (Exception | Error e) {
            return outcomes.threw(e);
        }
    }

    private TaskCall call(JsonValue input, TracedStep step) {
        return TaskCall.of(
                tenant,
                workflow,
                run,
                correlation,
                attempt,
                input,
                template,
                links.of(tenant),
                requester,
                canceled,
                step.traceparent());
    }
}
