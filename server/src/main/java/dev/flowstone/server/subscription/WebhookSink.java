package dev.flowstone.server.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.outbound.OutboundRequest;
import dev.flowstone.outbound.Outcome;
import dev.flowstone.outbound.RequestBody;
import dev.flowstone.outbound.WebhookSignature;
import dev.flowstone.server.config.Webhook;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Sends to one endpoint: a POST for each event, signed as Standard Webhooks says, under the event's id with a colon for its slash. Any 2xx
 * means that it was taken, 410 that nothing will be any more; everything else may go better next time.
 */
final class WebhookSink implements EventSink {
    private static final int GONE = 410;

    private final OutboundClient client;
    private final Webhook webhook;
    private final Duration deadline;
    private final InstantSource clock;

    /** @param deadline of one event */
    WebhookSink(OutboundClient client, Webhook webhook, Duration deadline, InstantSource clock) {
        this.client = requireNonNull(client);
        this.webhook = requireNonNull(webhook);
        this.deadline = requireNonNull(deadline);
        this.clock = requireNonNull(clock);
    }

    @Override
    public void send(OutEvent event) throws SendException, InterruptedException {
        OutboundRequest request = OutboundRequest.post(webhook.url(), RequestBody.of(event.body(), OutEvent.MEDIA_TYPE))
                .with(WebhookSignature.sign(
                                event.id().replace('/', ':'), clock.instant(), event.body(), webhook.secrets())
                        .toArray(HttpHeader[]::new))
                .withDeadline(deadline);
        switch (client.send(request)) {
            case Outcome.Answer answer -> answered(answer);
            case Outcome.Failure failure -> throw SendException.of(failure.code() + ": " + failure.message());
        }
    }

    private static void answered(Outcome.Answer answer) throws SendException {
        int status = answer.status();
        String said = "the endpoint answered " + status;
        if (status == GONE) {
            throw SendException.gone(said);
        }
        if (status < 200 || status >= 300) {
            throw SendException.pausing(said, answer.retryAfter());
        }
    }
}
