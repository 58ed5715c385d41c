package dev.flowstone.server.effect;

import dev.flowstone.outbound.HttpHeader;
import java.util.Locale;
import java.util.regex.Pattern;

/** Which headers open something, by their names: their values are told nowhere and follow no redirect to another host. */
final class SecretHeaders {
    private static final Pattern SECRET =
            Pattern.compile(".*(?:auth|cookie|key|token|secret|passw|session|signature|credential).*");

    private SecretHeaders() {}

    static HttpHeader header(String name, String value) {
        return new HttpHeader(name, value, isSecret(name));
    }

    private static boolean isSecret(String name) {
        return SECRET.matcher(name.toLowerCase(Locale.ROOT)).matches()
                && !name.equalsIgnoreCase(HttpParameters.IDEMPOTENCY_KEY);
    }
}
