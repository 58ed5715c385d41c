package dev.flowstone.server.node;

import dev.flowstone.connectors.registry.ConnectorRegistry;
import dev.flowstone.server.config.CatalogConfig;
import dev.flowstone.server.config.ConnectorConfig;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.definition.Dialects;
import dev.flowstone.server.effect.SharedClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What checks definitions without a database. Plug-ins are loaded once for all that name the same ones. Thread-safe. */
public final class OfflineDefinitions {
    private final Map<SetUp, ConnectorRegistry> loaded = new HashMap<>();

    private record SetUp(ConnectorConfig connectors, CatalogConfig catalog) {}

    /**
     * As this is set up.
     *
     * @param actions that somebody stands ready to answer for, beside those that there are
     */
    public Dialects of(FlowstoneConfig config, Set<String> actions) throws CannotStartException {
        return Vocabulary.definitions(config, connectors(config), actions);
    }

    private synchronized ConnectorRegistry connectors(FlowstoneConfig config) throws CannotStartException {
        SetUp setUp = new SetUp(config.connectors(), config.catalog());
        ConnectorRegistry registry = loaded.get(setUp);
        if (registry == null) {
            // Definitions are checked here: nothing is sent.
            registry = Connectors.open(config.connectors(), config.catalog(), new SharedClient(config));
            loaded.put(setUp, registry);
        }
        return registry;
    }
}
