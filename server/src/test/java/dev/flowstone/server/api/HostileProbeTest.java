package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What nobody who means well sends, to every operation of the served document, so that a new route can't escape it: never a
 * fault of ours, never another tenant's thing. Each answer is held against the document besides ({@link ApiContract}).
 */
final class HostileProbeTest {
    private static final String OWNER = "owner-5b1f";

    /** What they tell is the installation's, of all tenants; who operates it has their scope. */
    private static final String OF_THE_INSTALLATION = "metrics:read";

    private static final String THIEF = "thief";
    private static final List<String> METHODS =
            List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND");

    /** What ends a text, a statement, a pattern, a path, a line or a header in some language. */
    private static final List<String> METACHARACTERS = List.of(
            "'; DROP TABLE flowstone.runs; --",
            "' OR '1'='1",
            "\\'\"`$$;%_*?[](){}<>|&^~",
            "$1; SELECT pg_sleep(5)",
            "%00%01",
            "a\r\nX-Injected: yes",
            "../../etc/passwd",
            "{{ trigger.secret }}${7*7}",
            "\u202e\ud83d\ude00\u0000\ufffd",
            "x".repeat(3_000));

    /** Variables of paths that say whose thing it is; others are inside of it. */
    private static final Set<String> THINGS = Set.of("id", "message", "name");

    private static RestFixture rest;
    private static JsonObject document = JsonObject.EMPTY;
    private static final Map<String, String> OWNED = new LinkedHashMap<>();

