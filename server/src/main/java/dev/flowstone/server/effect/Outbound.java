package dev.flowstone.server.effect;

import dev.flowstone.outbound.AddressPolicy;
import dev.flowstone.outbound.HostPattern;
import dev.flowstone.outbound.Network;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.server.config.Webhook;
import java.util.List;
import java.util.Set;

/**
 * The client for webhooks. Their hosts are let through, whatever their addresses are, but for a cloud's metadata service: whoever runs the
 * installation has named them. Redirects aren't followed: a message is for the one it is addressed to.
 */
final class Outbound {
    private Outbound() {}

    static OutboundClient client(List<Webhook> webhooks) {
        List<AddressPolicy> allowed = webhooks.stream().map(Webhook::allowed).toList();
        List<Network> networks =
                allowed.stream().flatMap(one -> one.allowedNetworks().stream()).toList();
        List<HostPattern> hosts =
                allowed.stream().flatMap(one -> one.allowedHosts().stream()).toList();
        AddressPolicy policy = new AddressPolicy(networks, hosts, List.of(), Set.of());
        return new OutboundClient(OutboundConfig.DEFAULT.withPolicy(policy).withRedirects(0));
    }
}
