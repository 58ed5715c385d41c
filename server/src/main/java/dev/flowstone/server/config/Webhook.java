package dev.flowstone.server.config;

import static java.util.Objects.requireNonNull;

import dev.flowstone.outbound.AddressPolicy;
import dev.flowstone.outbound.WebhookSecret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * An endpoint that webhooks go to.
 *
 * @param url http or https, with a host
 * @param secrets that sign: the live one, and the one before it while both hold
 * @param atOnce deliveries of one node under way; 0 for as many as usual
 * @param perSecond deliveries of one node that begin; 0 for any number
 */
public record Webhook(String name, String url, List<WebhookSecret> secrets, int atOnce, double perSecond) {
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*\\]");

    public Webhook {
        requireNonNull(name);
        secrets = List.copyOf(secrets);
        if (!isAddress(url)) {
            throw new IllegalArgumentException("webhook." + name
                    + ".url takes an http or https URL with a host and without a user, not what it was given");
        }
        if (AddressPolicy.isMetadata(bare(URI.create(url).getHost()))) {
            throw new IllegalArgumentException(
                    "webhook." + name + ".url names the metadata service of a cloud, which is nobody's endpoint");
        }
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("webhook." + name + ".secret is missing: webhooks are signed with it");
        }
    }

    private static boolean isAddress(String url) {
        try {
            URI uri = new URI(url);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if ((!scheme.equals("http") && !scheme.equals("https"))
                    || uri.getHost() == null
                    || uri.getRawUserInfo() != null
                    || uri.getRawFragment() != null) {
                return false;
            }
            AddressPolicy _ = allowed(uri.getHost());
            return true;
        } catch (URISyntaxException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Where it goes, and nowhere else. */
    public AddressPolicy allowed() {
        return allowed(URI.create(url).getHost());
    }

    /** An IPv6 address without its brackets. */
    private static String bare(String host) {
        return host.replaceAll("[\\[\\]]", "");
    }

    /** Whoever runs the installation has named the host: its addresses are let through, whatever they are. */
    public static AddressPolicy allowed(String host) {
        return ADDRESS.matcher(host).matches()
                ? AddressPolicy.PUBLIC_ONLY.withAllowedNetworks(bare(host))
                : AddressPolicy.PUBLIC_ONLY.withAllowedHosts(host);
    }

    /** Without the secrets, and without the path, which may be one. */
    @Override
    public String toString() {
        return name + " at " + URI.create(url).getHost();
    }
}
