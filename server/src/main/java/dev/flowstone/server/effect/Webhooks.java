package dev.flowstone.server.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.effect.OutboxConfig;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Webhook;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The endpoints that are configured, ready to be delivered to. */
public final class Webhooks implements AutoCloseable {
    /** Before the outbox gives an attempt up, so that it is told what went wrong. */
    private static final Duration SOONER = Duration.ofSeconds(5);

    private final FlowstoneConfig.Outbox config;
    private final Optional<OutboundClient> client;

    private Webhooks(FlowstoneConfig.Outbox config, Optional<OutboundClient> client) {
        this.config = requireNonNull(config);
        this.client = requireNonNull(client);
    }

    /** Without any endpoint it opens nothing. */
    public static Webhooks open(OutboundConfig bounds, FlowstoneConfig.Outbox config) {
        return new Webhooks(
                config,
                config.webhooks().isEmpty()
                        ? Optional.empty()
                        : Optional.of(Outbound.client(bounds, config.webhooks())));
    }

    /** By destination. */
    public Map<String, Publisher> publishers() {
        Duration deadline = OutboxConfig.DEFAULT.timeout().minus(SOONER);
        return client.<Map<String, Publisher>>map(out -> config.webhooks().stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Webhooks::destination,
                                webhook -> new WebhookPublisher(out, webhook, deadline, InstantSource.system()))))
                .orElseGet(Map::of);
    }

    /** What they go through; empty without any endpoint. */
    public Optional<OutboundClient> client() {
        return client;
    }

    /** How messages leave, with what each endpoint takes. */
    public OutboxConfig outbox() {
        OutboxConfig.Limit usual = new OutboxConfig.Limit(config.atOnce(), 0);
        return OutboxConfig.DEFAULT
                .withAttempts(config.attempts())
                .withLimits(
                        usual,
                        config.webhooks().stream()
                                .collect(Collectors.toUnmodifiableMap(
                                        Webhooks::destination,
                                        webhook -> new OutboxConfig.Limit(
                                                webhook.atOnce() == 0 ? usual.atOnce() : webhook.atOnce(),
                                                webhook.perSecond()))));
    }

    private static String destination(Webhook webhook) {
        return WebhookAction.DESTINATION + webhook.name();
    }

    @Override
    public void close() {
        client.ifPresent(OutboundClient::close);
    }
}
