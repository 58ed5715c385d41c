package dev.flowstone.server.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.connectors.secret.Hidden;
import dev.flowstone.engine.effect.Delivery;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.outbound.OutboundRequest;
import dev.flowstone.outbound.Outcome;
import dev.flowstone.outbound.RequestBody;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import dev.flowstone.server.config.Webhook;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Delivers to one endpoint: a POST, signed as Standard Webhooks says, under the message's key. Any 2xx means that it was taken. That
 * the other side won't ever take this message is said by 400, 413, 415 and 422, and by 410 that it takes none any more. Everything
 * else may go better next time, also a 401, 403 or 404: a wrong secret or path is put right, and the messages are still wanted. What
 * such an answer says is told with the failure, without secrets.
 */
final class WebhookPublisher implements Publisher {
    private static final Set<Integer> NEVER = Set.of(400, 410, 413, 415, 422);

    /** As much of an answer is kept as evidence. */
    private static final int EXCERPT = 500;

    private final OutboundClient client;
    private final Webhook webhook;
    private final Duration deadline;
    private final InstantSource clock;

    /** @param deadline of one delivery */
    WebhookPublisher(OutboundClient client, Webhook webhook, Duration deadline, InstantSource clock) {
        this.client = requireNonNull(client);
        this.webhook = requireNonNull(webhook);
        this.deadline = requireNonNull(deadline);
        this.clock = requireNonNull(clock);
    }

    @Override
    public Receipt deliver(Delivery delivery) throws UndeliverableException, RetryableException, InterruptedException {
        OutboundRequest request = request(delivery);
        return switch (client.send(request)) {
            case Outcome.Answer answer -> answered(answer, request);
            case Outcome.Refused refused -> throw new UndeliverableException(refused.code() + ": " + refused.message());
            case Outcome.Failure failure ->
                throw new RetryableException(failure.code() + ": " + failure.message(), null, null);
        };
    }

    private OutboundRequest request(Delivery delivery) {
        byte[] body = CanonicalJson.exact(delivery.content());
        OutboundRequest request = OutboundRequest.post(webhook.url(), RequestBody.of(body, "application/json"))
                .with(WebhookSignature.sign(delivery.key(), clock.instant(), body, webhook.secrets())
                        .toArray(HttpHeader[]::new))
                .withDeadline(deadline);
        return delivery.traceparent()
                .map(place -> request.with(HttpHeader.of("traceparent", place)))
                .orElse(request);
    }

    private Receipt answered(Outcome.Answer answer, OutboundRequest request)
            throws UndeliverableException, RetryableException {
        int status = answer.status();
        if (status >= 200 && status < 300) {
            return Receipt.of(status);
        }
        String said = "the endpoint answered " + status
                + ResponseBody.readable(answer)
                        .flatMap(text -> Excerpt.of(text, answer.truncated(), request, Hidden.of(secrets()), EXCERPT))
                        .map(text -> ": " + text)
                        .orElse("");
        if (NEVER.contains(status)) {
            throw new UndeliverableException(said, status);
        }
        throw new RetryableException(said, status, answer.retryAfter().orElse(null));
    }

    private Stream<String> secrets() {
        return webhook.secrets().stream()
                .map(WebhookSecret::text)
                .flatMap(text -> Stream.of(text, text.substring(text.indexOf('_') + 1)));
    }
}
