package dev.flowstone.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Sources;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is asked for a token, by where a server listens and by what is set. */
final class AuthenticationTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress ANY = InetAddress.ofLiteral("0.0.0.0");

    private static FlowstoneConfig.Http config(Map<String, String> settings) throws Exception {
        return FlowstoneConfig.of(Sources.of(settings, Map.of(), Optional.empty()))
                .http();
    }

    private static Map<String, String> jwt(String... more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "auth.jwt.issuer", "https://login.example/",
                "auth.jwt.audience", "flowstone",
                "auth.jwt.keys", "http://127.0.0.1:1/jwks"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    private static boolean loose(InetAddress address, Map<String, String> settings) throws Exception {
        try (Authentication authentication = Authentication.open(address, config(settings))) {
            return authentication.loose();
        }
    }

    @Test
    void anIssuerIsEnoughToListenElsewhereAndNobodyIsLetInLooselyThere() throws Exception {
        assertEquals(Optional.empty(), Authentication.missing(ANY, config(jwt())));
        assertFalse(loose(ANY, jwt()));
        assertFalse(loose(ANY, jwt("auth.loose", "true")));
        assertTrue(Authentication.missing(ANY, config(Map.of("auth.loose", "true")))
                .orElse("")
                .startsWith("AUTH_NOT_CONFIGURED"));
    }

    @Test
    void withAnIssuerATokenIsAskedForUnlessItIsSaidOtherwise() throws Exception {
        assertTrue(loose(LOOPBACK, Map.of()));
        assertFalse(loose(LOOPBACK, jwt()));
        assertFalse(loose(LOOPBACK, jwt("auth.loose", "false")));
        assertTrue(loose(LOOPBACK, jwt("auth.loose", "true")));
        assertFalse(loose(LOOPBACK, jwt("auth.loose", "true", "http.token", "0123456789abcdef0123456789abcdef")));
    }
}
