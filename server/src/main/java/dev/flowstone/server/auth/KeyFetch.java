package dev.flowstone.server.auth;

import static java.util.Objects.requireNonNull;

import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.outbound.OutboundRequest;
import dev.flowstone.outbound.Outcome;
import dev.flowstone.security.token.JwkSource;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/** An issuer's keys, by the one client that leaves the house. */
final class KeyFetch implements JwkSource.Loader {
    /** A caller may wait for it. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int OK = 200;

    private final OutboundClient client;
    private final URI url;

    KeyFetch(OutboundClient client, URI url) {
        this.client = requireNonNull(client);
        this.url = requireNonNull(url);
    }

    @Override
    public byte[] load() throws IOException, InterruptedException {
        OutboundRequest request = OutboundRequest.get(url.toString())
                .with(HttpHeader.of("Accept", "application/jwk-set+json, application/json"))
                .withDeadline(PATIENCE);
        return switch (client.send(request)) {
            case Outcome.Answer answer when answer.status() == OK && !answer.truncated() -> answer.body();
            case Outcome.Answer answer
            when answer.status() == OK -> throw new IOException(url.getHost() + " answers more than a set of keys has");
            case Outcome.Answer answer -> throw new IOException(url.getHost() + " answers " + answer.status());
            case Outcome.Failure failure -> throw new IOException(failure.code() + ": " + failure.message());
        };
    }
}
