package dev.flowstone.server.auth;

import static java.util.Objects.requireNonNull;

import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.security.token.JwkSource;
import dev.flowstone.security.token.KeyFile;
import dev.flowstone.security.token.KeySetException;
import dev.flowstone.server.config.AuthConfig;
import dev.flowstone.server.effect.Outbound;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** The keys of the issuer whose tokens are taken, from a file or by the one client that leaves the house. */
final class IssuerKeys implements AutoCloseable {
    private static final Logger LOG = System.getLogger(IssuerKeys.class.getName());

    private final JwkSource source;
    private final Optional<OutboundClient> client;
    private volatile boolean closed;

    IssuerKeys(JwkSource source, Optional<OutboundClient> client) {
        this.source = requireNonNull(source);
        this.client = requireNonNull(client);
    }

    /**
     * Opens them. Those of a file are read now; those of a URL are asked for, and callers wait for them.
     *
     * @throws IllegalArgumentException if the file has none
     */
    static IssuerKeys open(AuthConfig.Jwt jwt) {
        Optional<URI> url = jwt.url();
        if (url.isEmpty()) {
            IssuerKeys keys = new IssuerKeys(JwkSource.of(new KeyFile(Path.of(jwt.keys()))), Optional.empty());
            keys.read();
            return keys;
        }
        OutboundClient client = Outbound.client(jwt.outbound(), url.get());
        IssuerKeys keys = new IssuerKeys(JwkSource.of(new KeyFetch(client, url.get())), Optional.of(client));
        Thread.ofVirtual().name("flowstone-token-keys").start(keys::ask);
        return keys;
    }

    JwkSource source() {
        return source;
    }

    private void read() {
        try {
            told(source.load());
        } catch (IOException | KeySetException e) {
            throw new IllegalArgumentException("auth.jwt.keys: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException("auth.jwt.keys: interrupted while it was read", e);
        }
    }

    /** The issuer may come up later than this server: callers are told to come again if this fails. */
    void ask() {
        try {
            told(source.load());
        } catch (IOException | KeySetException e) {
            LOG.log(Level.WARNING, "auth.jwt.keys can't be had yet, no token is taken: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.log(
                    closed ? Level.DEBUG : Level.WARNING,
                    closed
                            ? "the server has stopped before it had keys"
                            : "auth.jwt.keys can't be had by a fault of ours, no token is taken until they are",
                    e);
        }
    }

    private static void told(int keys) {
        LOG.log(Level.INFO, "tokens are checked with " + keys + " keys of auth.jwt.keys");
    }

    /** Asks for no more of them. */
    @Override
    public void close() {
        closed = true;
        client.ifPresent(OutboundClient::close);
    }
}
