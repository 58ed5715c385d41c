package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.subscription.SinkAddress;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Webhook;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Everything that events can be sent to from this node, as it is configured. Thread-safe. */
public final class Sinks implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(15);

    private final Optional<OutboundClient> client;
    private final List<Webhook> webhooks;
    private final FlowstoneConfig.Events config;
    private final Optional<KafkaSinks> kafka;
    private final Map<SinkAddress, Gate> gates = new ConcurrentHashMap<>();

    /** @param client that webhooks go through; empty if there are none */
    public Sinks(Optional<OutboundClient> client, List<Webhook> webhooks, FlowstoneConfig.Events config) {
        this.client = requireNonNull(client);
        this.webhooks = List.copyOf(webhooks);
        this.config = requireNonNull(config);
        this.kafka = config.kafka().isPresent()
                ? Optional.of(new KafkaSinks(config.kafka().get()))
                : Optional.empty();
    }

    /** Why nothing can be sent there from here, and what to do; empty if it can. */
    public Optional<String> fault(SinkAddress address) {
        return switch (address) {
            case SinkAddress.Webhook(String endpoint) ->
                webhook(endpoint).isPresent()
                        ? Optional.empty()
                        : Optional.of("UNKNOWN_ENDPOINT: no endpoint '" + endpoint + "' is configured here; webhook."
                                + endpoint + ".url names one");
            case SinkAddress.Kafka(String topic) -> {
                if (config.kafka().isEmpty()) {
                    yield Optional.of("UNKNOWN_KAFKA: no Kafka is configured here; kafka.bootstrapServers names one");
                }
                yield config.kafka().get().allows(topic)
                        ? Optional.empty()
                        : Optional.of("TOPIC_NOT_ALLOWED: the topic '" + topic
                                + "' is none of those that kafka.topics allows");
            }
        };
    }

    private Optional<Webhook> webhook(String endpoint) {
        return webhooks.stream()
                .filter(webhook -> webhook.name().equals(endpoint))
                .findFirst();
    }

    /**
     * The way to one place.
     *
     * @param gate that all who send there from this node share
     */
    record Way(Gate gate, EventSink sink) {
        Way {
            requireNonNull(gate);
            requireNonNull(sink);
        }
    }

    /** The way there; one on which everything fails if there is none. */
    Way way(SinkAddress address) {
        Optional<String> fault = fault(address);
        if (fault.isPresent()) {
            return new Way(new Gate(1, 0), EventSink.missing(fault.get()));
        }
        return switch (address) {
            case SinkAddress.Webhook(String endpoint) -> {
                Webhook webhook = webhook(endpoint).orElseThrow();
                yield new Way(
                        gate(address, webhook.atOnce() == 0 ? config.atOnce() : webhook.atOnce(), webhook.perSecond()),
                        new WebhookSink(client.orElseThrow(), webhook, DEADLINE, InstantSource.system()));
            }
            case SinkAddress.Kafka(String topic) ->
                new Way(gate(address, config.atOnce(), 0), kafka.orElseThrow().topic(topic));
        };
    }

    private Gate gate(SinkAddress address, int atOnce, double perSecond) {
        return gates.computeIfAbsent(address, _ -> new Gate(atOnce, perSecond));
    }

    @Override
    public void close() {
        kafka.ifPresent(KafkaSinks::close);
    }
}
