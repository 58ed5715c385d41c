package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where tokens are asked for, every operation of the served document but the public ones asks for one, with its scope. */
final class ScopeProbeTest {
    private static TokenIssuer issuer;
    private static RestFixture rest;
    private static JsonObject document = JsonObject.EMPTY;

    @BeforeAll
    static void serve() throws Exception {
        issuer = new TokenIssuer();
        rest = new RestFixture(issuer.settings("http.token", "0123456789abcdef0123456789abcdef"));
        document = rest.get("/api/v1/openapi.json").json();
    }

    @AfterAll
    static void stop() {
        rest.close();
        issuer.close();
    }

    static Stream<Operation> operations() {
        return Operation.of(document).stream();
    }

    private static Answer send(Operation operation, String... headers) throws Exception {
        Optional<String> body = operation.body().map(_ -> "{}");
        return rest.call(operation.method(), operation.at(Map.of()), body, headers);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void withoutATokenThereIsOnlyWhatIsPublic(Operation operation) throws Exception {
        Answer answer = send(operation);

        if (operation.id().equals("receiveWebhook")) {
            assertEquals("SIGNATURE_REFUSED", answer.text("/code"), "a signature is asked for instead");
        } else if (operation.scope().equals("public")) {
            assertTrue(answer.status() != 401 && answer.status() != 403, answer::toString);
        } else {
            assertEquals(401, answer.status(), answer::toString);
        }
    }

    /** Whatever the headers say, at every route: the claim says whose call it is. */
    @ParameterizedTest
    @MethodSource("operations")
    void aTokenIsOfItsTenantWhateverTheHeaderSays(Operation operation) throws Exception {
        if (operation.scope().equals("public")) {
            return;
        }
        String[] ann = issuer.bearer("ann", "acme", operation.scope());
        Answer answer = send(operation, ann[0], ann[1], LoopbackCallers.TENANT, "globex");

        assertEquals(403, answer.status(), answer::toString);
        assertEquals("FORBIDDEN", answer.text("/code"));
        if (!operation.scope().matches("metrics:read|control:system")) {
            assertTrue(answer.text("/detail").contains("tenant"), answer::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void aTokenWithoutTheScopeIsNotEnough(Operation operation) throws Exception {
        if (operation.scope().equals("public")) {
            return;
        }
        // Of those that are left, none is part of another.
        String another = operation.scope().equals("signals:write") ? "policies:read" : "signals:write";
        Answer answer = send(operation, issuer.bearer("ann", "acme", another + " unknown:scope"));

        assertEquals(403, answer.status(), answer::toString);
        assertEquals("FORBIDDEN", answer.text("/code"));
        assertTrue(answer.text("/detail").contains(operation.scope()), answer::toString);
    }
}
