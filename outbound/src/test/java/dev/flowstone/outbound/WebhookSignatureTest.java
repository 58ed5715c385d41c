package dev.flowstone.outbound;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.outbound.WebhookSignature.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Standard Webhooks, with the example that its own libraries are tested with. */
final class WebhookSignatureTest {
    private static final WebhookSecret SECRET = WebhookSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    private static final WebhookSecret OTHER = WebhookSecret.parse("whsec_c2VjcmV0LW9mLWEtcm90YXRlZC1lbmRwb2ludA==");
    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final Instant AT = Instant.ofEpochSecond(1_614_265_330);
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(UTF_8);
    private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private static List<HttpHeader> headers(String id, String timestamp, String signature) {
        return List.of(
                HttpHeader.of("Webhook-Id", id),
                HttpHeader.of("Webhook-Timestamp", timestamp),
                HttpHeader.of("Webhook-Signature", signature));
    }

    private static Verdict verify(List<HttpHeader> headers) {
        return WebhookSignature.verify(headers, BODY, List.of(SECRET), AT, TOLERANCE);
    }

    private static Verdict verify(String id, String timestamp, String signature) {
        return verify(headers(id, timestamp, signature));
    }

    @Test
    void signsAsThePublishedExample() {
        assertEquals(
                List.of(
                        HttpHeader.secret("webhook-id", ID),
                        HttpHeader.secret("webhook-timestamp", "1614265330"),
                        HttpHeader.secret("webhook-signature", SIGNATURE)),
                WebhookSignature.sign(ID, AT, BODY, List.of(SECRET)));
    }

    @Test
    void verifiesThePublishedExample() {
        assertEquals(Verdict.GENUINE, verify(ID, "1614265330", SIGNATURE));
    }

    @Test
    void aSecretIsReplacedWhileBothHold() {
        List<HttpHeader> both = WebhookSignature.sign(ID, AT, BODY, List.of(OTHER, SECRET));

        assertEquals(2, both.getLast().value().split(" ", -1).length);
        for (WebhookSecret secret : List.of(SECRET, OTHER)) {
            assertEquals(Verdict.GENUINE, WebhookSignature.verify(both, BODY, List.of(secret), AT, TOLERANCE));
        }
        List<HttpHeader> one = WebhookSignature.sign(ID, AT, BODY, List.of(OTHER));
        assertEquals(Verdict.GENUINE, WebhookSignature.verify(one, BODY, List.of(SECRET, OTHER), AT, TOLERANCE));
        assertEquals(Verdict.FORGED, WebhookSignature.verify(one, BODY, List.of(SECRET), AT, TOLERANCE));
    }

    @Test
    void whatWasChangedIsForged() {
        assertEquals(Verdict.FORGED, verify("msg_other", "1614265330", SIGNATURE));
        assertEquals(Verdict.FORGED, verify(ID, "1614265331", SIGNATURE));
        assertEquals(Verdict.FORGED, verify(ID, "1614265330", SIGNATURE.replace("g0hM", "g0hN")));
        assertEquals(Verdict.FORGED, verify(ID, "1614265330", "v1,AAAA"));
        assertEquals(
                Verdict.FORGED,
                WebhookSignature.verify(
                        headers(ID, "1614265330", SIGNATURE), new byte[0], List.of(SECRET), AT, TOLERANCE));
        assertEquals(
                Verdict.FORGED,
                WebhookSignature.verify(headers(ID, "1614265330", SIGNATURE), BODY, List.of(), AT, TOLERANCE));
    }

    @Test
    void theTimeHasToBeNear() {
        List<HttpHeader> headers = headers(ID, "1614265330", SIGNATURE);
        List<WebhookSecret> secrets = List.of(SECRET);

        assertEquals(Verdict.GENUINE, WebhookSignature.verify(headers, BODY, secrets, AT.plusSeconds(300), TOLERANCE));
        assertEquals(Verdict.GENUINE, WebhookSignature.verify(headers, BODY, secrets, AT.minusSeconds(300), TOLERANCE));
        assertEquals(
                Verdict.OUT_OF_TIME, WebhookSignature.verify(headers, BODY, secrets, AT.plusSeconds(301), TOLERANCE));
        assertEquals(
                Verdict.OUT_OF_TIME, WebhookSignature.verify(headers, BODY, secrets, AT.minusSeconds(301), TOLERANCE));
    }

    @Test
    void whatCantBeReadIsMalformed() {
        assertEquals(Verdict.MALFORMED, verify(List.of()));
        assertEquals(
                Verdict.MALFORMED, verify(headers(ID, "1614265330", SIGNATURE).subList(0, 2)));
        List<HttpHeader> twice = new ArrayList<>(headers(ID, "1614265330", SIGNATURE));
        twice.add(HttpHeader.of("webhook-id", "msg_other"));
        assertEquals(Verdict.MALFORMED, verify(twice));
        assertEquals(Verdict.MALFORMED, verify(ID, "", SIGNATURE));
        assertEquals(Verdict.MALFORMED, verify(ID, "-1614265330", SIGNATURE));
        assertEquals(Verdict.MALFORMED, verify(ID, "99999999999999999999", SIGNATURE));
        assertEquals(Verdict.MALFORMED, verify(ID, "1614265330", ""));
        assertEquals(Verdict.MALFORMED, verify(ID, "1614265330", "v2,AAAA"));
        assertEquals(Verdict.MALFORMED, verify(ID, "1614265330", "v1,%%%"));
    }

    @Test
    void otherVersionsAndUnreadableOnesAreSkipped() {
        assertEquals(Verdict.GENUINE, verify(ID, "1614265330", "v1a,AAAA v1,%%% v1,AAAA " + SIGNATURE));
    }

    @Test
    void signaturesWithoutEndAreNotLookedAt() {
        String many = String.join(" ", Collections.nCopies(10_000, "v1,AAAA")) + " " + SIGNATURE;

        assertEquals(Verdict.FORGED, verify(ID, "1614265330", many));
    }

    @Test
    void anIdWithADotWouldLetTheBodyBeCutElsewhere() {
        List<WebhookSecret> secrets = List.of(SECRET);
        assertThrows(IllegalArgumentException.class, () -> WebhookSignature.sign("a.b", AT, BODY, secrets));

        String signature = WebhookSignature.sign(
                        "a", Instant.ofEpochSecond(1), "1614265330.rest".getBytes(UTF_8), secrets)
                .getLast()
                .value();
        assertEquals(
                Verdict.MALFORMED,
                WebhookSignature.verify(
                        headers("a.1", "1614265330", signature), "rest".getBytes(UTF_8), secrets, AT, TOLERANCE));
    }

    @Test
    void secretsAreReadGeneratedAndNotTold() {
        WebhookSecret secret = WebhookSecret.generate();

        assertNotEquals(secret.text(), WebhookSecret.generate().text());
        assertEquals(secret.text(), WebhookSecret.parse(secret.text()).text());
        assertTrue(secret.text().startsWith("whsec_"));
        assertFalse(secret.toString().contains(secret.text().substring(6)));
        for (String text : new String[] {"", "whsec_", "whsec_%%%", "whsec_AAAA", "whsec_" + "AAAA".repeat(30)}) {
            assertThrows(IllegalArgumentException.class, () -> WebhookSecret.parse(text), text);
        }
    }
}
