package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.RestFixture.Answer;
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

    private static final Pattern CODE = Pattern.compile("\"code\":\"([A-Z_0-9]+)\"");
    private static final AtomicInteger TENANTS = new AtomicInteger();
    private static final String HUGE = "{\"a\": \"" + "x".repeat(RestFixture.MAX_BODY) + "\"}";

    private static TokenIssuer issuer;
    private static RestFixture rest;
    private static JsonObject document = JsonObject.EMPTY;

    /** Everybody may come once, loosely, and the issuer's keys are not to be had. */
    @BeforeAll
    static void serve() throws Exception {
        issuer = new TokenIssuer();
        issuer.status.set(500);
        rest = new RestFixture(issuer.settings(
                "auth.loose", "true",
                "rate.loose", "true",
                "rate.callsPerMinute", "1",
                "rate.callsBurst", "1",
                "rate.workersPerMinute", "1",
                "rate.workersBurst", "1"));
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

    @ParameterizedTest
    @MethodSource("operations")
    void eachRefusalOfTheBorderIsGiven(Operation operation) throws Exception {
        Set<String> named = new TreeSet<>(operation.refusals());
        named.retainAll(OF_THE_BORDER);
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
            case "BODY_TOO_LARGE" -> code(call(operation, "", Optional.of(HUGE), tenant()));
            case "FORBIDDEN" -> code(call(operation, "", body, and(tenant(), "Origin", "https://evil.example")));
            case "INVALID_REQUEST" -> code(call(operation, "?no-such-parameter=1", body, tenant()));
            case "KEYS_UNAVAILABLE" -> code(call(operation, "", body, issuer.bearer("ann", "acme", "x")));
            case "MALFORMED_JSON" -> code(call(operation, "", Optional.of("{"), tenant()));
            case "MISDIRECTED" -> misdirected(operation);
            case "PROXIED" -> code(call(operation, "", body, and(tenant(), "X-Forwarded-For", "203.0.113.7")));
            case "RATE_LIMITED" -> limited(operation, body);
            case "UNAUTHENTICATED" -> code(call(operation, "", body, TokenIssuer.bearer("rubbish")));
            case "UNSUPPORTED_MEDIA_TYPE" ->
                code(call(operation, "", Optional.of("{}"), and(tenant(), "Content-Type", "text/plain")));
            case "URI_TOO_LONG" -> code(call(operation, "?x=" + "y".repeat(9_000), body, tenant()));
            default -> throw new IllegalArgumentException(code);
        };
    }

    private static String[] tenant() {
        return new String[] {LoopbackCallers.TENANT, "border-" + TENANTS.incrementAndGet()};
    }

    private static String[] and(String[] headers, String... more) {
        return Stream.concat(Arrays.stream(headers), Arrays.stream(more)).toArray(String[]::new);
    }

    private static Answer call(Operation operation, String query, Optional<String> body, String... headers)
            throws Exception {
        return rest.call(operation.method(), operation.at(Map.of()) + query, body, headers);
    }

    private static String code(Answer answer) {
        return code(answer.response().body());
    }

    private static String code(String answer) {
        Matcher code = CODE.matcher(answer);
        return code.find() ? code.group(1) : answer;
    }

    /** The second call of one who may make one. */
    private static String limited(Operation operation, Optional<String> body) throws Exception {
        String[] tenant = tenant();
        call(operation, "?no-such-parameter=1", body, tenant);
        return code(call(operation, "?no-such-parameter=1", body, tenant));
    }

    /** By hand: the client that the others use sends no other host. */
    private static String misdirected(Operation operation) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), rest.port())) {
            socket.setSoTimeout(10_000);
            String request = operation.method() + " " + operation.at(Map.of())
                    + " HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return code(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
