package dev.flowstone.triggers.webhook;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.TriggerSecret;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.trigger.Triggers.Armed;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Lets signed deliveries in. Whether there is no such trigger, it is no webhook, or the signature is another one's: the answer is the
 * same after the same number of signatures.
 */
public final class WebhookDoor {
    /** Headers that {@link #judge} looks at. */
    public static final List<String> HEADERS =
            List.of(WebhookSignature.ID, WebhookSignature.TIMESTAMP, WebhookSignature.SIGNATURE);

    /** Signs for triggers that there aren't; nobody knows it. */
    private static final WebhookSecret NOBODYS = WebhookSecret.generate();

    private static final Duration USUAL = Duration.ofSeconds(WebhookRules.USUAL_SECONDS);

    private WebhookDoor() {}

    /** What is to be thought of a delivery. */
    public sealed interface Verdict {
        /**
         * It is its sender's, and of now.
         *
         * @param delivery as its sender calls it
         * @param sentAt as its sender signed it, in whole seconds
         */
        record Genuine(String delivery, Instant sentAt) implements Verdict {
            public Genuine {
                requireNonNull(delivery);
                requireNonNull(sentAt);
            }
        }

        /** It is its sender's, and of another time: perhaps sent again by somebody who listened. */
        record OutOfTime(String delivery, Instant sentAt, Duration tolerance) implements Verdict {
            public OutOfTime {
                requireNonNull(delivery);
                requireNonNull(sentAt);
                requireNonNull(tolerance);
            }
        }

        /** Nothing proves whose it is. */
        record Unproven() implements Verdict {}
    }

    /**
     * Judges one.
     *
     * @param armed the trigger that it is for, if there is one
     * @param headers those of {@link #HEADERS}, as they came
     * @param body as it came, byte by byte
     */
    public static Verdict judge(Optional<Armed> armed, List<HttpHeader> headers, byte[] body, Instant now) {
        Optional<Armed> webhook = armed.filter(it -> it.trigger().kind() == TriggerKind.WEBHOOK);
        List<WebhookSecret> secrets = webhook.map(Armed::secrets).orElse(List.of()).stream()
                .map(TriggerSecret::text)
                .map(WebhookSecret::parse)
                .toList();
        Duration tolerance = webhook.map(
                        it -> WebhookRules.of(it.trigger().config()).tolerance())
                .orElse(USUAL);
        return switch (WebhookSignature.verify(headers, body, padded(secrets), now, tolerance)) {
            case GENUINE -> new Verdict.Genuine(id(headers), time(headers));
            case OUT_OF_TIME -> new Verdict.OutOfTime(id(headers), time(headers), tolerance);
            case MALFORMED, FORGED -> new Verdict.Unproven();
        };
    }

    /** As many as a trigger may have, whatever it has. */
    private static List<WebhookSecret> padded(List<WebhookSecret> secrets) {
        return Stream.concat(secrets.stream(), Stream.generate(() -> NOBODYS))
                .limit(Math.max(Triggers.MOST_SECRETS, secrets.size()))
                .toList();
    }

    /** Only of those whose headers have their form. */
    private static String id(List<HttpHeader> headers) {
        return value(headers, WebhookSignature.ID);
    }

    private static Instant time(List<HttpHeader> headers) {
        return Instant.ofEpochSecond(Long.parseLong(value(headers, WebhookSignature.TIMESTAMP)));
    }

    private static String value(List<HttpHeader> headers, String name) {
        return headers.stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(HttpHeader::value)
                .findFirst()
                .orElseThrow();
    }
}
