package dev.flowstone.outbound;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Addresses as text, in their one plain form; never looks a name up.
 *
 * <p>IPv4 is four decimal numbers without leading zeros. What {@code inet_aton} takes besides (127.1, 0x7f.1, 017700000001,
 * 2130706433) is no address here, since one reader takes it for loopback and the next one for a name.
 */
final class IpLiteral {
    private static final String BYTE = "(?:0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])";
    private static final Pattern V4 = Pattern.compile("(?:" + BYTE + "\\.){3}" + BYTE);
    private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]{2,45}");

    private IpLiteral() {}

    static Optional<InetAddress> v4(String text) {
        return V4.matcher(text).matches() ? Optional.of(InetAddress.ofLiteral(text)) : Optional.empty();
    }

    /** Without brackets and zone. An IPv4 address that is written as IPv6 (::ffff:127.0.0.1) is none. */
    static Optional<InetAddress> v6(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0 || !V6.matcher(text).matches()) {
            return Optional.empty();
        }
        String last = text.substring(colon + 1);
        if (last.contains(".") && v4(last).isEmpty()) {
            return Optional.empty();
        }
        try {
            InetAddress address = InetAddress.ofLiteral(text);
            return address instanceof Inet6Address ? Optional.of(address) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
