package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.http.LoopbackCallers;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the border refuses before a route is asked, at every operation of the served document: each of these codes that it names
 * is given, and none that it doesn't name ({@link ApiContract}). A route's own refusals are in the tests of the route.
 */
final class BorderProbeTest {
    /** Of callers that the border knows nothing good of, and of calls that it can't make sense of. */
    private static final Set<String> OF_THE_BORDER = Set.of(
            "BODY_TOO_LARGE",
            "FORBIDDEN",
            "INVALID_REQUEST",
            "KEYS_UNAVAILABLE",
            "MALFORMED_JSON",
            "MISDIRECTED",
            "PROXIED",
            "RATE_LIMITED",
            "UNAUTHENTICATED",
            "UNSUPPORTED_MEDIA_TYPE",
            "URI_TOO_LONG");

    /** They look for the thing that the path names before they read a body; see {@link EndpointMatrixTest}. */
    static final Set<String> READ_LATE =
            Set.of("rebuildExecution", "reenqueueExecution", "requeueMessage", "updateTrigger", "fireTrigger");

    /** What isn't signed is not read; see {@code WebhookInTest}. */
    private static final String SIGNED = "receiveWebhook";

    private static final Pattern CODE = Pattern.compile("\"code\":\"([A-Z_0-9]+)\"");
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final String HUGE = "{\"a\": \"" + "x".repeat(RestFixture.MAX_BODY) + "\"}";

    private static TokenIssuer issuer;
    private static RestFixture rest;

    /** One to whom its issuer's keys are not told. */
    private static RestFixture keyless;

    private static JsonObject document = JsonObject.EMPTY;

    /** Everybody may come once. */
    @BeforeAll
    static void serve() throws Exception {
        issuer = new TokenIssuer();
        rest = new RestFixture(issuer.settings(
                "auth.loose", "true",
                "rate.loose", "true",
                "rate.callsPerMinute", "1",
                "rate.callsBurst", "1",
                "rate.webhooksPerMinute", "1",
                "rate.webhooksBurst", "1"));
        // Once it has them: the other one asks for them anew.
        rest.get("/api/v1/workflows", issuer.bearer("ann", "acme", "x"));
        issuer.status.set(500);
        keyless = new RestFixture(issuer.settings("auth.loose", "true"));
        document = rest.get("/api/v1/openapi.json").json();
    }

    @AfterAll
    static void stop() {
        rest.close();
        keyless.close();
        issuer.close();
    }

    static Stream<Operation> operations() {
        return Operation.of(document).stream();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void eachRefusalOfTheBorderIsGiven(Operation operation) throws Exception {
        Set<String> named = new TreeSet<>(operation.refusals());
        named.retainAll(OF_THE_BORDER);
        if (READ_LATE.contains(operation.id()) || operation.id().equals(SIGNED)) {
            named.remove("MALFORMED_JSON");
        }
        Set<String> given = new TreeSet<>();
        for (String code : named) {
            String told = provoked(operation, code);
            given.add(told.equals(code) ? code : code + ", but " + told);
        }
        assertTrue(named.size() >= 3, operation::toString);
        assertEquals(named, given);
    }

    private static String provoked(Operation operation, String code) throws Exception {
        Optional<String> body = operation.body().map(_ -> "{}");
        return switch (code) {
            case "BODY_TOO_LARGE" -> call(operation, "", Optional.of(HUGE), tenant());
            case "FORBIDDEN" -> call(operation, "", body, and(tenant(), "Origin", "https://evil.example"));
            case "INVALID_REQUEST" -> call(operation, "no-such-parameter=1", body, tenant());
            case "KEYS_UNAVAILABLE" -> call(keyless, operation, "", body, issuer.bearer("ann", "acme", "x"));
            case "MALFORMED_JSON" -> call(operation, "", Optional.of("{"), tenant());
            case "MISDIRECTED" -> raw(operation, "", "evil.example");
            case "PROXIED" -> call(operation, "", body, and(tenant(), "X-Forwarded-For", "203.0.113.7"));
            case "RATE_LIMITED" -> limited(operation, body);
            case "UNAUTHENTICATED" -> call(operation, "", body, TokenIssuer.bearer("rubbish"));
            case "UNSUPPORTED_MEDIA_TYPE" ->
                call(operation, "", Optional.of("{}"), and(tenant(), "Content-Type", "text/plain"));
            case "URI_TOO_LONG" -> raw(operation, "?x=" + "y".repeat(9_000), "localhost");
            default -> throw new IllegalArgumentException(code);
        };
    }

    private static String[] tenant() {
        return new String[] {LoopbackCallers.TENANT, "border-" + NUMBER.incrementAndGet()};
    }

    private static String[] and(String[] headers, String... more) {
        return Stream.concat(Arrays.stream(headers), Arrays.stream(more)).toArray(String[]::new);
    }

    private static String call(Operation operation, String query, Optional<String> body, String... headers)
            throws Exception {
        return call(rest, operation, query, body, headers);
    }

    /** With what its query needs. */
    private static String call(
            RestFixture server, Operation operation, String query, Optional<String> body, String... headers)
            throws Exception {
        String target = operation.sound(query);
        return code(server.call(operation.method(), target, body, headers)
                .response()
                .body());
    }

    private static String code(String answer) {
        Matcher code = CODE.matcher(answer);
        return code.find() ? code.group(1) : answer;
    }

    /** The second call of one who may make one: of a tenant's user, since who runs the installation is not counted. */
    private static String limited(Operation operation, Optional<String> body) throws Exception {
        String[] user = operation.scope().equals("public")
                ? tenant()
                : issuer.bearer("user-" + NUMBER.incrementAndGet(), "acme", "x");
        call(operation, "", body, user);
        return call(operation, "", body, user);
    }

    /** By hand: the client that the others use sends no other host, and reads no answer to what it is still sending. */
    private static String raw(Operation operation, String query, String host) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), rest.port())) {
            socket.setSoTimeout(10_000);
            String request = operation.method() + " " + operation.at(Map.of()) + query + " HTTP/1.1\r\nHost: " + host
                    + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String told = code(answer);
            if (operation.refusals().contains(told)) {
                RefusalLedger.given(operation.id(), Integer.parseInt(answer.split(" ", 3)[1]), told);
            }
            return told;
        }
    }
}
