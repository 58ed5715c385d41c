package dev.flowstone.connectors.plugin;

import dev.flowstone.action.Action;
import dev.flowstone.action.Connector;
import dev.flowstone.action.ConnectorSpec;
import java.util.List;

/** Named in a service file of the tests. */
public final class OnClassPath implements Connector {
    @Override
    public ConnectorSpec spec() {
        return ConnectorSpec.of("near", "1.0.0", "Near", "For a test.").build();
    }

    @Override
    public List<Action<?, ?>> actions() {
        return List.of();
    }
}
