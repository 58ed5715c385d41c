package dev.flowstone.connectors.run;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ConnectorSpec;
import dev.flowstone.action.CredentialProvider;
import dev.flowstone.action.LookupFailedException;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.connectors.bind.Binder;
import dev.flowstone.connectors.bind.Bound;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.engine.task.TaskResult;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Runs an action for the engine, which has rendered its parameters: they are bound and checked first, and it is not called if they don't
 * fit ({@code INVALID_PARAMETERS}, with the path of each fault). Whatever it answers or throws is told without the credentials that it
 * was given.
 */
public final class ActionHandler<P, O> implements TaskHandler {
    private final ConnectorSpec connector;
    private final JsonNode config;
    private final Action<P, O> action;
    private final Binder<P> binder;
    private final CredentialProvider credentials;

    /**
     * For an action.
     *
     * @param config what is set for its connector
     */
    public ActionHandler(
            ConnectorSpec connector,
            JsonNode config,
            Action<P, O> action,
            Binder<P> binder,
            CredentialProvider credentials) {
        this.connector = requireNonNull(connector);
        this.config = requireNonNull(config);
        this.action = requireNonNull(action);
        this.binder = requireNonNull(binder);
        this.credentials = requireNonNull(credentials);
    }

    @Override
    public TaskResult handle(TaskCall call) throws JournalException {
        CallContext context = new CallContext(call, connector.id(), config, credentials);
        try (ContextLoader _ = ContextLoader.of(action)) {
            return switch (binder.bind(call.input())) {
                case Bound.Faulty<P>(List<ParameterFault> faults) ->
                    answers(context).invalid(faults);
                case Bound.Parameters<P>(P parameters) -> run(parameters, context);
            };
        } catch (ActionFailure e) {
            return answers(context).of(e.result());
        } catch (InterruptedException e) {
            return TaskResult.retryable(
                    "INTERRUPTED", "the action was ended before it was done; it may have been done");
        } catch (LookupFailedException e) {
            if (e.getCause() instanceof JournalException away) {
                throw away;
            }
            return answers(context).away(e);
        } catch (Exception | Error e) {
            return answers(context).threw(call.handler().value(), e);
        }
    }

    private TaskResult run(P parameters, CallContext context) throws Exception {
        List<ParameterFault> faults = action.check(parameters);
        if (!faults.isEmpty()) {
            return answers(context).invalid(faults);
        }
        if (connector.requiresAuth()) {
            // It can't do without, and from now on no answer of this attempt has it, wherever the action has it from.
            context.requiredCredential();
        }
        var result = requireNonNull(action.run(parameters, context), "the action answered null");
        return answers(context).of(result);
    }

    private static Answers answers(CallContext context) {
        return new Answers(context.secrets());
    }
}
