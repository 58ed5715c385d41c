package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.testkit.token.Issuer;
import dev.flowstone.testkit.token.TokenAttack;
import dev.flowstone.testkit.token.TokenAttacks;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens that the issuer has signed and that are refused over HTTP for what else they say, or for how they are sent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenAttackTest {
    private static final String READ = "workflows:read";
    private static final String PATH = "/api/v1/workflows";

    /** What no header can hold. */
    private static final Set<String> UNSENT = Set.of("garbage", "a megabyte");

    private TokenIssuer issuer;
    private RestFixture rest;

    @BeforeAll
    void open() throws Exception {
        issuer = new TokenIssuer();
        rest = new RestFixture(issuer.settings());
    }

    @AfterAll
    void close() {
        rest.close();
        issuer.close();
    }

    private static String claims() {
        return TokenIssuer.claims("ann", "acme", READ, "");
    }

    private void refused(String header, String claims, String word) throws Exception {
        Answer answer = rest.get(PATH, TokenIssuer.bearer(issuer.signed(header, claims)));
        assertEquals(401, answer.status(), () -> header + claims + " " + answer);
        assertTrue(answer.text("/detail").startsWith(word + ": "), answer::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"alg\":\"none\",\"alg\":\"RS256\",\"kid\":\"k1\"",
                "\"alg\":\"RS256\",\"kid\":\"k1\",\"kid\":\"k1\"",
                "\"alg\":\"RS256\",\"kid\":\"k1\",\"b64\":true",
                "\"alg\":\"RS256\",\"kid\":\"k1\",\"b64\":false,\"crit\":[\"b64\"]",
                "\"alg\":\"RS256\",\"kid\":\"../../../../dev/null\"",
                "\"alg\":\"RS256\",\"kid\":\"k1' OR '1'='1\"",
                "\"alg\":\"RS256\",\"kid\":\"k1\\u0000\"",
                "\"alg\":\"RS256\",\"kid\":\"http://127.0.0.1/jwks\"",
                "\"alg\":\"ES256\",\"kid\":\"k1\"",
                "\"alg\":\"PS256\",\"kid\":\"k1\"",
                "\"alg\":\"EdDSA\",\"kid\":\"k1\"",
                "\"alg\":\"HS256\",\"kid\":\"k1\"",
                "\"alg\":\"none\",\"kid\":\"k1\"",
                "\"alg\":\"rs256\",\"kid\":\"k1\"",
                "\"alg\":[\"RS256\"],\"kid\":\"k1\""
            })
    void aHeaderThatChoosesOrIsReadInTwoWays(String members) throws Exception {
        refused("{" + members + "}", claims(), "TOKEN_INVALID");
    }

    /** One of each algorithm is let in, so that they are not refused for whatever the server can't do. */
    @Test
    void everyAttackAsAWholeTokenIsRefusedForItsReason() throws Exception {
        Issuer good = new Issuer();
        try (HttpPeer keys = new HttpPeer(_ -> HttpPeer.Reply.json(good.jwks()));
                RestFixture server = new RestFixture(issuer.settings("auth.jwt.keys", keys.url("/jwks")))) {
            String claims = Issuer.claims(Instant.now(), ",\"scope\":\"" + READ + "\"");
            Map<String, Issuer.Signer> signers = Map.of(
                    "\"RS256\",\"kid\":\"rsa\"", good::rs256,
                    "\"PS256\",\"kid\":\"rsa\"", good::ps256,
                    "\"ES256\",\"kid\":\"ec\"", good::es256,
                    "\"EdDSA\",\"kid\":\"ed\"", good::eddsa);
            for (Map.Entry<String, Issuer.Signer> signer : signers.entrySet()) {
                String token = Issuer.token("{\"alg\":" + signer.getKey() + "}", claims, signer.getValue());
                Answer answer = server.get(PATH, TokenIssuer.bearer(token));
                assertEquals(200, answer.status(), () -> signer.getKey() + " " + answer);
            }
            for (TokenAttack attack : TokenAttacks.of(good, new Issuer(), Instant.now())) {
                if (UNSENT.contains(attack.name())) {
                    continue;
                }
                Answer answer = server.get(PATH, TokenIssuer.bearer(attack.token()));
                assertEquals(401, answer.status(), () -> attack + ": " + answer);
                assertTrue(answer.text("/detail").startsWith(attack.refusal() + ": "), () -> attack + ": " + answer);
            }
        }
    }

    @Test
    void claimsThatAreReadInTwoWays() throws Exception {
        refused(TokenIssuer.HEADER, claims().replaceFirst("\\{", "{\"tenant_id\":\"globex\","), "TOKEN_INVALID");
        refused(TokenIssuer.HEADER, claims().replaceFirst("\\{", "{\"\\\\u0073ub\":\"root\","), "TOKEN_INVALID");
    }

    private static String until(String exp) {
        return claims().replaceFirst("\"exp\":[0-9]+", "\"exp\":" + exp);
    }

    @Test
    void anExpiryIsANumber() throws Exception {
        for (String exp : new String[] {"\"9999999999\"", "true", "null", "[9999999999]", "1e30", "-1"}) {
            refused(TokenIssuer.HEADER, until(exp), "TOKEN_INVALID");
        }
        refused(TokenIssuer.HEADER, until("1.5"), "TOKEN_EXPIRED");
        refused(TokenIssuer.HEADER, until("1e9"), "TOKEN_EXPIRED");
        assertEquals(
                200,
                rest.get(PATH, TokenIssuer.bearer(issuer.signed(TokenIssuer.HEADER, until("9999999999.5"))))
                        .status(),
                "RFC 7519 allows parts of a second");
    }

    private HttpResponse<String> sent(String... authorizations) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + rest.port() + PATH));
        for (String authorization : authorizations) {
            request.header("Authorization", authorization);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    @Test
    void oneTokenIsSentAndInOneWay() throws Exception {
        String good = issuer.bearer("ann", "acme", READ)[1];
        String other = issuer.bearer("ann", "globex", READ)[1];
        assertEquals(200, sent(good).statusCode());

        assertEquals(400, sent(good, other).statusCode());
        assertEquals(400, sent(good, good).statusCode());
        assertEquals(401, sent(good + ", " + other).statusCode());
        assertEquals(401, sent(good + "," + good).statusCode());
        String token = good.substring("Bearer ".length());
        assertEquals(401, rest.get(PATH + "?access_token=" + token).status());
        assertEquals(
                400,
                rest.get(PATH + "?access_token=" + token, "Authorization", good).status());
        assertEquals(401, rest.get(PATH, "Cookie", "access_token=" + token).status());
        assertEquals(401, sent(token).statusCode());
    }

    private static int withKeys(TokenIssuer from, Map<String, String> settings) throws Exception {
        try (RestFixture server = new RestFixture(settings)) {
            return server.get(PATH, from.bearer("ann", "acme", READ)).status();
        }
    }

    @Test
    void keysAreNotFetchedFromWhereTheIssuerSendsUs() throws Exception {
        try (TokenIssuer away = new TokenIssuer(
                _ -> Optional.of(new HttpPeer.Reply(302, Map.of("Location", TokenIssuer.ELSEWHERE), "")))) {
            assertEquals(503, withKeys(away, away.settings()));
        }
    }

    @Test
    void aSetOfKeysThatIsTooLargeIsNone() throws Exception {
        try (TokenIssuer large =
                new TokenIssuer(keys -> Optional.of(HttpPeer.Reply.json(keys + " ".repeat(300 << 10))))) {
            assertEquals(503, withKeys(large, large.settings()));
        }
        assertEquals(200, withKeys(issuer, issuer.settings("outbound.maxResponseBytes", "100")), "that is for others");
    }

    @Test
    void whoWaitsForKeysWaitsNotLong() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (TokenIssuer slow = new TokenIssuer(keys -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Optional.of(HttpPeer.Reply.json(keys));
        })) {
            long begun = System.nanoTime();
            int status = withKeys(slow, slow.settings("outbound.timeout", "500ms"));
            long seconds = (System.nanoTime() - begun) / 1_000_000_000L;
            end.countDown();

            assertEquals(503, status);
            assertTrue(seconds < 30, "after " + seconds + " s");
        }
    }
}
