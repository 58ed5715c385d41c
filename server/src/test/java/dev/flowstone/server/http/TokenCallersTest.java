package dev.flowstone.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.security.token.TenantNames;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that asks for a token lets in whoever has it, under whatever name it is reached, and nobody else. */
final class TokenCallersTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    private static Border border(Callers callers, Hosts hosts) {
        Handler whose = call -> Reply.json(
                200, new JsonString(call.tenant() + " " + call.caller().principal()));
        return new Border(
                new Routes(List.of(
                        Route.get("/secret", Scope.METRICS_READ, Set.of(), whose),
                        Route.get("/health", Scope.PUBLIC, Set.of(), whose))),
                callers,
                hosts,
                Watch.NONE,
                Bounds.of(1_000, 10));
    }

    private static Reply get(Hosts hosts, String path, Map<String, List<String>> headers) {
        return get(new TokenCallers(TOKEN, new LoopbackCallers()), hosts, path, headers);
    }

    private static Reply get(Callers callers, Hosts hosts, String path, Map<String, List<String>> headers) {
        return border(callers, hosts)
                .answer(new Request(
                        "GET",
                        path,
                        "",
                        new Headers(name -> headers.getOrDefault(name, List.of()), headers::keySet),
                        OptionalLong.empty(),
                        BodyStream.none()));
    }

    private static Reply get(String path, Map<String, List<String>> headers) {
        return get(Hosts.any(), path, headers);
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ", "bearer ", "BEARER   "})
    void whoHasTheTokenNamesTenantAndPrincipal(String scheme) {
        Reply reply = get(
                "/secret",
                Map.of(
                        "Authorization", List.of(scheme + TOKEN),
                        "Flowstone-Tenant", List.of("acme"),
                        "Flowstone-Principal", List.of("user:ann")));

        assertEquals(200, reply.status(), () -> text(reply));
        assertEquals("\"acme user:ann\"", text(reply));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "Bearer x",
                "Bearer 0123456789abcdef0123456789abcdeF",
                "Bearer 0123456789abcdef0123456789abcdef0",
                "Bearer 0123456789abcdef0123456789abcde",
                "Basic 0123456789abcdef0123456789abcdef",
                "0123456789abcdef0123456789abcdef",
                "Bearer \u00e90123456789abcdef0123456789abcdef"
            })
    void whoHasNotIsToldHowToAndNothingElse(String authorization) {
        Reply reply = get("/secret", Map.of("Authorization", List.of(authorization)));

        assertEquals(401, reply.status());
        assertEquals("Bearer realm=\"flowstone\"", reply.headers().get("WWW-Authenticate"));
        assertTrue(text(reply).contains("\"code\":\"UNAUTHENTICATED\""), () -> text(reply));
        assertFalse(text(reply).contains(TOKEN.substring(0, 8)), () -> text(reply));
    }

    @Test
    void noTokenAndTwoTokensAreRefused() {
        assertEquals(401, get("/secret", Map.of()).status());
        assertEquals(
                400,
                get("/secret", Map.of("Authorization", List.of("Bearer " + TOKEN, "Bearer " + TOKEN)))
                        .status());
    }

    /** A probe has no token, and sees what says nothing of anybody. */
    @Test
    void whatIsPublicTakesNone() {
        assertEquals(200, get("/health", Map.of()).status());
        assertEquals(
                200,
                get("/health", Map.of("Authorization", List.of("Bearer wrong"))).status());
    }

    /** Nobody has proved what a public call says of its caller. */
    @Test
    void whoCallsWhatIsPublicIsNobodyWhateverTheySay() {
        Map<String, List<String>> headers = Map.of(
                "Authorization", List.of("Bearer " + TOKEN),
                "Flowstone-Tenant", List.of("acme"),
                "Flowstone-Principal", List.of("user:root"),
                "Flowstone-Roles", List.of("admin"));
        for (Callers callers : List.of(
                new TokenCallers(TOKEN, new LoopbackCallers()),
                new LooseCallers(new LoopbackCallers()),
                new LoopbackCallers())) {
            Reply reply = get(callers, new Hosts(), "/health", headers);
            assertEquals(200, reply.status());
            assertEquals("\"- user:anonymous\"", text(reply));
        }
        assertEquals(Caller.Standing.TENANT, Caller.ANYBODY.standing());
        assertEquals(Set.of(Scope.PUBLIC), Caller.ANYBODY.scopes());
        assertFalse(TenantNames.isName(Caller.ANYBODY.tenant().value()), "nobody else can be of its tenant");
    }

    @Test
    void itIsReachedUnderAnyNameButNotFromPagesElsewhere() {
        Map<String, List<String>> named =
                Map.of("Host", List.of("flow.example:8443"), "Authorization", List.of("Bearer " + TOKEN));
        assertEquals(200, get("/secret", named).status());
        assertEquals(421, get(new Hosts(), "/secret", named).status());

        for (Map.Entry<String, Integer> origin : Map.of(
                        "https://flow.example:8443", 200,
                        "https://FLOW.example:8443", 200,
                        "http://localhost:3000", 200,
                        "https://evil.example", 403,
                        "https://flow.example:8443.evil.example", 403,
                        "null", 403)
                .entrySet()) {
            Reply reply = get(
                    "/secret",
                    Map.of(
                            "Host", List.of("flow.example:8443"),
                            "Origin", List.of(origin.getKey()),
                            "Authorization", List.of("Bearer " + TOKEN)));
            assertEquals(origin.getValue(), reply.status(), origin::getKey);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "short", "0123456789abcdef0123456789abcde", "0123456789abcdef 0123456789abcdef"})
    void whatIsTooShortOrCannotBeSentIsNoToken(String text) {
        assertThrows(IllegalArgumentException.class, () -> new TokenCallers(text, new LoopbackCallers()));
    }
}
