package dev.flowstone.outbound;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where requests may go. Without exceptions: to every public address, and to none that {@link SpecialAddresses} names.
 *
 * @param allowedNetworks whose addresses are let through whatever they are
 * @param allowedHosts whose addresses are let through, but for a cloud's metadata service: whoever can change a name's addresses
 *     shall not reach that; only a network opens it
 * @param deniedHosts refused by their names, even if allowed otherwise
 * @param allowedPorts the only ones, if there are any
 */
public record AddressPolicy(
        List<Network> allowedNetworks,
        List<HostPattern> allowedHosts,
        List<HostPattern> deniedHosts,
        Set<Integer> allowedPorts) {
    public static final AddressPolicy PUBLIC_ONLY = new AddressPolicy(List.of(), List.of(), List.of(), Set.of());

    public AddressPolicy {
        allowedNetworks = List.copyOf(allowedNetworks);
        allowedHosts = List.copyOf(allowedHosts);
        deniedHosts = List.copyOf(deniedHosts);
        allowedPorts = Set.copyOf(allowedPorts);
        for (int port : allowedPorts) {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("no port: " + port + "; it is a number from 1 to 65535");
            }
        }
    }

    public AddressPolicy withAllowedNetworks(String... networks) {
        List<Network> all = Stream.of(networks).map(Network::of).toList();
        return new AddressPolicy(all, allowedHosts, deniedHosts, allowedPorts);
    }

    public AddressPolicy withAllowedHosts(String... hosts) {
        return new AddressPolicy(allowedNetworks, patterns(hosts), deniedHosts, allowedPorts);
    }

    public AddressPolicy withDeniedHosts(String... hosts) {
        return new AddressPolicy(allowedNetworks, allowedHosts, patterns(hosts), allowedPorts);
    }

    public AddressPolicy withAllowedPorts(Set<Integer> ports) {
        return new AddressPolicy(allowedNetworks, allowedHosts, deniedHosts, ports);
    }

    private static List<HostPattern> patterns(String... hosts) {
        return Stream.of(hosts).map(HostPattern::new).toList();
    }

    /** Whether it is an address, written as such, where a cloud keeps its metadata service. */
    public static boolean isMetadata(String host) {
        return IpLiteral.v4(host)
                .or(() -> IpLiteral.v6(host))
                .flatMap(SpecialAddresses::of)
                .filter(Refusal.METADATA::equals)
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
                ? Optional.of(refused(target, Refusal.LOOPBACK, "; if it is meant, allow the host by its name"))
                : Optional.empty();
    }

    /** One of the addresses that its name has, or the one that it is. */
    Optional<Outcome.Refused> refusesAddress(Target target, InetAddress address) {
        Optional<Refusal> special = SpecialAddresses.of(address);
        if (special.isEmpty() || allowedNetworks.stream().anyMatch(network -> network.contains(address))) {
            return Optional.empty();
        }
        Refusal refusal = special.get();
        if (refusal != Refusal.METADATA && matches(allowedHosts, target)) {
            return Optional.empty();
        }
        return Optional.of(refused(
                target,
                refusal,
                " (" + address.getHostAddress() + "); if it is meant, allow the network, or the host by its name"));
    }

    private static boolean matches(List<HostPattern> patterns, Target target) {
        return target.literal() == null && patterns.stream().anyMatch(pattern -> pattern.matches(target.host()));
    }

    private static Outcome.Refused refused(Target target, Refusal refusal, String more) {
        return new Outcome.Refused(refusal, target.origin() + " was refused: " + refusal.what() + more);
    }
}
