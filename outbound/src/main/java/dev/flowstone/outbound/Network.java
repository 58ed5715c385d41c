package dev.flowstone.outbound;

import java.net.InetAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A range of addresses: {@code 10.0.0.0/8}, {@code fd00::/8}; an address alone is a range of one. */
public final class Network {
    private final String text;
    private final byte[] start;
    private final int bits;

    private Network(String text, byte[] start, int bits) {
        this.text = text;
        this.start = start;
        this.bits = bits;
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it is none, or has bits beyond its prefix (10.1.2.3/8): what was meant isn't known
     */
    public static Network of(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        byte[] start = IpLiteral.v4(address)
                .or(() -> IpLiteral.v6(address))
                .orElseThrow(() ->
                        new IllegalArgumentException("no network: " + text + "; write it as 10.0.0.0/8 or fd00::/8"))
                .getAddress();
        Network network = new Network(text, start, slash < 0 ? start.length * 8 : bits(text, slash, start.length * 8));
        for (int bit = network.bits; bit < start.length * 8; bit++) {
            if ((start[bit / 8] & (0x80 >> (bit % 8))) != 0) {
                throw new IllegalArgumentException("no network: " + text + " has bits beyond its prefix");
            }
        }
        return network;
    }

    private static int bits(String text, int slash, int most) {
        String prefix = text.substring(slash + 1);
        if (prefix.matches("0|[1-9][0-9]{0,2}")) {
            int bits = Integer.parseInt(prefix);
            if (bits <= most) {
                return bits;
            }
        }
        throw new IllegalArgumentException("no network: " + text + "; its prefix is a number from 0 to " + most);
    }

    /** The range of so many bits that this address is in. */
    static Network around(InetAddress address, int bits) {
        byte[] start = address.getAddress();
        for (int bit = bits; bit < start.length * 8; bit++) {
            start[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
        }
        return new Network(address.getHostAddress() + "/" + bits, start, bits);
    }

    /** Whether it is a part of that range, or all of it. */
    boolean isWithin(Network other) {
        return bits >= other.bits && other.contains(start);
    }

    /** Whether that address is in it; one of the other family never is. */
    boolean contains(InetAddress address) {
        return contains(address.getAddress());
    }

    private boolean contains(byte[] bytes) {
        int whole = bits / 8;
        if (bytes.length != start.length || !Arrays.equals(bytes, 0, whole, start, 0, whole)) {
            return false;
        }
        int rest = bits % 8;
        return rest == 0 || ((bytes[whole] ^ start[whole]) & 0xff) >> (8 - rest) == 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Network network && bits == network.bits && Arrays.equals(start, network.start);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(start) + bits;
    }

    @Override
    public String toString() {
        return text;
    }
}
