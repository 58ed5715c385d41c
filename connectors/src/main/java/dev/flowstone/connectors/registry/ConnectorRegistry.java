package dev.flowstone.connectors.registry;

import com.networknt.schema.SchemaException;
import dev.flowstone.action.Action;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.ConnectorSpec;
import dev.flowstone.action.CredentialProvider;
import dev.flowstone.connectors.bind.Binder;
import dev.flowstone.connectors.bind.RecordSchema;
import dev.flowstone.connectors.run.ActionHandler;
import dev.flowstone.connectors.run.ContextLoader;
import dev.flowstone.dialect.dag.trigger.Jackson;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Every connector of a node, by id, and what each can do. Nothing in it changes while the node runs. */
public final class ConnectorRegistry {
    private static final int MOST_CAUSES = 20;

    private final Map<String, ConnectorSpec> connectors = new TreeMap<>();
    private final Map<String, String> origins = new TreeMap<>();
    private final Map<String, RegisteredAction> actions = new TreeMap<>();
    private final Map<String, JsonObject> configs;
    private final CredentialProvider credentials;
    private final SchemaRule schemas;

    private ConnectorRegistry(Map<String, JsonObject> configs, CredentialProvider credentials, SchemaRule schemas) {
        this.configs = Map.copyOf(configs);
        this.credentials = credentials;
        this.schemas = schemas;
    }

    /** The same, with every schema as it has to be. */
    public static ConnectorRegistry of(
            List<FoundConnector> found, Map<String, JsonObject> configs, CredentialProvider credentials)
            throws RefusedConnectorException {
        return of(found, configs, credentials, SchemaRule.REFUSE);
    }

    /**
     * Of these.
     *
     * @param configs what is set for some of them, by id
     * @param schemas what comes of a schema that an action gives, and that can't be used
     * @throws RefusedConnectorException if one is not as it has to be, or what is set for it, or it has the id of another; it names it, and
     *     where it comes from
     */
    public static ConnectorRegistry of(
            List<FoundConnector> found,
            Map<String, JsonObject> configs,
            CredentialProvider credentials,
            SchemaRule schemas)
            throws RefusedConnectorException {
        ConnectorRegistry registry = new ConnectorRegistry(configs, credentials, schemas);
        for (FoundConnector each : found) {
            registry.add(each);
        }
        for (String id : configs.keySet()) {
            if (!registry.connectors.containsKey(id)) {
                throw new RefusedConnectorException("there is no connector '" + id + "' for the file " + id
                        + ".json of connector.config: add its plug-in, or take the file away");
            }
        }
        return registry;
    }

    /** By id. */
    public Map<String, ConnectorSpec> connectors() {
        return Collections.unmodifiableMap(connectors);
    }

    /** By id. */
    public Map<String, RegisteredAction> actions() {
        return Collections.unmodifiableMap(actions);
    }

    public Optional<RegisteredAction> action(String id) {
        return Optional.ofNullable(actions.get(id));
    }

    /** Gives all actions to the engine, disabled ones too: what is published goes on. */
    public void register(HandlerRegistry.Builder handlers) {
        actions.forEach((id, action) -> handlers.action(
                new ActionDescription(new HandlerName(id), action.spec().description(), parameters(action)),
                action.handler()));
    }

    private static List<ActionDescription.Parameter> parameters(RegisteredAction action) {
        List<ActionDescription.Parameter> all = new ArrayList<>();
        SchemaMembers members = SchemaMembers.of(action.parameterSchema());
        members.names()
                .forEach(
                        (name, note) -> all.add(new ActionDescription.Parameter(name, members.isRequired(name), note)));
        return all;
    }

    private void add(FoundConnector found) throws RefusedConnectorException {
        String origin = found.origin();
        try (ContextLoader _ = ContextLoader.of(found.connector())) {
            ConnectorSpec spec = found.connector().spec();
            Names.checkConnector(spec.id());
            Texts.check(spec);
            String other = origins.putIfAbsent(spec.id(), origin);
            if (other != null) {
                throw new IllegalArgumentException("there is one of that id already, '" + spec.id() + "', from " + other
                        + ": take one of them away");
            }
            JsonObject config = ConfigFolder.checked(spec, configs.getOrDefault(spec.id(), JsonObject.EMPTY));
            List<Action<?, ?>> all = found.connector().actions();
            if (all.isEmpty()) {
                throw new IllegalArgumentException("it has no actions");
            }
            for (Action<?, ?> action : all) {
                add(spec, config, action);
            }
            connectors.put(spec.id(), spec);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            throw new RefusedConnectorException(
                    "the connector " + found.connector().getClass().getName() + " of " + origin + " is refused: "
                            + (e instanceof IllegalArgumentException ? e.getMessage() : rootOf(e)),
                    e);
        }
    }

    /** What was at the bottom of it: a class that can't be initialized says nothing itself. */
    private static Throwable rootOf(Throwable thrown) {
        Throwable root = thrown;
        for (int i = 0; i < MOST_CAUSES && root.getCause() != null; i++) {
            root = root.getCause();
        }
        return root;
    }

    private <P, O> void add(ConnectorSpec connector, JsonObject config, Action<P, O> action) {
        ActionSpec<P, O> spec = action.spec();
        Names.checkAction(connector.id(), spec);
        Texts.check(spec);
        if (actions.containsKey(spec.id())) {
            throw new IllegalArgumentException("it has two actions of the id '" + spec.id() + "'");
        }
        try {
            Optional<JsonObject> given =
                    schemas.read(spec.id(), spec.parameterSchema(), "the schema of its parameters");
            Binder<P> binder = new Binder<>(spec.parameters(), given);
            JsonObject outputs = schemas.read(spec.id(), spec.outputSchema(), "the schema of its outputs")
                    .orElseGet(() -> spec.outputs().isRecord() ? RecordSchema.of(spec.outputs()) : JsonObject.EMPTY);
            actions.put(
                    spec.id(),
                    new RegisteredAction(
                            connector,
                            spec,
                            binder,
                            given.orElse(binder.shape()),
                            outputs,
                            new ActionHandler<>(connector, Jackson.node(config), action, binder, credentials)));
        } catch (IllegalArgumentException | SchemaException e) {
            throw new IllegalArgumentException("the action '" + spec.id() + "': " + e.getMessage(), e);
        }
    }
}
