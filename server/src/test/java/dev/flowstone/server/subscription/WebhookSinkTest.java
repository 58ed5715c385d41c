package dev.flowstone.server.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Webhook;
import dev.flowstone.server.effect.Receiver;
import dev.flowstone.server.effect.Webhooks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an endpoint is sent of an event, and what its answers mean. */
final class WebhookSinkTest {
    private static final RunId RUN = RunId.of(Instant.EPOCH, new Slot(1), 7);
    private static final OutEvent EVENT =
            new OutEvent(RUN, RUN + "/7", "{}".getBytes(StandardCharsets.UTF_8), new FeedPlace(1, 1));

    private static void send(String url, Duration deadline) throws Exception {
        Webhook webhook = new Webhook("crm", url, List.of(WebhookSecret.generate()), 0, 0);
        try (Webhooks webhooks =
                Webhooks.open(OutboundConfig.DEFAULT, new FlowstoneConfig.Outbox(8, 12, List.of(webhook)))) {
            new WebhookSink(webhooks.client().orElseThrow(), webhook, deadline, InstantSource.system()).send(EVENT);
        }
    }

    private static SendException refused(String url, Duration deadline) {
        return assertThrows(SendException.class, () -> send(url, deadline));
    }

    @Test
    void statusesSayWhetherItWasTaken() throws Exception {
        Duration deadline = Duration.ofSeconds(10);
        try (Receiver receiver = new Receiver()) {
            for (int status : List.of(200, 202, 204)) {
                receiver.answering(_ -> status);
                send(receiver.url(), deadline);
                Receiver.Received received = receiver.next();
                assertEquals(RUN + ":7", received.header("webhook-id"));
                assertEquals("application/cloudevents+json", received.header("Content-Type"));
            }
            for (int status : List.of(301, 400, 404, 429, 500, 503)) {
                receiver.answering(_ -> status);
                SendException refused = refused(receiver.url(), deadline);
                assertFalse(refused.isGone());
                assertTrue(String.valueOf(refused.getMessage()).contains("" + status));
            }
            receiver.answering(_ -> 410);
            assertTrue(refused(receiver.url(), deadline).isGone());
        }
    }

    @Test
    void anAnswerThatTakesTooLongIsNone() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (Receiver receiver = new Receiver()) {
            receiver.answering(_ -> {
                try {
                    boolean _ = over.await(30, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return 204;
            });
            SendException late = refused(receiver.url(), Duration.ofMillis(300));
            assertTrue(String.valueOf(late.getMessage()).startsWith("OUTBOUND_TIMEOUT"), late.getMessage());
            over.countDown();
        }
        assertTrue(String.valueOf(refused("http://127.0.0.1:1/hook", Duration.ofSeconds(5))
                        .getMessage())
                .startsWith("OUTBOUND_UNREACHABLE"));
    }
}
