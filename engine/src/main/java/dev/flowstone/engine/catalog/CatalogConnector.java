package dev.flowstone.engine.catalog;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A connector of the catalog.
 *
 * @param registered whether a node has it now, in this version
 * @param created when it came into the catalog in this version
 */
public record CatalogConnector(OfferedConnector connector, boolean registered, SwitchState state, Instant created) {
    public CatalogConnector {
        requireNonNull(connector);
        requireNonNull(state);
        requireNonNull(created);
    }

    /** Whether new versions of workflows may name its actions. */
    public boolean isEnabled() {
        return connector.enabled() && state.on();
    }
}
