package dev.flowstone.vendors.web;

import dev.flowstone.action.Connector;
import dev.flowstone.outbound.OutboundClient;
import java.util.function.Supplier;

/**
 * A connector that sends requests. It is found like any other and says what it can do; to do it, it needs the client of whoever hosts it,
 * whose settings say where requests may go.
 */
public interface WebConnector extends Connector {
    /**
     * The same, sending by this client.
     *
     * @param client asked for each call, and not closed
     */
    Connector through(Supplier<OutboundClient> client);

    /** In place of a client until one is given. */
    static Supplier<OutboundClient> noClient() {
        return () -> {
            throw new IllegalStateException("its host gave this connector no client (WebConnector.through)");
        };
    }
}
