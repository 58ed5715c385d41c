package dev.flowstone.server.config;

import static java.util.Objects.requireNonNull;

import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.security.token.TokenRules;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Who may call.
 *
 * @param loose whether callers on the loopback interface need no token
 * @param principalRequired whether a start has to say for whom it is
 * @param jwt whose tokens are taken; empty for nobody's
 */
public record AuthConfig(boolean loose, boolean principalRequired, Optional<Jwt> jwt) {
    public AuthConfig {
        requireNonNull(jwt);
    }

    /**
     * An issuer's tokens.
     *
     * @param keys a file, or a URL as {@link #url} tells
     * @param outbound bounds on asking there
     */
    public record Jwt(TokenRules rules, String keys, OutboundConfig outbound) {
        private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

        public Jwt {
            requireNonNull(rules);
            requireNonNull(outbound);
            if (keys.contains("://") && !isUrl(keys)) {
                throw new IllegalArgumentException(
                        "auth.jwt.keys takes a file, or an https URL with a host and without a user; http only on the"
                                + " loopback interface");
            }
        }

        private static boolean isUrl(String text) {
            try {
                URI uri = new URI(text);
                String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
                return uri.getHost() != null
                        && uri.getRawUserInfo() == null
                        && (scheme.equals("https") || (scheme.equals("http") && LOOPBACK.contains(uri.getHost())));
            } catch (URISyntaxException e) {
                return false;
            }
        }

        /** Where the keys are, if it isn't a file. */
        public Optional<URI> url() {
            return keys.contains("://") ? Optional.of(URI.create(keys)) : Optional.empty();
        }
    }
}
