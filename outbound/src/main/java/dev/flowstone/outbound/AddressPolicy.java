package dev.flowstone.outbound;

import dev.flowstone.outbound.SpecialAddresses.Opener;
import dev.flowstone.outbound.SpecialAddresses.Special;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where requests may go. Without exceptions: to every public address but this machine's own, and to none that {@link SpecialAddresses}
 * names. Nothing opens a cloud's metadata service. Messages name what opens as the settings do.
 *
 * @param allowedNetworks whose addresses are let through; link-local ones and tunnels only if the network is a part of such a range
 * @param allowedHosts whose addresses are let through, but for link-local ones and tunnels: whoever can change a name's addresses shall
 *     not reach these
 * @param deniedHosts refused by their names, even if allowed otherwise
 * @param deniedNetworks whose addresses are refused, public ones too, even if allowed otherwise, and also as the IPv4 inside of IPv6
 * @param allowedPorts the only ones, if there are any
 */
public record AddressPolicy(
        List<Network> allowedNetworks,
        List<HostPattern> allowedHosts,
        List<HostPattern> deniedHosts,
        List<Network> deniedNetworks,
        Set<Integer> allowedPorts) {
    public static final AddressPolicy PUBLIC_ONLY =
            new AddressPolicy(List.of(), List.of(), List.of(), List.of(), Set.of());

    public AddressPolicy {
        allowedNetworks = List.copyOf(allowedNetworks);
        allowedHosts = List.copyOf(allowedHosts);
        deniedHosts = List.copyOf(deniedHosts);
        deniedNetworks = List.copyOf(deniedNetworks);
        allowedPorts = Set.copyOf(allowedPorts);
        for (int port : allowedPorts) {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("no port: " + port + "; it is a number from 1 to 65535");
            }
        }
    }

    public AddressPolicy withAllowedNetworks(String... networks) {
        return new AddressPolicy(networks(networks), allowedHosts, deniedHosts, deniedNetworks, allowedPorts);
    }

    public AddressPolicy withAllowedHosts(String... hosts) {
        return new AddressPolicy(allowedNetworks, patterns(hosts), deniedHosts, deniedNetworks, allowedPorts);
    }

    public AddressPolicy withDeniedHosts(String... hosts) {
        return new AddressPolicy(allowedNetworks, allowedHosts, patterns(hosts), deniedNetworks, allowedPorts);
    }

    public AddressPolicy withDeniedNetworks(String... networks) {
        return new AddressPolicy(allowedNetworks, allowedHosts, deniedHosts, networks(networks), allowedPorts);
    }

    public AddressPolicy withAllowedPorts(Set<Integer> ports) {
        return new AddressPolicy(allowedNetworks, allowedHosts, deniedHosts, deniedNetworks, ports);
    }

    private static List<Network> networks(String... networks) {
        return Stream.of(networks).map(Network::of).toList();
    }

    private static List<HostPattern> patterns(String... hosts) {
        return Stream.of(hosts).map(HostPattern::new).toList();
    }

    /** Whether it is an address, written as such, where a cloud keeps its metadata service. */
    public static boolean isMetadata(String host) {
        return IpLiteral.v4(host)
                .or(() -> IpLiteral.v6(host))
                .flatMap(SpecialAddresses::of)
                .filter(special -> special.refusal() == Refusal.METADATA)
                .isPresent();
    }

    /** What is known before any name is looked up. */
    Optional<Outcome.Refused> refusesName(Target target) {
        if (matches(deniedHosts, target)) {
            return Optional.of(refused(target, Refusal.HOST_DENIED, ""));
        }
        if (!allowedPorts.isEmpty() && !allowedPorts.contains(target.port())) {
            return Optional.of(refused(target, Refusal.PORT_DENIED, ""));
        }
        boolean local = target.host().equals("localhost") || target.host().endsWith(".localhost");
        return local && !matches(allowedHosts, target)
                ? Optional.of(
                        refused(target, Refusal.LOOPBACK, "; if it is meant, name the host in outbound.allowedHosts"))
                : Optional.empty();
    }

    /**
     * One of the addresses that its name has, or the one that it is.
     *
     * @param own the addresses of this machine
     */
    Optional<Outcome.Refused> refusesAddress(Target target, InetAddress address, OwnAddresses own) {
        InetAddress inside = SpecialAddresses.inside(address);
        if (contains(deniedNetworks, address) || contains(deniedNetworks, inside)) {
            return Optional.of(refused(target, Refusal.NETWORK_DENIED, " (" + address.getHostAddress() + ")"));
        }
        Optional<Special> special = SpecialAddresses.of(address);
        if (special.isEmpty() && (own.contains(address) || own.contains(inside))) {
            special = Optional.of(
                    inside.equals(address)
                            ? new Special(Refusal.OWN, Opener.NETWORK_OR_HOST, Network.around(address, 0))
                            : new Special(Refusal.OWN, Opener.NETWORK_WITHIN_RANGE, Network.around(address, 96)));
        }
        return special.filter(it -> !isOpen(it, target, address))
                .map(it -> refused(
                        target, it.refusal(), " (" + address.getHostAddress() + "); " + whatOpens(it.opener())));
    }

    private boolean isOpen(Special special, Target target, InetAddress address) {
        return switch (special.opener()) {
            case NETWORK_OR_HOST -> contains(allowedNetworks, address) || matches(allowedHosts, target);
            case NETWORK_WITHIN_RANGE ->
                allowedNetworks.stream()
                        .anyMatch(network -> network.contains(address) && network.isWithin(special.range()));
            case NOTHING -> false;
        };
    }

    private static String whatOpens(Opener opener) {
        return switch (opener) {
            case NETWORK_OR_HOST ->
                "if it is meant, name its network in outbound.allowedNetworks, or its host in outbound.allowedHosts";
            case NETWORK_WITHIN_RANGE ->
                "if it is meant, name exactly its network in outbound.allowedNetworks; the name of a host doesn't open it";
            case NOTHING -> "nothing opens it";
        };
    }

    private static boolean contains(List<Network> networks, InetAddress address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }

    private static boolean matches(List<HostPattern> patterns, Target target) {
        return target.literal() == null && patterns.stream().anyMatch(pattern -> pattern.matches(target.host()));
    }

    private static Outcome.Refused refused(Target target, Refusal refusal, String more) {
        return new Outcome.Refused(refusal, target.origin() + " was refused: " + refusal.what() + more);
    }
}
