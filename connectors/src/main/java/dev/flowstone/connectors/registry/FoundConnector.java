package dev.flowstone.connectors.registry;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.Connector;

/**
 * A connector, and for people where it comes from.
 *
 * @param origin such as the path of a jar
 */
public record FoundConnector(Connector connector, String origin) {
    public FoundConnector {
        requireNonNull(connector);
        requireNonNull(origin);
    }
}
