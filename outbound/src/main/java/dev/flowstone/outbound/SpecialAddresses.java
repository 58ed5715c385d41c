package dev.flowstone.outbound;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an address is, if it isn't simply a host on the Internet: the special-purpose registries of IPv4 and IPv6 (RFC 6890 and its
 * updates), and where the large clouds keep their metadata services.
 *
 * <p>IPv4 inside of IPv6 is looked into. A translation by the well-known prefix (64:ff9b::/96) to a public address is the way out of a
 * network without IPv4 and is let through; a tunnel (6to4, Teredo, ISATAP) never is, as nobody can say where it ends. What is neither in
 * 2000::/3 nor named here is reserved.
 */
final class SpecialAddresses {
    /** What may open an address that isn't simply on the Internet. */
    enum Opener {
        /** A network that it is in, or a host that has it. */
        NETWORK_OR_HOST,
        /** A network that it is in and that is itself no more than the special range: who writes 0.0.0.0/0 didn't mean these. */
        NETWORK_WITHIN_RANGE,
        NOTHING
    }

    /**
     * An address that isn't simply on the Internet.
     *
     * @param range of which it is
     */
    record Special(Refusal refusal, Opener opener, Network range) {}

    private record Range(Network network, Refusal refusal) {}

    /** IPv4 inside of a range of IPv6: at which byte, whether its bits are turned over, and what it is if the IPv4 is nothing special. */
    private record Embedding(
            Network network,
            int at,
            boolean inverted,
            @Nullable Refusal otherwise) {
        /** The IPv4 inside of an address of that range. */
        InetAddress inside(InetAddress address) {
            byte[] four = Arrays.copyOfRange(address.getAddress(), at, at + 4);
            if (inverted) {
                for (int i = 0; i < four.length; i++) {
                    four[i] = (byte) ~four[i];
                }
            }
            try {
                return InetAddress.getByAddress(four);
            } catch (UnknownHostException e) {
                throw new IllegalStateException("four bytes are an address", e);
            }
        }
    }

    /** The first that fits counts. */
    private static final List<Range> RANGES = List.of(
            range("169.254.169.254", Refusal.METADATA), // most clouds
            range("169.254.170.2", Refusal.METADATA), // credentials of containers
            range("169.254.170.23", Refusal.METADATA), // credentials of pods
            range("169.254.42.42", Refusal.METADATA),
            range("169.254.0.23", Refusal.METADATA),
            range("100.100.100.200", Refusal.METADATA),
            range("168.63.129.16", Refusal.METADATA), // public to look at, and answered by the host beneath
            range("192.0.0.192", Refusal.METADATA),
            range("fd00:ec2::254", Refusal.METADATA),
            range("fd00:ec2::23", Refusal.METADATA),
            range("fd20:ce::254", Refusal.METADATA),
            range("fd00:42::42", Refusal.METADATA),
            range("fd00:c1::a9fe:a9fe", Refusal.METADATA),
            range("fe80::a9fe:a9fe", Refusal.METADATA),
            range("0.0.0.0/8", Refusal.UNSPECIFIED),
            range("10.0.0.0/8", Refusal.PRIVATE),
            range("100.64.0.0/10", Refusal.SHARED),
            range("127.0.0.0/8", Refusal.LOOPBACK),
            range("169.254.0.0/16", Refusal.LINK_LOCAL),
            range("172.16.0.0/12", Refusal.PRIVATE),
            range("192.0.0.0/24", Refusal.RESERVED),
            range("192.0.2.0/24", Refusal.DOCUMENTATION),
            range("192.88.99.0/24", Refusal.TUNNEL),
            range("192.168.0.0/16", Refusal.PRIVATE),
            range("198.18.0.0/15", Refusal.BENCHMARK),
            range("198.51.100.0/24", Refusal.DOCUMENTATION),
            range("203.0.113.0/24", Refusal.DOCUMENTATION),
            range("224.0.0.0/4", Refusal.MULTICAST),
            range("240.0.0.0/4", Refusal.RESERVED),
            range("::", Refusal.UNSPECIFIED),
            range("::1", Refusal.LOOPBACK),
            range("fc00::/7", Refusal.PRIVATE),
            range("fe80::/10", Refusal.LINK_LOCAL),
            range("fec0::/10", Refusal.PRIVATE),
            range("ff00::/8", Refusal.MULTICAST),
            range("2001:db8::/32", Refusal.DOCUMENTATION),
            range("3fff::/20", Refusal.DOCUMENTATION),
            range("2001:2::/48", Refusal.BENCHMARK));

