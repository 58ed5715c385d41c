package dev.flowstone.outbound;

/**
 * A header that is sent or was received.
 *
 * @param secret whether it opens something: it is then dropped when a redirect leads to another host, port or scheme, as Authorization,
 *     Cookie and Proxy-Authorization always are
 */
public record HttpHeader(String name, String value, boolean secret) {
    public static HttpHeader of(String name, String value) {
        return new HttpHeader(name, value, false);
    }

    public static HttpHeader secret(String name, String value) {
        return new HttpHeader(name, value, true);
    }

    /** Without the value, which may be a password though nobody said so. */
    @Override
    public String toString() {
        return name + ": …";
    }
}
