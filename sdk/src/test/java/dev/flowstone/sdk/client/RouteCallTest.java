package dev.flowstone.sdk.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.sdk.client.PaperApi.Asked;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Calls of routes that no area has a method for. */
final class RouteCallTest {
    private static final String BUSY = PaperApi.problem(503, "BUSY", "retryable", "");

    private final PaperApi server;

    RouteCallTest() throws IOException {
        server = new PaperApi();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void itIsSentAsItIsSaidAndAnsweredAsItIs() {
        server.says(201, "[1, {\"a\": \"ä\"}]", "ETag", "\"r7\"", "X-More", "yes");
        try (FlowstoneClient client = server.client().tenant("acme").build()) {
            RouteAnswer answer = client.call(RouteCall.of("PUT", "/api/v1/policies/" + RouteCall.segment("a b/c"))
                    .asking("dry run", "a&b=ü")
                    .with(JsonNodeFactory.instance.objectNode().put("name", "ü"))
                    .atRevision(6));

            assertEquals(201, answer.status());
            assertEquals("[1,{\"a\":\"ä\"}]", answer.body().toString());
            assertEquals(Optional.of(7L), answer.revision());
            assertEquals(Optional.of("yes"), answer.headers().firstValue("X-More"));
            Asked asked = server.asked().getFirst();
            assertEquals("PUT", asked.method());
            assertEquals("/api/v1/policies/a%20b%2Fc?dry%20run=a%26b%3D%C3%BC", asked.path());
            assertEquals("{\"name\":\"ü\"}", asked.body());
            assertEquals("\"r6\"", asked.header("If-Match"));
            assertEquals("acme", asked.header("Flowstone-Tenant"));
            assertEquals("", asked.header("Idempotency-Key"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, plain, 2",
        "DELETE, plain, 1",
        "DELETE, revision, 2",
        "DELETE, repeatable, 2",
        "POST, plain, 1",
        "PUT, plain, 1",
        "PATCH, plain, 1",
        "POST, keyed, 2",
        "POST, revision, 2",
        "PUT, repeatable, 2"
    })
    void itIsRepeatedWhereTheCallerSaysThatItDoesNoHarm(String method, String how, int attempts) {
        server.says(503, BUSY).says(200, "{}");
        RouteCall plain = RouteCall.of(method, "/api/v1/x");
        RouteCall call = switch (how) {
            case "keyed" -> plain.keyed();
            case "revision" -> plain.atRevision(1);
            case "repeatable" -> plain.repeatable();
            default -> plain;
        };
        try (FlowstoneClient client = server.client().build()) {
            if (attempts == 1) {
                assertEquals(
                        "BUSY",
                        assertThrows(RefusedException.class, () -> client.call(call))
                                .code());
            } else {
                assertEquals(200, client.call(call).status());
            }
        }
        assertEquals(attempts, server.asked().size());
        List<String> keys = server.asked().stream()
                .map(asked -> asked.header("Idempotency-Key"))
                .distinct()
                .toList();
        assertEquals(1, keys.size(), "the same at each attempt");
        assertEquals(how.equals("keyed"), !keys.getFirst().isEmpty());
    }

    @Test
    void aKeyIsTheCallersOrAnotherEachTime() {
        server.says(200, "{}");
        RouteCall call = RouteCall.of("POST", "/api/v1/x").keyed();
        try (FlowstoneClient client = server.client().build()) {
            RouteAnswer _ = client.underKey("mine").call(call);
            RouteAnswer _ = client.call(call);
            RouteAnswer _ = client.call(call);
        }
        List<String> keys = server.asked().stream()
                .map(asked -> asked.header("Idempotency-Key"))
                .toList();
        assertEquals("mine", keys.getFirst());
        assertNotEquals(keys.get(1), keys.get(2));
    }

    @Test
    void aRefusalAndWhatIsNoJsonAreToldAsElsewhere() {
        server.says(404, PaperApi.problem(404, "EXECUTION_NOT_FOUND", "permanent", ""))
                .says(200, "<html>");
        try (FlowstoneClient client = server.client().build()) {
            RouteCall call = RouteCall.of("GET", "/api/v1/executions/x");
            assertEquals(
                    "EXECUTION_NOT_FOUND",
                    assertThrows(RefusedException.class, () -> client.call(call))
                            .code());
            assertEquals(
                    "ANSWER_UNREADABLE",
                    assertThrows(UnreadableAnswerException.class, () -> client.call(call))
                            .code());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "//", "/a b", "/a?b", "/a#b", "/ä", "/a\r\nb", "/a\\b"})
    void whatIsNoPathIsRefused(String path) {
        if (path.equals("//")) {
            assertEquals("GET //", RouteCall.of("GET", path).toString(), "it stays below the server's address");
        } else {
            assertThrows(IllegalArgumentException.class, () -> RouteCall.of("GET", path));
        }
        assertThrows(IllegalArgumentException.class, () -> RouteCall.of("get", "/x"));
        assertTrue(RouteCall.of("GET", "/x/%20y").toString().endsWith("/x/%20y"));
    }
}
