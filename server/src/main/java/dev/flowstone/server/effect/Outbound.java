package dev.flowstone.server.effect;

import dev.flowstone.outbound.AddressPolicy;
import dev.flowstone.outbound.HostPattern;
import dev.flowstone.outbound.Network;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.security.token.KeySet;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Webhook;
import java.net.URI;
import java.util.List;
import java.util.Set;

/** Clients for what leaves the house, as the settings {@code outbound.*} say; each to be closed by whoever asked for it. */
public final class Outbound {
    private Outbound() {}

    /** For requests of workflows. */
    public static OutboundClient client(FlowstoneConfig config) {
        return new OutboundClient(config.outbound());
    }

    /** For one URL that whoever runs the installation has named, and for nothing else; redirects aren't followed. */
    public static OutboundClient client(OutboundConfig config, URI named) {
        AddressPolicy host = Webhook.allowed(named.getHost());
        AddressPolicy usual = config.policy();
        return new OutboundClient(config.withPolicy(new AddressPolicy(
                        host.allowedNetworks(),
                        host.allowedHosts(),
                        usual.deniedHosts(),
                        usual.deniedNetworks(),
                        Set.of()))
                .withRedirects(0)
                .withBodyBytes(KeySet.MOST_BYTES));
    }

    /**
     * For webhooks. Their hosts are let through, whatever their addresses are, but for a cloud's metadata service and what is denied:
     * whoever runs the installation has named them. Redirects aren't followed: a message is for the one it is addressed to.
     */
    static OutboundClient client(OutboundConfig config, List<Webhook> webhooks) {
        List<AddressPolicy> allowed = webhooks.stream().map(Webhook::allowed).toList();
        List<Network> networks =
                allowed.stream().flatMap(one -> one.allowedNetworks().stream()).toList();
        List<HostPattern> hosts =
                allowed.stream().flatMap(one -> one.allowedHosts().stream()).toList();
        AddressPolicy usual = config.policy();
        AddressPolicy policy =
                new AddressPolicy(networks, hosts, usual.deniedHosts(), usual.deniedNetworks(), Set.of());
        return new OutboundClient(config.withPolicy(policy).withRedirects(0));
    }
}
