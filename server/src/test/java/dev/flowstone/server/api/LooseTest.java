package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.api.RestFixture.Answer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** When a server asks nobody for a token, and whose calls it takes then. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LooseTest {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final List<String> OF_PROXIES = List.of(
            "Forwarded",
            "forwarded",
            "Via",
            "X-Forwarded-For",
            "x-forwarded-host",
            "X-FORWARDED-PROTO",
            "X-Real-IP",
            "X-Client-IP",
            "True-Client-IP",
            "CF-Connecting-IP",
            "X-Original-For",
            "X-Envoy-External-Address");

    private TokenIssuer issuer;

    @BeforeAll
    void open() throws Exception {
        issuer = new TokenIssuer();
    }

    @AfterAll
    void close() {
        issuer.close();
    }

    private Map<String, String> unsaid() {
        Map<String, String> settings = new HashMap<>(issuer.settings());
        settings.remove("auth.loose");
        return settings;
    }

    @Test
    void withAnIssuerATokenIsAskedForUnlessSomebodySaidThatNoneIs() throws Exception {
        try (RestFixture rest = new RestFixture(unsaid())) {
            assertEquals(401, rest.get("/metrics").status());
            assertEquals(401, rest.get("/api/v1/workflows").status());
            assertEquals(
                    200,
                    rest.get("/api/v1/workflows", issuer.bearer("ann", "acme", "workflows:read"))
                            .status());
        }
    }

    @Test
    void whatComesThroughAProxyIsRefusedWhereNoTokenIsAskedFor() throws Exception {
        for (Map<String, String> settings : List.of(Map.<String, String>of(), issuer.settings("auth.loose", "true"))) {
            try (RestFixture rest = new RestFixture(settings)) {
                assertEquals(200, rest.get("/metrics").status());
                for (String header : OF_PROXIES) {
                    Answer refused = rest.get("/metrics", header, "203.0.113.7");
                    assertEquals(403, refused.status(), header);
                    assertEquals("PROXIED", refused.text("/code"));
                    assertTrue(refused.text("/detail").contains("auth.loose=false"), refused::toString);
                    assertEquals(
                            200, rest.get("/health/live", header, "203.0.113.7").status());
                }
            }
        }
    }

    @Test
    void whoShowsATokenMayComeThroughAProxy() throws Exception {
        try (RestFixture rest = new RestFixture(issuer.settings("http.token", SECRET))) {
            for (String header : OF_PROXIES) {
                assertEquals(
                        200,
                        rest.get("/metrics", header, "203.0.113.7", "Authorization", "Bearer " + SECRET)
                                .status());
            }
        }
    }

    private static String answer(RestFixture rest, String... lines) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), rest.port())) {
            String request =
                    "GET /api/v1/workflows HTTP/1.1\r\n" + String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            return String.valueOf(in.readLine());
        }
    }

    @Test
    void aServerThatAsksForTokensHasAnyNameAndNoPageOfOthersCallsIt() throws Exception {
        String token = "Authorization: Bearer " + issuer.bearer("ann", "acme", "workflows:read")[1].substring(7);
        try (RestFixture rest = new RestFixture(unsaid())) {
            assertTrue(answer(rest, "Host: flow.example", token).contains(" 200"));
            assertTrue(answer(rest, "Host: flow.example").contains(" 401"));
            assertTrue(answer(rest, "Host: flow.example", "Origin: http://flow.example", token)
                    .contains(" 200"));
            assertTrue(answer(rest, "Host: flow.example", "Origin: https://evil.example", token)
                    .contains(" 403"));
        }
        try (RestFixture rest = new RestFixture(issuer.settings("auth.loose", "true"))) {
            assertTrue(answer(rest, "Host: flow.example", token).contains(" 421"));
            assertFalse(answer(rest, "Host: localhost", token).contains(" 421"));
        }
    }
}
