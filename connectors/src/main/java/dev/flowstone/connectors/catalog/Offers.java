package dev.flowstone.connectors.catalog;

import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.ActionVersion;
import dev.flowstone.action.ConnectorSpec;
import dev.flowstone.connectors.registry.ConnectorRegistry;
import dev.flowstone.connectors.registry.RegisteredAction;
import dev.flowstone.engine.catalog.Offer;
import dev.flowstone.engine.catalog.OfferedAction;
import dev.flowstone.engine.catalog.OfferedConnector;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All that a node has: connectors and their actions, Flowstone's own actions, those of workers. An action that has no connector here
 * gets one by the part of its name before the first dot.
 */
public final class Offers {
    /** Before every version that somebody says, so that what is said elsewhere of the same id is shown. */
    private static final String UNSAID = "0.0.0";

    private final Map<String, OfferedConnector> connectors = new TreeMap<>();
    private final Map<String, OfferedAction> actions = new TreeMap<>();

    private Offers() {}

    /**
     * Of a node.
     *
     * @param described what is known of actions that are in no registry of connectors
     * @param handlers every action that workflows may name
     */
    public static Offer of(ConnectorRegistry registry, List<DescribedAction> described, HandlerRegistry handlers) {
        Offers offers = new Offers();
        registry.connectors().values().forEach(offers::add);
        registry.actions().values().forEach(offers::add);
        described.stream()
                .filter(it ->
                        handlers.actions().containsKey(new HandlerName(it.spec().id())))
                .forEach(it -> offers.add(it.spec(), it.parameterSchema(), it.outputSchema()));
        handlers.actions().values().forEach(action -> offers.add(action, handlers.isRemote(action.name())));
        return new Offer(List.copyOf(offers.connectors.values()), List.copyOf(offers.actions.values()));
    }

    private void add(ConnectorSpec spec) {
        connectors.put(
                spec.id(),
                new OfferedConnector(
                        spec.id(),
                        spec.version().toString(),
                        spec.displayName(),
                        spec.description(),
                        spec.iconUrl(),
                        spec.documentationUrl(),
                        spec.enabled(),
                        spec.requiresAuth(),
                        spec.authType(),
                        spec.configSchema().map(SchemaText::read),
                        spec.capabilities()));
    }

    private void add(RegisteredAction action) {
        add(action.spec(), action.parameterSchema(), action.outputSchema());
    }

    private void add(ActionSpec<?, ?> spec, JsonObject parameters, JsonObject outputs) {
        String connector = connectorOf(spec.id(), "");
        actions.put(
                spec.id(),
                new OfferedAction(
                        spec.id(),
                        connector,
                        spec.version().toString(),
                        spec.displayName(),
                        spec.description(),
                        spec.category(),
                        spec.tags(),
                        parameters,
                        outputs,
                        spec.enabled(),
                        spec.deprecation(),
                        spec.deprecatedSince().map(ActionVersion::toString)));
    }

    /** One of which nobody said more than the engine has to know. */
    private void add(ActionDescription action, boolean remote) {
        String id = action.name().value();
        if (actions.containsKey(id)) {
            return;
        }
        String connector = connectorOf(id, remote ? "Actions that workers in other processes do." : action.summary());
        actions.put(
                id,
                new OfferedAction(
                        id,
                        connector,
                        UNSAID,
                        id,
                        action.summary(),
                        "General",
                        remote ? List.of("worker") : List.of(),
                        schema(action.parameters()),
                        JsonObject.EMPTY,
                        true,
                        Optional.empty(),
                        Optional.empty()));
    }

    private String connectorOf(String action, String description) {
        String id = Subject.connectorOf(action).id();
        connectors.computeIfAbsent(
                id,
                _ -> new OfferedConnector(
                        id,
                        UNSAID,
                        id,
                        description,
                        Optional.empty(),
                        Optional.empty(),
                        true,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        List.of()));
        return id;
    }

    private static JsonObject schema(List<ActionDescription.Parameter> parameters) {
        JsonObject.Builder properties = JsonObject.builder();
        List<JsonValue> required = new ArrayList<>();
        for (ActionDescription.Parameter parameter : parameters) {
            properties.put(
                    parameter.name(),
                    JsonObject.builder().put("description", parameter.note()).build());
            if (parameter.required()) {
                required.add(new JsonString(parameter.name()));
            }
        }
        return JsonObject.builder()
                .put("type", "object")
                .put("properties", properties.build())
                .put("required", new JsonArray(required))
                .build();
    }
}
