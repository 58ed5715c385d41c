package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.node.CannotStartException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Callers with tokens of an issuer, over HTTP: each is of its tenant, may what its scopes say, and never more. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JwtTest {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final String ALL = "workflows:read workflows:manage workflows:execute executions:read"
            + " executions:control tasks:read tasks:write signals:write control:tenant metrics:read control:system public x";
    private static final String ECHO = """
            {"id": "echo", "displayName": "echo", "startNode": "a",
             "nodes": [{"id": "a", "actionType": "core.echo", "parameters": {"said": "hello"}}]}""";

    private TokenIssuer issuer;
    private RestFixture rest;

    @BeforeAll
    void open() throws Exception {
        issuer = new TokenIssuer();
        rest = new RestFixture(issuer.settings("http.token", SECRET));
        for (String tenant : new String[] {"acme", "globex"}) {
            String[] admin = issuer.bearer("admin", tenant, ALL);
            assertEquals(201, rest.post("/api/v1/workflows", ECHO, admin).status());
            assertEquals(
                    200, rest.post("/api/v1/workflows/echo/publish", "", admin).status());
        }
    }

    @AfterAll
    void close() {
        rest.close();
        issuer.close();
    }

    private Answer execute(String body, String... headers) throws Exception {
        return rest.post("/api/v1/workflows/echo/execute", body, headers);
    }

    private static String[] and(String[] headers, String... more) {
        return Stream.concat(Stream.of(headers), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void whatOneTenantDoesAnotherDoesNotSee() throws Exception {
        String[] acme = issuer.bearer("ann", "acme", ALL);
        String[] globex = issuer.bearer("ann", "globex", ALL);
        Answer started = execute("", acme);
        assertEquals(202, started.status(), started::toString);
        String path = "/api/v1/executions/" + started.text("/executionId");

        assertEquals("user:ann", rest.get(path + "?include=events", acme).text("/events/items/0/actor"));
        Answer foreign = rest.get(path, globex);
        assertEquals(404, foreign.status(), foreign::toString);
        assertEquals(
                404,
                rest.post(path + "/cancel", "{\"reason\": \"mine\"}", globex).status());
        String list = rest.get("/api/v1/executions", globex).response().body();
        assertFalse(list.contains(started.text("/executionId")), list);
    }

    /** Entity tags are alike in all tenants: without it a cache of two would show one the other's workflow. */
    @Test
    void whoKeepsAnAnswerKeepsItForItsTokenOnly() throws Exception {
        Answer shown = rest.get("/api/v1/workflows/echo", issuer.bearer("ann", "acme", ALL));
        assertEquals(200, shown.status(), shown::toString);
        assertEquals("private, no-cache", shown.header("Cache-Control").orElseThrow());
        assertEquals("Authorization, Flowstone-Tenant", shown.header("Vary").orElseThrow());
        String tag = shown.header("ETag").orElseThrow();
        Answer same = rest.get("/api/v1/workflows/echo", and(issuer.bearer("ann", "acme", ALL), "If-None-Match", tag));
        assertEquals(304, same.status());
        assertEquals("Authorization, Flowstone-Tenant", same.header("Vary").orElseThrow());
    }

    @Test
    void aTokenIsForItsTenantWhateverHeadersAndBodySay() throws Exception {
        String[] acme = issuer.bearer("ann", "acme", ALL);

        assertEquals(
                200,
                rest.get("/api/v1/workflows", and(acme, "Flowstone-Tenant", "acme"))
                        .status());
        Answer foreign = rest.get("/api/v1/workflows", and(acme, "Flowstone-Tenant", "globex"));
        assertEquals(403, foreign.status(), foreign::toString);
        assertEquals("FORBIDDEN", foreign.text("/code"));
        assertEquals(
                403,
                rest.get("/api/v1/workflows", and(acme, "Flowstone-Principal", "user:root"))
                        .status());
        assertEquals(
                403,
                rest.get("/api/v1/workflows", and(acme, "Flowstone-Roles", "admin"))
                        .status());
        Answer body = execute("{\"tenantId\": \"globex\"}", acme);
        assertEquals(403, body.status());
        assertTrue(body.text("/detail").endsWith("leave tenantId out"), body::toString);
    }

    @Test
    void whatTheScopesDoNotSayIsForbidden() throws Exception {
        String[] reader = issuer.bearer("ann", "acme", "workflows:read executions:read");

        assertEquals(200, rest.get("/api/v1/workflows/echo", reader).status());
        Answer refused = execute("", reader);
        assertEquals(403, refused.status());
        assertTrue(refused.text("/detail").contains("workflows:execute"), refused::toString);
        assertEquals(403, rest.post("/api/v1/workflows", ECHO, reader).status());
        assertEquals(
                202,
                execute("", issuer.bearer("bob", "acme", "workflows:execute")).status());
        assertEquals(
                403,
                rest.get("/api/v1/workflows", issuer.bearer("bob", "acme", "workflows:execute"))
                        .status());
        assertEquals(
                403,
                rest.get("/api/v1/workflows", issuer.bearer("bob", "acme", "")).status());
    }

    @Test
    void noTokenOfATenantRunsTheInstallation() throws Exception {
        String[] all = issuer.bearer("ann", "acme", ALL);

        for (String path : new String[] {"/metrics", "/health", "/api/v1/cluster", "/api/v1/system/skew"}) {
            assertEquals(403, rest.get(path, all).status(), path);
        }
        assertEquals(
                403,
                rest.post("/api/v1/control/suspend", "{\"scope\": \"system\", \"reason\": \"mine\"}", all)
                        .status());
    }

    @Test
    void whoHasTheSecretStillDoes() throws Exception {
        String[] operator = TokenIssuer.bearer(SECRET);

        assertEquals(200, rest.get("/metrics", operator).status());
        assertEquals(
                200,
                rest.get("/api/v1/workflows/echo", and(operator, "Flowstone-Tenant", "globex"))
                        .status());
        assertEquals(401, rest.get("/metrics", TokenIssuer.bearer(SECRET + "0")).status());
    }

    @Test
    void whatIsPublicStaysPublic() throws Exception {
        for (String path : new String[] {"/health/live", "/health/ready", "/api/v1"}) {
            assertEquals(200, rest.get(path).status(), path);
            assertEquals(200, rest.get(path, TokenIssuer.bearer("rubbish")).status(), path);
        }
    }

    @Test
    void eachKindOfBadTokenIsRefusedAndNothingIsDone() throws Exception {
        String good = issuer.signed(TokenIssuer.HEADER, TokenIssuer.claims("ann", "acme", ALL, ""));
        String[] parts = good.split("\\.", -1);
        String none = TokenIssuer.base64("{\"alg\":\"none\"}") + "." + parts[1] + ".";
        String claims = TokenIssuer.claims("ann", "acme", ALL, "");
        String hs = TokenIssuer.base64("{\"alg\":\"HS256\",\"kid\":\"k1\"}") + "." + TokenIssuer.base64(claims);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(issuer.publicKey(), "HmacSHA256"));
        String confused = hs + "." + TokenIssuer.base64(mac.doFinal(hs.getBytes(StandardCharsets.US_ASCII)));
        Map<String, String> bad = new LinkedHashMap<>();
        bad.put(none, "TOKEN_INVALID");
        bad.put(confused, "TOKEN_INVALID");
        bad.put(parts[0] + "." + parts[1] + ".", "TOKEN_INVALID");
        bad.put(
                parts[0] + "." + TokenIssuer.base64(claims.replace("acme", "globex")) + "." + parts[2],
                "TOKEN_INVALID");
        bad.put("rubbish", "TOKEN_INVALID");
        bad.put(signed("{\"alg\":\"RS256\",\"kid\":\"k2\"}", claims), "TOKEN_INVALID");
        bad.put(signed("{\"alg\":\"RS256\",\"kid\":\"k1\",\"crit\":[\"x\"],\"x\":1}", claims), "TOKEN_INVALID");
        bad.put(signed("{\"alg\":\"RS256\",\"kid\":\"k1\",\"jku\":\"" + issuer.url() + "\"}", claims), "TOKEN_INVALID");
        bad.put(signed(TokenIssuer.HEADER, claims.replaceFirst("\"exp\":[0-9]+", "\"exp\":1")), "TOKEN_EXPIRED");
        bad.put(
                signed(TokenIssuer.HEADER, claims.replace("\"exp\"", "\"nbf\":9999999999,\"exp\"")),
                "TOKEN_NOT_YET_VALID");
        bad.put(signed(TokenIssuer.HEADER, claims.replace("login.example", "evil.example")), "TOKEN_WRONG_ISSUER");
        bad.put(signed(TokenIssuer.HEADER, claims.replace("[\"flowstone\"]", "\"x\"")), "TOKEN_WRONG_AUDIENCE");
        bad.put(signed(TokenIssuer.HEADER, claims.replace("tenant_id", "tenant")), "TOKEN_WITHOUT_TENANT");
        bad.put(signed(TokenIssuer.HEADER, TokenIssuer.claims("ann", "a/../b", ALL, "")), "TOKEN_WITHOUT_TENANT");
        bad.put(signed(TokenIssuer.HEADER, TokenIssuer.claims("a", "acme", "x".repeat(9_000), "")), "TOKEN_TOO_LARGE");
        try (TokenIssuer other = new TokenIssuer()) {
            bad.put(other.signed(TokenIssuer.HEADER, claims), "TOKEN_INVALID");
        }

        for (Map.Entry<String, String> each : bad.entrySet()) {
            Answer answer = execute("", TokenIssuer.bearer(each.getKey()));
            assertEquals(401, answer.status(), () -> each.getValue() + " " + answer);
            assertEquals("UNAUTHENTICATED", answer.text("/code"));
            assertTrue(answer.text("/detail").startsWith(each.getValue() + ": "), answer::toString);
            String challenge = answer.header("WWW-Authenticate").orElse("");
            assertTrue(challenge.startsWith("Bearer ") && challenge.contains("invalid_token"), challenge);
            assertFalse(answer.response().body().contains(each.getKey()), "a token is never shown");
        }
        assertEquals(401, execute("").status());
        assertEquals(401, execute("", "Authorization", "Basic " + good).status());
    }

    private String signed(String header, String claims) {
        return issuer.signed(header, claims);
    }

    @Test
    void whoStartsIsRecordedAsTheIssuerCallsThem() throws Exception {
        String named = ",\"name\":\"Ann\",\"email\":\"ann@acme.example\"";
        String[] ann = TokenIssuer.bearer(signed(TokenIssuer.HEADER, TokenIssuer.claims("ann", "acme", ALL, named)));
        String[] service = TokenIssuer.bearer(
                signed(TokenIssuer.HEADER, TokenIssuer.claims("app", "acme", ALL, ",\"gty\":\"client-credentials\"")));

        Answer own = execute("{\"principal\": {\"userId\": \"ann\", \"displayName\": \"The Boss\"}}", ann);
        Answer shown = rest.get("/api/v1/executions/" + own.text("/executionId"), ann);
        assertEquals("ann", shown.text("/principal/userId"), shown::toString);
        assertEquals("Ann", shown.text("/principal/displayName"));
        assertEquals("ann@acme.example", shown.text("/principal/email"));

        Answer foreign = execute("{\"principal\": {\"userId\": \"bob\", \"displayName\": \"Ann\"}}", ann);
        assertEquals(403, foreign.status(), foreign::toString);
        for (String nobody : List.of("system", "anonymous")) {
            assertEquals(
                    403,
                    execute("{\"principal\": {\"userId\": \"" + nobody + "\"}}", service)
                            .status());
        }
        Answer onBehalf = execute("{\"principal\": {\"userId\": \"bob\"}}", service);
        assertEquals(202, onBehalf.status(), onBehalf::toString);
        Answer bobs = rest.get("/api/v1/executions/" + onBehalf.text("/executionId"), service);
        assertEquals("bob", bobs.text("/principal/userId"));
        Answer services = execute("", service);
        assertEquals(
                "service:app",
                rest.get("/api/v1/executions/" + services.text("/executionId") + "?include=events", service)
                        .text("/events/items/0/actor"));
    }

    /** A user says nothing of who they are that the issuer doesn't: there would be nothing to hold it against. */
    @Test
    void whatATokenDoesNotSayOfAUserNobodyDoes() throws Exception {
        String[] ann = issuer.bearer("ann", "acme", ALL);
        for (String body : List.of(
                "{\"principal\": {\"userId\": \"ann\", \"displayName\": \"The Boss\", \"email\": \"boss@acme.example\"}}",
                "{\"principal\": {\"displayName\": \"The Boss\", \"email\": \"boss@acme.example\"}}")) {
            Answer own = execute(body, ann);
            assertEquals(202, own.status(), own::toString);
            Answer shown = rest.get("/api/v1/executions/" + own.text("/executionId"), ann);
            assertEquals("ann", shown.text("/principal/userId"), shown::toString);
            assertFalse(shown.response().body().contains("oss"), shown::toString);
        }
    }

    @Test
    void anIdempotencyKeyIsItsTenants() throws Exception {
        String[] acme = and(issuer.bearer("ann", "acme", ALL), "Idempotency-Key", "the-same");
        String[] globex = and(issuer.bearer("ann", "globex", ALL), "Idempotency-Key", "the-same");

        Answer first = execute("", acme);
        Answer other = execute("", globex);
        Answer again = execute("", acme);

        assertEquals(202, first.status(), first::toString);
        assertEquals(202, other.status(), other::toString);
        assertEquals(200, again.status(), again::toString);
        assertEquals(first.text("/executionId"), again.text("/executionId"));
        assertNotEquals(first.text("/executionId"), other.text("/executionId"));
        assertEquals(
                404,
                rest.get("/api/v1/executions/" + first.text("/executionId"), globex)
                        .status());
    }

    @Test
    void aStreamOfEventsEndsWithItsTokenAndGoesOnWithANewOne() throws Exception {
        String events = "workflows:execute events:read";
        Answer first = rest.get("/api/v1/events", TokenIssuer.bearer(soonOver(events)));
        assertEquals(200, first.status(), first::toString);
        String text = first.response().body();
        assertTrue(text.endsWith(": the token is no longer good; come back with a new one\n\n"), text);
        String place =
                text.substring(text.lastIndexOf("id: ") + 4).lines().findFirst().orElseThrow();

        Answer started = execute("", issuer.bearer("ann", "acme", events));
        Answer second = rest.get("/api/v1/events", and(TokenIssuer.bearer(soonOver(events)), "Last-Event-ID", place));
        assertTrue(second.response().body().contains(started.text("/executionId")), second::toString);
    }

    /** One that is good for some five seconds more, since clocks may differ. */
    private String soonOver(String scopes) {
        long over = Instant.now().getEpochSecond() - 54;
        return signed(
                TokenIssuer.HEADER,
                TokenIssuer.claims("ann", "acme", scopes, "").replaceFirst("\"exp\":[0-9]+", "\"exp\":" + over));
    }

    @Test
    void looselyTokensAreTakenAndNotAskedFor() throws Exception {
        try (RestFixture loose = new RestFixture(issuer.settings("auth.loose", "true"))) {
            assertEquals(200, loose.get("/metrics").status());
            assertEquals(
                    200,
                    loose.get("/api/v1/workflows", issuer.bearer("a", "acme", ALL))
                            .status());
            assertEquals(
                    403, loose.get("/metrics", issuer.bearer("a", "acme", ALL)).status());
            assertEquals(
                    401, loose.get("/metrics", TokenIssuer.bearer("rubbish")).status());
        }
    }

    @Test
    void aStartMayHaveToSayForWhom() throws Exception {
        try (RestFixture strict = new RestFixture(Map.of("auth.requirePrincipal", "true"))) {
            strict.publish(ECHO);
            Answer nobody = strict.post("/api/v1/workflows/echo/execute", "");
            assertEquals(400, nobody.status());
            assertTrue(nobody.text("/detail").contains("principal.userId"), nobody::toString);
            assertEquals(
                    202,
                    strict.post("/api/v1/workflows/echo/execute", "{\"principal\": {\"userId\": \"U1\"}}")
                            .status());
            assertEquals(
                    202,
                    strict.post("/api/v1/workflows/echo/execute", "", "Flowstone-Principal", "service:nightly")
                            .status());
        }
    }

    @Test
    void withoutTheIssuersKeysCallersAreToldToComeAgain() throws Exception {
        try (TokenIssuer away = new TokenIssuer()) {
            away.status.set(500);
            try (RestFixture server = new RestFixture(away.settings())) {
                Answer answer = server.get("/api/v1/workflows", away.bearer("ann", "acme", ALL));
                assertEquals(503, answer.status(), answer::toString);
                assertEquals("KEYS_UNAVAILABLE", answer.text("/code"));
                assertEquals("30", answer.header("Retry-After").orElse(""));
                assertEquals(200, server.get("/health/ready").status());
            }
        }
    }

    @Test
    void keysMayLieInAFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("keys.json");
        Map<String, String> settings = issuer.settings("auth.jwt.keys", file.toString());
        CannotStartException missing = assertThrows(CannotStartException.class, () -> new RestFixture(settings));
        assertTrue(String.valueOf(missing.getMessage()).startsWith("auth.jwt.keys: "), missing::getMessage);

        Files.writeString(file, issuer.jwks());
        try (RestFixture server = new RestFixture(settings)) {
            Answer answer = server.get("/api/v1/workflows", issuer.bearer("ann", "acme", ALL));
            assertEquals(JsonArray.EMPTY, answer.at("/items"), answer::toString);
        }
    }

    @Test
    void withoutAWayToTellWhoCallsItDoesNotStart() {
        CannotStartException refused =
                assertThrows(CannotStartException.class, () -> new RestFixture(Map.of("auth.loose", "false")));

        assertTrue(
                String.valueOf(refused.getMessage()).startsWith("AUTH_NOT_CONFIGURED: auth.loose=false"),
                refused::getMessage);
    }
}
