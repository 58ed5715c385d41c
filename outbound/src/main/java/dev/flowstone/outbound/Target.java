package dev.flowstone.outbound;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where a request goes, read from a URL that {@link TargetReader} found to have one meaning only.
 *
 * @param scheme {@code http} or {@code https}
 * @param host in lower case: a name, or an address without brackets
 * @param literal the address, if the host is one
 * @param port the default of the scheme if none was written
 * @param path begins with one slash
 * @param query with its question mark; empty if there is none
 */
record Target(String scheme, String host, @Nullable InetAddress literal, int port, String path, String query) {
    /** What may be told of it. Paths and queries may not: those of many webhooks are their only secret. */
    String origin() {
        return scheme + "://" + bracketed() + ":" + port;
    }

    /** The URL, without what is the default anyway. */
    String url() {
        return root() + path + query;
    }

    /** The URL up to where the path begins. */
    String root() {
        return scheme + "://" + bracketed() + (hasDefaultPort() ? "" : ":" + port);
    }

    boolean hasDefaultPort() {
        return port == (isSecure() ? 443 : 80);
    }

    boolean isSecure() {
        return scheme.equals("https");
    }

    boolean hasOriginOf(Target other) {
        return origin().equals(other.origin());
    }

    private String bracketed() {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    @Override
    public String toString() {
        return origin();
    }
}
