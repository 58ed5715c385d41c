package dev.flowstone.server.config;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.TenantId;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A secret that workflows name and never hold.
 *
 * @param origins scheme, host and port of those that it may be sent to
 * @param tenants whose workflows may name it; empty for all
 */
public record NamedSecret(String name, String value, List<String> origins, Set<TenantId> tenants) {
    public NamedSecret {
        requireNonNull(name);
        origins = origins.stream().map(origin -> parsed(name, origin)).toList();
        tenants = Set.copyOf(tenants);
        if (value.isEmpty()) {
            throw new IllegalArgumentException("secret." + name + ".value is missing: it is what is sent");
        }
        if (origins.isEmpty()) {
            throw new IllegalArgumentException("secret." + name
                    + ".origins is missing: name whom it may be sent to, such as https://api.example.com");
        }
    }

    private static String parsed(String name, String text) {
        try {
            URI uri = new URI(text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if ((scheme.equals("https") || scheme.equals("http"))
                    && uri.getHost() != null
                    && text.equalsIgnoreCase(uri.getScheme() + "://" + uri.getRawAuthority())
                    && uri.getRawUserInfo() == null) {
                return origin(uri);
            }
        } catch (URISyntaxException e) {
            // Said below, as of one that has a path.
        }
        throw new IllegalArgumentException("secret." + name
                + ".origins takes origins with commas between them, each a scheme, a host and perhaps a port, such as"
                + " https://api.example.com");
    }

    /** Whether it may be sent there. */
    public boolean mayGoTo(String url) {
        try {
            URI uri = new URI(url);
            return uri.getScheme() != null && uri.getHost() != null && origins.contains(origin(uri));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static String origin(URI uri) {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        int usual = scheme.equals("https") ? 443 : 80;
        int port = uri.getPort() < 0 ? usual : uri.getPort();
        return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + ":" + port;
    }

    public boolean isFor(TenantId tenant) {
        return tenants.isEmpty() || tenants.contains(tenant);
    }

    /** Without the value. */
    @Override
    public String toString() {
        return name + " for " + origins;
    }
}
