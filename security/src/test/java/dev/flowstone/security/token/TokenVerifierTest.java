package dev.flowstone.security.token;

import static dev.flowstone.testkit.token.Issuer.NOW;
import static dev.flowstone.testkit.token.Issuer.claims;
import static dev.flowstone.testkit.token.Issuer.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.testkit.token.Issuer;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a good token is, and what it says. */
final class TokenVerifierTest {
    private static final Issuer ISSUER = new Issuer();

    private static Token accepted(String token) throws InterruptedException {
        Verdict verdict = Verifiers.of(ISSUER).verify(token);
        assertTrue(verdict instanceof Verdict.Accepted, verdict::toString);
        return ((Verdict.Accepted) verdict).token();
    }

    private static String refused(Refusal refusal, String token) throws InterruptedException {
        Verdict verdict = Verifiers.of(ISSUER).verify(token);
        assertTrue(verdict instanceof Verdict.Refused it && it.refusal() == refusal, verdict::toString);
        return ((Verdict.Refused) verdict).detail();
    }

    @Test
    void eachUsualAlgorithmIsTaken() throws Exception {
        for (Map.Entry<String, Issuer.Signer> way : Map.<String, Issuer.Signer>of(
                        "{\"alg\":\"RS256\",\"kid\":\"rsa\",\"typ\":\"JWT\"}", ISSUER::rs256,
                        "{\"alg\":\"PS256\",\"kid\":\"rsa\",\"typ\":\"at+jwt\"}", ISSUER::ps256,
                        "{\"alg\":\"ES256\",\"kid\":\"ec\",\"typ\":\"application/at+JWT\"}", ISSUER::es256,
                        "{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"x5t\":\"abc\"}", ISSUER::eddsa,
                        "{\"alg\":\"Ed25519\",\"kid\":\"ed\"}", ISSUER::eddsa)
                .entrySet()) {
            Token token = accepted(Issuer.token(way.getKey(), claims(), way.getValue()));
            assertEquals(new Actor("user", "U1"), token.principal(), way.getKey());
        }
    }

    @Test
    void whatIsNotAllowedIsRefusedThoughItIsSignedWell() throws Exception {
        TokenVerifier only = Verifiers.of(ISSUER, rules -> rules.algorithms(Set.of(Algorithm.ES256)));

        assertTrue(only.verify(ISSUER.token(claims())) instanceof Verdict.Refused);
        assertTrue(
                only.verify(Issuer.token("{\"alg\":\"ES256\",\"kid\":\"ec\"}", claims(), ISSUER::es256))
                        instanceof Verdict.Accepted);
    }

    @Test
    void itTellsWhoAndWhat() throws Exception {
        Token token = accepted(ISSUER.token(claims("""
                ,"name":"Ann Ó","email":"ann@acme.example","roles":["legal","Account Manager"],
                "scope":"workflows:read  executions:read","scp":["tasks:read"],"permissions":["signals:write","x y"]
                """)));

        assertEquals(
                new Token(
                        new TenantId("acme"),
                        new Actor("user", "U1"),
                        Optional.of("Ann Ó"),
                        Optional.of("ann@acme.example"),
                        Set.of("legal", "Account Manager"),
                        Set.of("workflows:read", "executions:read", "tasks:read", "signals:write", "x", "y"),
                        NOW.plusSeconds(300).plus(TokenRules.SKEW)),
                token);
    }

    @Test
    void claimsMayBeNamedOtherwiseAndLieInside() throws Exception {
        TokenVerifier verifier = Verifiers.of(
                ISSUER,
                rules -> rules.tenantClaim("https://acme.example/tenant").rolesClaim("realm_access.roles"));

        Verdict verdict = verifier.verify(ISSUER.token(claims("""
                ,"https://acme.example/tenant":"globex","realm_access":{"roles":["legal"]}
                """)));

        assertTrue(
                verdict instanceof Verdict.Accepted(Token token)
                        && token.tenant().value().equals("globex")
                        && token.roles().equals(Set.of("legal")),
                verdict::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                ",\"gty\":\"client-credentials\"; service",
                ",\"idtyp\":\"app\"; service",
                ",\"client_id\":\"U1\"; user",
                ",\"azp\":\"U1\"; user",
                ",\"gty\":null,\"client_id\":null; user",
                ",\"client_id\":\"web\",\"azp\":\"web\",\"gty\":\"password\",\"idtyp\":\"user\"; user"
            })
    void aClientOnItsOwnBehalfIsAService(String more, String kind) throws Exception {
        assertEquals(new Actor(kind, "U1"), accepted(ISSUER.token(claims(more))).principal());
    }

