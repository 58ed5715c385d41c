package dev.flowstone.outbound;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Names of hosts: {@code api.example.com}, or {@code *.example.com} for every name below it (and not for itself).
 *
 * @param text in lower case
 */
public record HostPattern(String text) {
    private static final Pattern FORM = Pattern.compile("(?:\\*\\.)?[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){0,126}");

    public HostPattern {
        text = text.toLowerCase(Locale.ROOT);
        if (!FORM.matcher(text).matches() || IpLiteral.v4(text).isPresent()) {
            throw new IllegalArgumentException("no host: " + text
                    + "; write a name, or *. and a name for all below it; addresses belong in the allowed networks");
        }
    }

    boolean matches(String host) {
        return text.startsWith("*.") ? host.endsWith(text.substring(1)) : host.equals(text);
    }
}
