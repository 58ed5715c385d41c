package dev.flowstone.vendors.confluence;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.Action;
import dev.flowstone.action.Connector;
import dev.flowstone.action.ConnectorSpec;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.vendors.web.Vendor;
import dev.flowstone.vendors.web.WebConnector;
import java.util.List;
import java.util.function.Supplier;

/** Pages of a Confluence Data Center. */
public final class ConfluenceConnector implements WebConnector {
    private final ConfluenceApi api;

    /** As it is found; it sends nothing yet. */
    public ConfluenceConnector() {
        this(WebConnector.noClient());
    }

    private ConfluenceConnector(Supplier<OutboundClient> client) {
        this.api = new ConfluenceApi(requireNonNull(client));
    }

    @Override
    public Connector through(Supplier<OutboundClient> client) {
        return new ConfluenceConnector(client);
    }

    @Override
    public ConnectorSpec spec() {
        return ConnectorSpec.of("confluence", "1.0.0", "Confluence", "Makes, changes and reads pages.")
                .auth("Bearer")
                .capabilities("pages")
                .configSchema(Vendor.configSchema())
                .build();
    }

    @Override
    public List<Action<?, ?>> actions() {
        return List.of(new CreatePage(api), new UpdatePage(api), new GetPage(api));
    }
}
