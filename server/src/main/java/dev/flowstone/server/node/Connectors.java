package dev.flowstone.server.node;

import dev.flowstone.action.CredentialProvider;
import dev.flowstone.connectors.core.CoreConnector;
import dev.flowstone.connectors.credential.EnvironmentCredentials;
import dev.flowstone.connectors.credential.FolderCredentials;
import dev.flowstone.connectors.plugin.Plugins;
import dev.flowstone.connectors.registry.ConfigFolder;
import dev.flowstone.connectors.registry.ConnectorRegistry;
import dev.flowstone.connectors.registry.FoundConnector;
import dev.flowstone.connectors.registry.RefusedConnectorException;
import dev.flowstone.connectors.registry.SchemaRule;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.server.config.CatalogConfig;
import dev.flowstone.server.config.ConnectorConfig;
import dev.flowstone.vendors.web.WebConnector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The connectors of a node: Flowstone's own, those on the class path, those of the folder of plug-ins. */
final class Connectors {
    private Connectors() {}

    /**
     * Loads and checks them all.
     *
     * @param client of the node, for those on the class path that send requests
     */
    static ConnectorRegistry open(ConnectorConfig config, CatalogConfig catalog, Supplier<OutboundClient> client)
            throws CannotStartException {
        CredentialProvider environment = new EnvironmentCredentials(config.variables());
        CredentialProvider credentials = config.credentials()
                .<CredentialProvider>map(folder -> new FolderCredentials(folder).or(environment))
                .orElse(environment);
        try {
            List<FoundConnector> found = new ArrayList<>(List.of(CoreConnector.found()));
            for (FoundConnector each : Plugins.onClassPath()) {
                found.add(
                        each.connector() instanceof WebConnector web
                                ? new FoundConnector(web.through(client), each.origin())
                                : each);
            }
            if (config.plugins().isPresent()) {
                found.addAll(Plugins.in(config.plugins().get()));
            }
            Map<String, JsonObject> configs = config.configs().isPresent()
                    ? ConfigFolder.read(config.configs().get())
                    : Map.of();
            return ConnectorRegistry.of(
                    found, configs, credentials, catalog.refusesSchemas() ? SchemaRule.REFUSE : SchemaRule.WARN);
        } catch (RefusedConnectorException e) {
            throw new CannotStartException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Gives their actions to the engine, after all others. */
    static void register(ConnectorRegistry connectors, HandlerRegistry.Builder all) throws CannotStartException {
        try {
            connectors.register(all);
        } catch (IllegalArgumentException e) {
            throw new CannotStartException(
                    "an action of a connector is there already: " + e.getMessage()
                            + "; take it out of worker.actions, or the plug-in out of connector.plugins",
                    e);
        }
    }
}