    /** By the client that its issuer names, never by a subject, which a user may have chosen. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                ",\"client_id\":\"nightly\"; service",
                ",\"azp\":\"nightly\"; service",
                ",\"client_id\":\"web\"; user",
                ",\"client_id\":[\"nightly\"]; none",
                "; user"
            })
    void whoeverRunsTheInstallationNamesClientsThatAreServices(String more, String kind) throws Exception {
        TokenVerifier verifier = Verifiers.of(ISSUER, rules -> rules.serviceClients(Set.of("nightly", "U1")));

        Verdict verdict = verifier.verify(ISSUER.token(claims(more == null ? "" : more)));

        String told = verdict instanceof Verdict.Accepted(Token token)
                ? token.principal().kind()
                : "none";
        assertEquals(kind, told, verdict::toString);
    }

    @Test
    void nobodyIsCalledWhatMeansNobodyInParticular() throws Exception {
        for (String name : List.of("system", "anonymous")) {
            refused(Refusal.TOKEN_INVALID, ISSUER.token(claims().replace("\"U1\"", "\"" + name + "\"")));
        }
        accepted(ISSUER.token(claims().replace("\"U1\"", "\"System\"")));
    }

    @Test
    void whatIsNullIsAbsent() throws Exception {
        Token token = accepted(ISSUER.token(
                claims(",\"name\":null,\"email\":null,\"scope\":null,\"scp\":null,\"roles\":null,\"gty\":null")));

        assertEquals(Optional.empty(), token.name());
        assertEquals(Optional.empty(), token.email());
        assertEquals(Set.of(), token.scopes());
        refused(Refusal.TOKEN_INVALID, ISSUER.token(claims(",\"scope\":[null]")));
        refused(Refusal.TOKEN_INVALID, ISSUER.token(claims().replace("\"U1\"", "null")));
        refused(Refusal.TOKEN_INVALID, ISSUER.token(claims(",\"nbf\":null")));
    }

    @Test
    void anAccessTokenMayHaveToSayThatItIsOne() throws Exception {
        TokenVerifier strict = Verifiers.of(ISSUER, rules -> rules.accessTokenType(true));
        for (String type : List.of("", ",\"typ\":\"JWT\"", ",\"typ\":\"id+jwt\"", ",\"typ\":null")) {
            String header = "{\"alg\":\"RS256\",\"kid\":\"rsa\"" + type + "}";
            assertTrue(
                    strict.verify(Issuer.token(header, claims(), ISSUER::rs256)) instanceof Verdict.Refused it
                            && it.detail().contains("at+jwt"),
                    header);
        }
        for (String type : List.of("at+jwt", "application/AT+jwt")) {
            String header = "{\"alg\":\"RS256\",\"kid\":\"rsa\",\"typ\":\"" + type + "\"}";
            assertTrue(
                    strict.verify(Issuer.token(header, claims(), ISSUER::rs256)) instanceof Verdict.Accepted, header);
        }
    }

    @Test
    void itIsGoodUntilItIsRefused() throws Exception {
        Token token = accepted(ISSUER.token(claims()));
        TokenVerifier then = new TokenVerifier(
                Verifiers.rules().build(), JwkSource.of(() -> utf8(ISSUER.jwks())), InstantSource.fixed(token.until()));
        TokenVerifier before = new TokenVerifier(
                Verifiers.rules().build(),
                JwkSource.of(() -> utf8(ISSUER.jwks())),
                InstantSource.fixed(token.until().minusMillis(1)));

        assertTrue(then.verify(ISSUER.token(claims())) instanceof Verdict.Refused);
        assertTrue(before.verify(ISSUER.token(claims())) instanceof Verdict.Accepted);
    }

    @Test
    void clocksMayDifferByAMinute() throws Exception {
        long now = NOW.getEpochSecond();
        String good = claims().replaceFirst("\"exp\":[0-9]+", "\"exp\":%s,\"nbf\":%s,\"iat\":%s");

        accepted(ISSUER.token(good.formatted(now - 59, now + 60, now + 60)));
        accepted(ISSUER.token(good.formatted((now + 5) + ".25", now + 60, "1.7e9")));
        String expired = refused(Refusal.TOKEN_EXPIRED, ISSUER.token(good.formatted(now - 60, now, now)));
        assertTrue(expired.contains("2026-03-01T11:59:00Z"), expired);
        refused(Refusal.TOKEN_NOT_YET_VALID, ISSUER.token(good.formatted(now + 300, now + 61, now)));
        refused(Refusal.TOKEN_NOT_YET_VALID, ISSUER.token(good.formatted(now + 300, now, now + 61)));
    }

    @Test
    void audienceMayBeOneOfSeveral() throws Exception {
        accepted(ISSUER.token(claims().replace("\"flowstone\"", "[\"other\",\"flowstone\"]")));
        refused(Refusal.TOKEN_WRONG_AUDIENCE, ISSUER.token(claims().replace("\"flowstone\"", "[\"other\"]")));
    }

    /** Without a name there must be no choice. */
    @Test
    void withoutAKidTheOnlyKeyThatFitsIsTaken() throws Exception {
        accepted(Issuer.token("{\"alg\":\"ES256\"}", claims(), ISSUER::es256));

        String two = Issuer.set(Issuer.jwk(ISSUER.rsa(), ""), Issuer.jwk(new Issuer().rsa(), ",\"kid\":\"b\""));
        TokenVerifier verifier =
                new TokenVerifier(Verifiers.rules().build(), JwkSource.of(() -> utf8(two)), InstantSource.fixed(NOW));
        assertTrue(
                verifier.verify(Issuer.token("{\"alg\":\"RS256\"}", claims(), ISSUER::rs256))
                        instanceof Verdict.Refused);
    }

