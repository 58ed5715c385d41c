package dev.flowstone.server.effect;

import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.server.config.FlowstoneConfig;

/** Clients for what leaves the house, as the settings {@code outbound.*} say. */
public final class Outbound {
    private Outbound() {}

    /** A client, to be closed by whoever asked for it. */
    public static OutboundClient client(FlowstoneConfig config) {
        return new OutboundClient(config.outbound());
    }
}
