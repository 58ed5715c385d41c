package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Callers of a server that asks nobody for a token, since only this machine's can reach it. A call that says it has come through a
 * proxy is refused: it reaches the loopback interface from wherever the proxy is reached from.
 */
public final class LooseCallers implements Callers {
    private static final Set<String> OF_PROXIES = Set.of(
            "forwarded",
            "via",
            "x-real-ip",
            "x-client-ip",
            "x-cluster-client-ip",
            "true-client-ip",
            "cf-connecting-ip",
            "x-original-for",
            "x-envoy-external-address");
    private static final String OF_PROXIES_TOO = "x-forwarded-";

    private final Callers trusted;

    /** @param trusted who tells of a request from this machine who its caller is */
    public LooseCallers(Callers trusted) {
        this.trusted = requireNonNull(trusted);
    }

    @Override
    public Caller identify(Headers headers) throws ProblemException {
        Optional<String> proxy =
                headers.names().stream().filter(LooseCallers::isOfAProxy).findFirst();
        if (proxy.isPresent()) {
            throw Problem.of(
                            ProblemCode.PROXIED,
                            "this server asks for no token and so takes calls of its own machine only, and by its header "
                                    + Cut.text(proxy.get()) + " this one has come through a proxy: set http.token or"
                                    + " auth.jwt, or auth.loose=false")
                    .exception();
        }
        return trusted.identify(headers);
    }

    private static boolean isOfAProxy(String header) {
        String name = header.toLowerCase(Locale.ROOT);
        return OF_PROXIES.contains(name) || name.startsWith(OF_PROXIES_TOO);
    }
}
