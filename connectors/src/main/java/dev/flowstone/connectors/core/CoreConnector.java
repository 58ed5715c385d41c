package dev.flowstone.connectors.core;

import dev.flowstone.action.Action;
import dev.flowstone.action.Connector;
import dev.flowstone.action.ConnectorSpec;
import dev.flowstone.connectors.registry.ConnectorRegistry;
import dev.flowstone.connectors.registry.FoundConnector;
import dev.flowstone.connectors.registry.RefusedConnectorException;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.task.HandlerRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What every Flowstone can do, as far as it is on this SPI. */
public final class CoreConnector implements Connector {
    @Override
    public ConnectorSpec spec() {
        return ConnectorSpec.of("core", "1.0.0", "Core", "What every Flowstone can do without anybody else.")
                .withoutAuth()
                .capabilities("transform")
                .build();
    }

    @Override
    public List<Action<?, ?>> actions() {
        return List.of(new Transform());
    }

    public static FoundConnector found() {
        return new FoundConnector(new CoreConnector(), "Flowstone itself");
    }

    /** The engine's built-in actions and these, for whoever has no server's configuration. */
    public static HandlerRegistry registry() {
        return WithTheEngines.ALL;
    }

    /** Made when somebody wants it: a server makes its own. */
    private static final class WithTheEngines {
        private static final HandlerRegistry ALL = all();
    }

    private static HandlerRegistry all() {
        HandlerRegistry.Builder all = HandlerRegistry.builder().addAll(BuiltInActions.registry());
        try {
            ConnectorRegistry.of(List.of(found()), Map.of(), _ -> Optional.empty())
                    .register(all);
        } catch (RefusedConnectorException e) {
            throw new IllegalStateException("what every Flowstone has is as it has to be", e);
        }
        return all.build();
    }
}