    @BeforeAll
    static void serve(@TempDir Path data) throws Exception {
        rest = RestFixture.onPostgres(data, Stage.FLAGS);
        document = rest.get("/api/v1/openapi.json").json();
        String run = rest.start(HumanPrograms.review("owned", new Quorum.One(), "user:anna"), OWNER);
        rest.until(
                "/api/v1/executions/" + run + "/tasks",
                answer -> answer.response().body().contains("review#1"),
                LoopbackCallers.TENANT,
                OWNER);
        OWNED.put("executions", run);
        OWNED.put("workflows", "owned");
        Answer trigger = rest.post(
                "/api/v1/triggers",
                "{\"workflowId\": \"owned\", \"triggerType\": \"Webhook\","
                        + " \"config\": {\"secrets\": [\"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3\"]}}",
                LoopbackCallers.TENANT,
                OWNER);
        OWNED.put("triggers", trigger.text("/id"));
        new Stage(rest, OWNER).template();
        new Stage(rest, OWNER).workflowTemplate();
        OWNED.put("templates", "app");
        OWNED.put("set", "briefs");
        OWNED.put("version", "1");
        OWNED.put("activation", "review#1");
        OWNED.put("incident", "1");
        Stage stage = new Stage(rest, OWNER);
        OWNED.put("message", stage.deadMessage());
        OWNED.put("dead-letters", stage.deadLetter());
        stage.done(Stage.subscribe());
        OWNED.put("name", "shop");
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    static Stream<Operation> operations() {
        return Operation.of(document).stream();
    }

    private static Answer send(Operation operation, String target, Optional<String> body) throws Exception {
        Answer answer = rest.call(operation.method(), target, body, LoopbackCallers.TENANT, THIEF);
        refusedAtMost(operation + " " + target + " " + body.orElse(""), answer);
        if (!operation.scope().equals(OF_THE_INSTALLATION)) {
            showsNothing(target + body.orElse(""), answer);
        }
        return answer;
    }

    /** Nothing of the owner's but what the call named itself. */
    private static void showsNothing(String asked, Answer answer) {
        String body = answer.response().body();
        assertFalse(body.contains(OWNER), answer::toString);
        for (String own : OWNED.values()) {
            if (own.length() > 20 && !asked.contains(Operation.encoded(own))) {
                assertFalse(body.contains(own), answer::toString);
            }
        }
    }

    private static void refusedAtMost(String what, Answer answer) {
        assertTrue(answer.status() < 500, () -> what + ": " + answer);
        if (answer.status() >= 400) {
            assertEquals(
                    "application/problem+json", answer.header("Content-Type").orElseThrow(), what);
        }
        assertFalse(answer.header("X-Injected").isPresent(), what);
        assertFalse(
                answer.response()
                        .body()
                        .matches("(?s).*(Exception|\\.java:|dev\\.flowstone\\.|SQLSTATE|org\\.postgresql).*"),
                answer::toString);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void anotherMethodIsRefused(Operation operation) throws Exception {
        Set<String> known = operations()
                .filter(it -> it.path().equals(operation.path()))
                .map(Operation::method)
                .collect(Collectors.toSet());
        for (String method : METHODS) {
            if (!known.contains(method)) {
                String target = operation.at(Map.of());
                Answer answer = rest.call(method, target, Optional.empty(), LoopbackCallers.TENANT, THIEF);
                refusedAtMost(method + " " + target, answer);
                assertTrue(
                        method.equals("OPTIONS") ? answer.status() == 204 : answer.status() >= 400,
                        () -> method + " " + target + ": " + answer);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void aBodyOfAnotherTypeOrOfNoSenseIsRefused(Operation operation) throws Exception {
        String target = operation.at(Map.of());
        for (String type : List.of("text/plain", "application/xml", "multipart/form-data; boundary=x", "", "a/b;;=")) {
            Answer answer = rest.call(
                    operation.method(),
                    target,
                    Optional.of("{\"a\": 1}"),
                    LoopbackCallers.TENANT,
                    THIEF,
                    "Content-Type",
                    type);
            refusedAtMost(operation + " as " + type, answer);
            assertTrue(answer.status() >= 400, () -> operation + " as " + type + ": " + answer);
        }
        for (String body : List.of("{", "[]", "null", "\"x\"", "[".repeat(5_000), "{\"a\":".repeat(900), "\u0000")) {
            Answer answer = rest.call(operation.method(), target, Optional.of(body), LoopbackCallers.TENANT, THIEF);
            refusedAtMost(operation + " " + body.substring(0, 1), answer);
            assertTrue(answer.status() >= 400, () -> operation + ": " + answer);
        }
        Answer huge = send(operation, target, Optional.of("{\"a\": \"" + "x".repeat(RestFixture.MAX_BODY) + "\"}"));
        assertTrue(huge.status() >= 400, huge::toString);
        if (operation.body().isPresent()) {
            assertEquals(413, huge.status(), huge::toString);
            assertEquals("BODY_TOO_LARGE", huge.text("/code"));
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void aHugeOrSenselessQueryIsRefused(Operation operation) throws Exception {
        String target = operation.at(Map.of());
        for (String query : List.of(
                "?x=" + "y".repeat(7_000),
                "?" + "a=b&".repeat(1_500),
                "?limit=" + "9".repeat(5_000),
                "?=&=&&&",
                "?%ff=%fe",
                "?limit=1&limit=1",
                "?limit%5B%5D=1",
                "?%00=%00")) {
            Answer answer = send(operation, target + query, Optional.empty());
            assertTrue(answer.status() >= 400, () -> operation + " " + query.substring(0, 5) + ": " + answer);
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void metacharactersAreTextWhereverTheyStand(Operation operation) throws Exception {
        for (String text : METACHARACTERS) {
            for (String name : operation.parameters("path")) {
                send(operation, operation.at(Map.of(name, text)), sound(operation));
            }
            for (String name : operation.streams() ? List.<String>of() : operation.parameters("query")) {
                String query = "?" + name + "=" + Operation.encoded(text);
                send(operation, operation.at(Map.of()) + query, sound(operation));
            }
            for (String body : bodies(operation, text)) {
                send(operation, operation.at(Map.of()), Optional.of(body));
            }
        }
    }

    /** Whatever the owner has, to others it isn't there. Who puts something under a name puts their own there. */
    @ParameterizedTest
    @MethodSource("operations")
    void anotherTenantsThingLooksLikeNone(Operation operation) throws Exception {
        boolean endless = operation.streams() && operation.parameters("path").isEmpty();
        if (operation.scope().equals("public")
                || operation.isOfAllTenants()
                || operation.method().equals("PUT")
                || endless) {
            return;
        }
        Map<String, String> theirs = new LinkedHashMap<>();
        Map<String, String> none = new LinkedHashMap<>();
        for (String name : operation.parameters("path")) {
            String known = OWNED.get(name.equals("id") ? operation.path().split("/", -1)[3] : name);
            if (THINGS.contains(name)) {
                assertNotNull(known, () -> "give the owner something for " + operation);
                none.put(name, other(known));
            } else {
                none.put(name, known == null ? "1" : known);
            }
            theirs.put(name, known == null ? "1" : known);
        }
        Answer answer = send(operation, operation.at(theirs), sound(operation));
        if (theirs.isEmpty()) {
            // A list, or a call of many: what it must not show is looked for in each answer.
            return;
        }
        assertTrue(answer.status() >= 400, () -> operation + " shows or does something: " + answer);
        Answer other = send(operation, operation.at(none), sound(operation));
        assertEquals(other.status(), answer.status(), () -> operation + " tells them apart: " + answer + other);
        assertEquals(other.text("/code"), answer.text("/code"), operation::toString);
    }

    /** Like it, and nobody's. */
    private static String other(String known) {
        char last = known.charAt(known.length() - 1);
        return known.substring(0, known.length() - 1) + (last == '1' ? '2' : '1');
    }

    /** A body that the shape allows, if it takes one. */
    private static Optional<String> sound(Operation operation) {
        return operation.body().map(shape -> written(example(shape, "x", -1)));
    }

    /** Bodies that the shape allows, with this text in one member after the other. */
    private static List<String> bodies(Operation operation, String text) {
        if (operation.body().isEmpty()) {
            return List.of();
        }
        JsonObject shape = operation.body().get();
        int members = shape.get("properties") instanceof JsonObject some
                ? some.members().size()
                : 0;
        List<String> bodies = new ArrayList<>();
        bodies.add(written(JsonObject.builder().put("id", text).put(text, text).build()));
        for (int i = 0; i < members; i++) {
            bodies.add(written(example(shape, text, i)));
        }
        return bodies;
    }

    private static String written(JsonValue value) {
        return new String(CanonicalJson.exact(value), StandardCharsets.UTF_8);
    }

    /** The members that it must have, and the one of this number, which holds the text if it is one. */
    private static JsonValue example(JsonObject shape, String text, int member) {
        JsonObject resolved = Operation.resolved(document, shape);
        if (resolved.get("enum") instanceof JsonArray(List<JsonValue> words)) {
            return member < 0 ? words.getFirst() : new JsonString(text);
        }
        if (!(resolved.get("properties") instanceof JsonObject properties)) {
            return simple(resolved, text);
        }
        Set<JsonValue> required =
                resolved.get("required") instanceof JsonArray(List<JsonValue> names) ? Set.copyOf(names) : Set.of();
        JsonObject.Builder json = JsonObject.builder();
        int number = 0;
        for (Map.Entry<String, JsonValue> property : properties.members().entrySet()) {
            boolean chosen = number++ == member;
            if (chosen || required.contains(new JsonString(property.getKey()))) {
                json.put(
                        property.getKey(),
                        example((JsonObject) property.getValue(), chosen ? text : "x", chosen ? 0 : -1));
            }
        }
        return json.build();
    }

    private static JsonValue simple(JsonObject shape, String text) {
        JsonValue type =
                shape.get("type") instanceof JsonArray(List<JsonValue> types) ? types.getFirst() : shape.get("type");
        return switch (type instanceof JsonString(String word) ? word : "any") {
            case "integer", "number" -> JsonNumber.of(1);
            case "boolean" -> JsonBoolean.of(true);
            case "array" ->
                new JsonArray(List.of(example((JsonObject) shape.find("items").orElseThrow(), text, 0)));
            case "object" -> JsonObject.builder().put(text, text).build();
            default -> new JsonString(text);
        };
    }
}
