package dev.flowstone.server.effect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.effect.Delivery;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.outbound.OutboundConfig;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import dev.flowstone.server.config.Webhook;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an endpoint is sent, and what its answers mean. */
final class WebhookPublisherTest {
    private static final WebhookSecret NEW = WebhookSecret.generate();
    private static final WebhookSecret OLD = WebhookSecret.generate();
    private static final Delivery DELIVERY = new Delivery(
            new RunKey(new TenantId("acme"), RunId.of(Instant.EPOCH, new Slot(1), 7)),
            "01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d:7:0",
            "webhook:shop",
            JsonObject.builder().put("type", "paid").put("data", "grüße").build(),
            1,
            Optional.of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));

    private static Publisher.Receipt deliver(String url) throws Exception {
        Webhook webhook = new Webhook("shop", url, List.of(NEW, OLD), 0, 0);
        try (OutboundClient client = Outbound.client(OutboundConfig.DEFAULT, List.of(webhook))) {
            return new WebhookPublisher(client, webhook, Duration.ofSeconds(10), InstantSource.system())
                    .deliver(DELIVERY);
        }
    }

    @Test
    void itIsSignedWithEachLiveSecretUnderTheMessagesKey() throws Exception {
        try (Receiver receiver = new Receiver()) {
            assertEquals(Optional.of(204), deliver(receiver.url()).status());

            Receiver.Received received = receiver.next();
            assertEquals("/hook", received.path());
            assertEquals(DELIVERY.key(), received.header("webhook-id"));
            assertEquals("application/json", received.header("Content-Type"));
            assertEquals(DELIVERY.traceparent().orElseThrow(), received.header("traceparent"));
            assertEquals(
                    CanonicalJson.exactText(DELIVERY.content()),
                    new String(received.body(), java.nio.charset.StandardCharsets.UTF_8));
            for (WebhookSecret secret : List.of(NEW, OLD)) {
                assertEquals(
                        WebhookSignature.Verdict.GENUINE,
                        WebhookSignature.verify(
                                received.headers(),
                                received.body(),
                                List.of(secret),
                                Instant.now(),
                                Duration.ofMinutes(5)));
            }
        }
    }

    @Test
    void statusesSayWhetherItMayGoBetter() throws Exception {
        try (Receiver receiver = new Receiver()) {
            for (int status : List.of(200, 201, 202, 204, 299)) {
                receiver.answering(_ -> status);
                assertEquals(Optional.of(status), deliver(receiver.url()).status());
            }
            for (int status : List.of(400, 410, 413, 415, 422)) {
                receiver.answering(_ -> status);
                String told = String.valueOf(
                        assertThrows(Publisher.UndeliverableException.class, () -> deliver(receiver.url()))
                                .getMessage());
                assertTrue(told.contains("" + status), told);
            }
            for (int status : List.of(301, 401, 403, 404, 408, 409, 425, 429, 500, 503)) {
                receiver.answering(_ -> status);
                assertThrows(Publisher.RetryableException.class, () -> deliver(receiver.url()), "" + status);
            }
        }
    }

    private static String refusal(Receiver receiver, String url) {
        receiver.answering(_ -> 503);
        return String.valueOf(assertThrows(Publisher.RetryableException.class, () -> deliver(url))
                .getMessage());
    }

    @Test
    void whatARefusalSaysIsKeptAsFarAsItsBeginning() throws Exception {
        try (Receiver receiver = new Receiver()) {
            assertEquals("the endpoint answered 503", refusal(receiver, receiver.url()));
            receiver.saying(_ -> "closed for stocktaking");
            assertEquals("the endpoint answered 503: closed for stocktaking", refusal(receiver, receiver.url()));
            receiver.saying(_ -> "0123456789".repeat(1_000));
            assertEquals(
                    "the endpoint answered 503: " + "0123456789".repeat(50) + "…", refusal(receiver, receiver.url()));
        }
    }

    /** Some repeat what they were sent, and some what else they know. */
    @Test
    void noSecretOfItIs() throws Exception {
        try (Receiver receiver = new Receiver()) {
            receiver.saying(received -> "for %s at /hook/t0p-s3cret?key=al50-s3cret I want %s, with %s or %s"
                    .formatted(
                            "order 7",
                            received.header("webhook-signature"),
                            NEW.text(),
                            OLD.text().replace("whsec_", "")));

            String told = refusal(receiver, receiver.url() + "/t0p-s3cret?key=al50-s3cret");

            assertEquals(
                    "the endpoint answered 503: for order 7 at [hidden] I want [hidden], with [hidden] or [hidden]",
                    told);
        }
    }

    @Test
    void whoIsNotThereMayBeLater() {
        assertThrows(Publisher.RetryableException.class, () -> deliver("http://127.0.0.1:1/hook"));
    }
}
