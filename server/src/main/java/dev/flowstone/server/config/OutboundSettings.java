package dev.flowstone.server.config;

import dev.flowstone.outbound.AddressPolicy;
import dev.flowstone.outbound.OutboundConfig;
import java.util.List;
import java.util.Set;

/** The {@code outbound.*} settings as the client takes them. */
final class OutboundSettings {
    private OutboundSettings() {}

    static OutboundConfig of(Sources sources) throws ConfigException {
        OutboundConfig usual = OutboundConfig.DEFAULT;
        return new OutboundConfig(
                new AddressPolicy(
                        sources.value(Settings.OUTBOUND_NETWORKS),
                        sources.value(Settings.OUTBOUND_HOSTS),
                        List.of(),
                        sources.value(Settings.OUTBOUND_DENIED),
                        Set.of()),
                sources.value(Settings.OUTBOUND_CONNECT),
                sources.value(Settings.OUTBOUND_TIMEOUT),
                sources.value(Settings.OUTBOUND_REDIRECTS),
                sources.value(Settings.OUTBOUND_BYTES),
                usual.headerBytes(),
                usual.headerLines(),
                sources.value(Settings.OUTBOUND_CONNECTIONS),
                sources.value(Settings.OUTBOUND_PER_HOST),
                sources.value(Settings.OUTBOUND_RATE),
                usual.longestPause());
    }
}
