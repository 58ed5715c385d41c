package dev.flowstone.server.http;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whom a request may be addressed to. A server on the loopback interface trusts whoever reaches it, so a web page must not:
 * its requests carry its own {@code Origin}, or, after its host name was pointed at 127.0.0.1, a foreign {@code Host}. A server
 * that asks for a token may have any name, since a page doesn't know the token; pages from elsewhere are refused all the same.
 */
public final class Hosts {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");

    private final boolean anyName;

    /** The loopback interface's. */
    public Hosts() {
        this(false);
    }

    private Hosts(boolean anyName) {
        this.anyName = anyName;
    }

    /** Whatever a server is called that asks for a token. */
    public static Hosts any() {
        return new Hosts(true);
    }

    void check(Headers headers) throws ProblemException {
        Optional<String> host = headers.single("Host");
        if (!anyName && host.isPresent() && !loopback(host.get())) {
            throw Problem.of(
                            ProblemCode.MISDIRECTED,
                            "this server answers to localhost, 127.0.0.1 and [::1], not to " + Cut.text(host.get()))
                    .exception();
        }
        Optional<String> origin = headers.single("Origin");
        if (origin.isPresent() && !isOurs(origin.get(), host)) {
            throw Problem.of(ProblemCode.FORBIDDEN, "pages from elsewhere may not call this server")
                    .exception();
        }
    }

    private static boolean loopback(String authority) {
        return LOOPBACK.contains(PORT.matcher(authority).replaceFirst("").toLowerCase(Locale.ROOT));
    }

    private boolean isOurs(String origin, Optional<String> host) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority != null
                    && (loopback(authority)
                            || (anyName
                                    && host.filter(authority::equalsIgnoreCase).isPresent()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
