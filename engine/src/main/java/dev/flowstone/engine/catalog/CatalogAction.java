package dev.flowstone.engine.catalog;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * An action of the catalog.
 *
 * @param registered whether a node has it now, in this version
 * @param connectorEnabled whether its connector is enabled
 * @param created when it came into the catalog in this version
 */
public record CatalogAction(
        OfferedAction action, boolean registered, boolean connectorEnabled, SwitchState state, Instant created) {
    public CatalogAction {
        requireNonNull(action);
        requireNonNull(state);
        requireNonNull(created);
    }

    /** Whether new versions of workflows may name it. */
    public boolean isEnabled() {
        return action.enabled() && connectorEnabled && state.on();
    }
}