    @Test
    void twoKeysOfOneNameAndKindAreNone() throws Exception {
        String two = Issuer.set(
                Issuer.jwk(ISSUER.rsa(), ",\"kid\":\"rsa\""),
                Issuer.jwk(new Issuer().rsa(), ",\"kid\":\"rsa\""),
                Issuer.jwk(ISSUER.ec(), ",\"kid\":\"rsa\""));
        TokenVerifier verifier =
                new TokenVerifier(Verifiers.rules().build(), JwkSource.of(() -> utf8(two)), InstantSource.fixed(NOW));

        assertTrue(verifier.verify(ISSUER.token(claims())) instanceof Verdict.Refused);
        assertTrue(
                verifier.verify(Issuer.token("{\"alg\":\"ES256\",\"kid\":\"rsa\"}", claims(), ISSUER::es256))
                        instanceof Verdict.Accepted);
    }

    @Test
    void withoutKeysNobodyCanSay() throws Exception {
        TokenVerifier verifier = new TokenVerifier(
                Verifiers.rules().build(),
                JwkSource.of(() -> {
                    throw new IOException("away");
                }),
                InstantSource.fixed(NOW));

        assertEquals(new Verdict.Undecided(), verifier.verify(ISSUER.token(claims())));
        assertTrue(verifier.verify("x") instanceof Verdict.Refused, "what is no token is none without keys, too");
    }

    /** Whatever is wrong with key or signature, the answer is one and the same. */
    @Test
    void nothingIsSaidOfKeys() throws Exception {
        Issuer other = new Issuer();
        List<String> all = List.of(
                refused(Refusal.TOKEN_INVALID, other.token(claims())),
                refused(
                        Refusal.TOKEN_INVALID,
                        Issuer.token("{\"alg\":\"RS256\",\"kid\":\"no\"}", claims(), other::rs256)),
                refused(
                        Refusal.TOKEN_INVALID,
                        Issuer.token("{\"alg\":\"RS256\",\"kid\":\"ec\"}", claims(), other::rs256)),
                refused(Refusal.TOKEN_INVALID, Issuer.token("{\"alg\":\"RS256\",\"kid\":7}", claims(), other::rs256)));

        assertEquals(1, Set.copyOf(all).size(), all::toString);
    }
}
