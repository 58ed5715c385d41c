package dev.flowstone.server.auth;

import static java.util.Objects.requireNonNull;

import dev.flowstone.security.token.TokenVerifier;
import dev.flowstone.server.config.AuthConfig;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.http.Callers;
import dev.flowstone.server.http.Hosts;
import dev.flowstone.server.http.JwtCallers;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.server.http.LooseCallers;
import dev.flowstone.server.http.TokenCallers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Optional;

/**
 * How a server tells who calls.
 *
 * @param loose whether callers without a token are let in, since only this machine's can come
 */
public record Authentication(Callers callers, Hosts hosts, boolean loose, Optional<IssuerKeys> keys)
        implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Authentication.class.getName());

    public Authentication {
        requireNonNull(callers);
        requireNonNull(hosts);
        requireNonNull(keys);
    }

    /** What a server that would listen there lacks, in a sentence that begins with a code; empty if nothing. */
    public static Optional<String> missing(InetAddress address, FlowstoneConfig.Http config) {
        if (config.token().isPresent() || config.auth().jwt().isPresent()) {
            return Optional.empty();
        }
        String remedy = "set http.token to a secret of 32 characters or more that callers have to send (variable"
                + " FLOWSTONE_HTTP_TOKEN), or auth.jwt.issuer, auth.jwt.audience and auth.jwt.keys for the tokens of an"
                + " issuer";
        if (!address.isLoopbackAddress()) {
            return Optional.of("AUTH_NOT_CONFIGURED: --host " + config.host()
                    + " would let everybody in who reaches it: " + remedy
                    + "; or listen on 127.0.0.1, localhost or ::1");
        }
        return config.auth().loose()
                ? Optional.empty()
                : Optional.of("AUTH_NOT_CONFIGURED: auth.loose=false asks every caller for a token, and none is taken: "
                        + remedy);
    }

    /**
     * Opens it.
     *
     * @throws IllegalArgumentException if something is missing, or a file of keys isn't one
     */
    public static Authentication open(InetAddress address, FlowstoneConfig.Http config) {
        // Who serves from the command line was told before a database was opened; anybody else is told here.
        Optional<String> missing = missing(address, config);
        if (missing.isPresent()) {
            throw new IllegalArgumentException(missing.get());
        }
        boolean loose = config.auth().loose()
                && address.isLoopbackAddress()
                && config.token().isEmpty();
        Hosts hosts = loose ? new Hosts() : Hosts.any();
        Optional<TokenCallers> operators = config.token().map(token -> new TokenCallers(token, new LoopbackCallers()));
        Optional<AuthConfig.Jwt> jwt = config.auth().jwt();
        if (jwt.isEmpty()) {
            Callers callers = operators.<Callers>map(it -> it).orElseGet(Authentication::anybody);
            return new Authentication(callers, hosts, loose, Optional.empty());
        }
        if (loose) {
            LOG.log(
                    Level.WARNING,
                    "tokens of " + jwt.get().rules().issuer()
                            + " are taken, but none is asked for on the loopback interface, since auth.loose=true");
        }
        IssuerKeys keys = IssuerKeys.open(jwt.get());
        TokenVerifier verifier = new TokenVerifier(jwt.get().rules(), keys.source(), InstantSource.system());
        Optional<Callers> anybody = loose ? Optional.of(anybody()) : Optional.empty();
        return new Authentication(new JwtCallers(verifier, operators, anybody), hosts, loose, Optional.of(keys));
    }

    private static Callers anybody() {
        return new LooseCallers(new LoopbackCallers());
    }

    /** Asks for no more keys. */
    @Override
    public void close() {
        keys.ifPresent(IssuerKeys::close);
    }
}
