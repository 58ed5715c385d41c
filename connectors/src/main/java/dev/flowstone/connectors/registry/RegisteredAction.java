package dev.flowstone.connectors.registry;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.ConnectorSpec;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.connectors.bind.Binder;
import dev.flowstone.engine.task.TaskHandler;
import dev.flowstone.kernel.json.JsonObject;
import java.util.List;

/** An action that the node can run, checked, with its schemas. */
public final class RegisteredAction {
    private final ConnectorSpec connector;
    private final ActionSpec<?, ?> spec;
    private final Binder<?> binder;
    private final JsonObject parameterSchema;
    private final JsonObject outputSchema;
    private final TaskHandler handler;

    RegisteredAction(
            ConnectorSpec connector,
            ActionSpec<?, ?> spec,
            Binder<?> binder,
            JsonObject parameterSchema,
            JsonObject outputSchema,
            TaskHandler handler) {
        this.connector = requireNonNull(connector);
        this.spec = requireNonNull(spec);
        this.binder = requireNonNull(binder);
        this.parameterSchema = requireNonNull(parameterSchema);
        this.outputSchema = requireNonNull(outputSchema);
        this.handler = requireNonNull(handler);
    }

    public String id() {
        return spec.id();
    }

    public ActionSpec<?, ?> spec() {
        return spec;
    }

    public ConnectorSpec connector() {
        return connector;
    }

    /** Whether new versions of workflows may name it. */
    public boolean isEnabled() {
        return spec.enabled() && connector.enabled();
    }

    /** As its author wrote it, else what its record demands. */
    public JsonObject parameterSchema() {
        return parameterSchema;
    }

    public JsonObject outputSchema() {
        return outputSchema;
    }

    /** What is wrong with parameters as a definition has them, before their templates are filled in. */
    public List<ParameterFault> look(JsonObject written) {
        return binder.look(written);
    }

    TaskHandler handler() {
        return handler;
    }
}