    private static final List<Embedding> EMBEDDINGS = List.of(
            new Embedding(Network.of("::/96"), 12, false, Refusal.RESERVED),
            new Embedding(Network.of("::ffff:0:0:0/96"), 12, false, Refusal.TUNNEL),
            new Embedding(Network.of("64:ff9b::/96"), 12, false, null),
            new Embedding(Network.of("64:ff9b:1::/48"), 12, false, Refusal.TUNNEL),
            new Embedding(Network.of("2002::/16"), 2, false, Refusal.TUNNEL),
            new Embedding(Network.of("2001::/32"), 12, true, Refusal.TUNNEL));

    /** Below it are protocols of the IETF's own, which nobody serves anything on. */
    private static final Network ASSIGNED = Network.of("2001::/23");

    private static final Network GLOBAL = Network.of("2000::/3");
    private static final Network ALL_OF_IPV6 = Network.of("::/0");

    private SpecialAddresses() {}

    private static Range range(String network, Refusal refusal) {
        return new Range(Network.of(network), refusal);
    }

    /** What it is; nothing if it is an ordinary address. */
    static Optional<Special> of(InetAddress address) {
        Optional<Embedding> isatap = isatap(address);
        if (isatap.isPresent()) {
            return embedded(isatap.get(), address);
        }
        for (Range range : RANGES) {
            if (range.network().contains(address)) {
                return Optional.of(new Special(range.refusal(), opener(range.refusal()), range.network()));
            }
        }
        if (address instanceof Inet4Address) {
            return Optional.empty();
        }
        for (Embedding embedding : EMBEDDINGS) {
            if (embedding.network().contains(address)) {
                return embedded(embedding, address);
            }
        }
        return GLOBAL.contains(address) && !ASSIGNED.contains(address)
                ? Optional.empty()
                : Optional.of(new Special(Refusal.RESERVED, Opener.NETWORK_OR_HOST, ALL_OF_IPV6));
    }

    /** The IPv4 that hides in it, or the address itself. */
    static InetAddress inside(InetAddress address) {
        return isatap(address)
                .or(() -> EMBEDDINGS.stream()
                        .filter(it -> it.network().contains(address))
                        .findFirst())
                .map(it -> it.inside(address))
                .orElse(address);
    }

    private static Opener opener(Refusal refusal) {
        return switch (refusal) {
            case METADATA -> Opener.NOTHING;
            case LINK_LOCAL, TUNNEL -> Opener.NETWORK_WITHIN_RANGE;
            default -> Opener.NETWORK_OR_HOST;
        };
    }

    /** It leads where its IPv4 does, by a way that only a network of its own opens. */
    private static Optional<Special> embedded(Embedding embedding, InetAddress address) {
        return of(embedding.inside(address))
                .map(Special::refusal)
                .or(() -> Optional.ofNullable(embedding.otherwise()))
                .map(refusal -> new Special(
                        refusal,
                        refusal == Refusal.METADATA ? Opener.NOTHING : Opener.NETWORK_WITHIN_RANGE,
                        embedding.network()));
    }

    /** ISATAP (RFC 5214, section 6.1) may stand in any network: what tells is the second half, 0:5efe or 200:5efe and an IPv4. */
    private static Optional<Embedding> isatap(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean is = bytes.length == 16
                && (bytes[8] & 0xfd) == 0
                && bytes[9] == 0
                && bytes[10] == 0x5e
                && (bytes[11] & 0xff) == 0xfe;
        return is
                ? Optional.of(new Embedding(Network.around(address, 96), 12, false, Refusal.TUNNEL))
                : Optional.empty();
    }
}
