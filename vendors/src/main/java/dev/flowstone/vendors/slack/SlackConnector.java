package dev.flowstone.vendors.slack;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.Action;
import dev.flowstone.action.Connector;
import dev.flowstone.action.ConnectorSpec;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.vendors.web.Vendor;
import dev.flowstone.vendors.web.WebConnector;
import java.util.List;
import java.util.function.Supplier;

/** Messages and channels of Slack. */
public final class SlackConnector implements WebConnector {
    private final SlackApi api;

    /** As it is found; it sends nothing yet. */
    public SlackConnector() {
        this(WebConnector.noClient());
    }

    private SlackConnector(Supplier<OutboundClient> client) {
        this.api = new SlackApi(requireNonNull(client));
    }

    @Override
    public Connector through(Supplier<OutboundClient> client) {
        return new SlackConnector(client);
    }

    @Override
    public ConnectorSpec spec() {
        return ConnectorSpec.of("slack", "1.0.0", "Slack", "Posts and changes messages, and lists channels.")
                .auth("Bearer")
                .capabilities("messages", "channels")
                .configSchema(Vendor.configSchema())
                .build();
    }

    @Override
    public List<Action<?, ?>> actions() {
        return List.of(new PostMessage(api), new UpdateMessage(api), new ListChannels(api));
    }
}
