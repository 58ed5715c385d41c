package dev.flowstone.vendors.monday;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.Action;
import dev.flowstone.action.Connector;
import dev.flowstone.action.ConnectorSpec;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.vendors.web.WebConnector;
import java.util.List;
import java.util.function.Supplier;

/** Items of Monday's boards. */
public final class MondayConnector implements WebConnector {
    private final MondayApi api;

    /** As it is found; it sends nothing yet. */
    public MondayConnector() {
        this(WebConnector.noClient());
    }

    private MondayConnector(Supplier<OutboundClient> client) {
        this.api = new MondayApi(requireNonNull(client));
    }

    @Override
    public Connector through(Supplier<OutboundClient> client) {
        return new MondayConnector(client);
    }

    @Override
    public ConnectorSpec spec() {
        return ConnectorSpec.of("monday", "1.0.0", "Monday", "Finds, makes and changes items of boards.")
                .auth("Bearer")
                .capabilities("items")
                .configSchema(MondayApi.CONFIG_SCHEMA)
                .build();
    }

    @Override
    public List<Action<?, ?>> actions() {
        return List.of(new GetItems(api), new CreateItem(api), new UpdateItem(api));
    }
}
