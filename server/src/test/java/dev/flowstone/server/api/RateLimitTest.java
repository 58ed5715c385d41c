package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.api.RestFixture.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Budgets of callers, workers and workflows, over HTTP. */
final class RateLimitTest {
    private static final String ALL = "workflows:read workflows:manage workflows:execute tasks:work";
    private static final String CLAIM = "{\"actions\": [\"orders.charge\"], \"worker\": \"w\", \"waitSeconds\": 0}";

    private static void refused(Answer answer, String limit) {
        assertEquals(429, answer.status(), answer::toString);
        assertEquals("RATE_LIMITED", answer.text("/code"));
        assertEquals("external_limit", answer.text("/category"));
        assertEquals(Optional.of(limit), answer.header("X-RateLimit-Limit"));
        assertEquals(Optional.of("0"), answer.header("X-RateLimit-Remaining"));
        int wait = Integer.parseInt(answer.header("Retry-After").orElseThrow());
        assertTrue(wait >= 1 && wait <= 60, answer::toString);
    }

    @Test
    void eachCallerHasABudgetAndSeesWhatIsLeft() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer();
                RestFixture rest =
                        new RestFixture(issuer.settings("rate.callsPerMinute", "1", "rate.callsBurst", "3"))) {
            String[] ann = issuer.bearer("ann", "acme", ALL);
            for (int left = 2; left >= 0; left--) {
                Answer answer = rest.get("/api/v1/workflows", ann);
                assertEquals(200, answer.status(), answer::toString);
                assertEquals(Optional.of("3"), answer.header("X-RateLimit-Limit"));
                assertEquals(Optional.of(Integer.toString(left)), answer.header("X-RateLimit-Remaining"));
            }
            refused(rest.get("/api/v1/workflows", ann), "3");
            refused(rest.get("/api/v1/workflows", issuer.bearer("ann", "acme", "workflows:read")), "3");

            assertEquals(
                    200,
                    rest.get("/api/v1/workflows", issuer.bearer("bob", "acme", ALL))
                            .status());
            assertEquals(
                    200,
                    rest.get("/api/v1/workflows", issuer.bearer("ann", "globex", ALL))
                            .status());
            Answer worker = rest.post("/api/v1/tasks/claim", CLAIM, ann);
            assertTrue(worker.status() != 429, "its own budget: " + worker);
            assertEquals(Optional.of("2000"), worker.header("X-RateLimit-Limit"));
            assertEquals(Optional.empty(), rest.get("/health/live", ann).header("X-RateLimit-Limit"));
        }
    }

    @Test
    void usuallyItIsOneASecondAndTwiceAsManyAtOnceAndAnyNumberOfWhoRunsTheInstallation() throws Exception {
        String secret = "0123456789abcdef0123456789abcdef";
        try (TokenIssuer issuer = new TokenIssuer();
                RestFixture rest =
                        new RestFixture(issuer.settings("rate.callsPerMinute", "60", "http.token", secret))) {
            String[] ann = issuer.bearer("ann", "acme", ALL);
            assertEquals(Optional.of("120"), rest.get("/api/v1/workflows", ann).header("X-RateLimit-Limit"));
            for (String path : List.of("/metrics", "/api/v1/cluster", "/api/v1/workflows")) {
                Answer answer = rest.get(path, TokenIssuer.bearer(secret));
                assertEquals(200, answer.status(), answer::toString);
                assertEquals(Optional.empty(), answer.header("X-RateLimit-Limit"), path);
            }
        }
    }

    @Test
    void whoRunsTheInstallationMayHaveABudgetAndSeesHowItFaresWithoutOne() throws Exception {
        String secret = "0123456789abcdef0123456789abcdef";
        Map<String, String> settings =
                Map.of("http.token", secret, "rate.operatorCallsPerMinute", "1", "rate.operatorCallsBurst", "1");
        try (RestFixture rest = new RestFixture(settings)) {
            String[] operator = TokenIssuer.bearer(secret);
            assertEquals(200, rest.get("/api/v1/workflows", operator).status());
            refused(rest.get("/api/v1/workflows", operator), "1");
            for (String path : List.of("/metrics", "/health/live", "/health/ready", "/api/v1/system/skew")) {
                assertEquals(200, rest.get(path, operator).status(), path);
            }
        }
    }

    @Test
    void whatIsForbiddenCountsToo() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer();
                RestFixture rest =
                        new RestFixture(issuer.settings("rate.callsPerMinute", "1", "rate.callsBurst", "2"))) {
            String[] reader = issuer.bearer("ann", "acme", "workflows:read");
            assertEquals(403, rest.get("/api/v1/outbox", reader).status());
            Answer second = rest.get("/metrics", reader);
            assertEquals(403, second.status());
            assertEquals(Optional.of("0"), second.header("X-RateLimit-Remaining"));
            refused(rest.get("/api/v1/outbox", reader), "2");
            refused(rest.get("/metrics", reader), "2");
        }
    }

    @Test
    void whoeverSaysToBeAnotherThanTheirTokenIsCountedToo() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer();
                RestFixture rest =
                        new RestFixture(issuer.settings("rate.callsPerMinute", "1", "rate.callsBurst", "3"))) {
            String token = issuer.bearer("ann", "acme", ALL)[1];
            int left = 3;
            for (String[] said : new String[][] {
                {"Flowstone-Roles", "x"}, {"Flowstone-Tenant", "globex"}, {"Flowstone-Principal", "user:root"}
            }) {
                Answer answer = rest.get("/api/v1/workflows", "Authorization", token, said[0], said[1]);
                assertEquals(403, answer.status(), answer::toString);
                assertEquals(Optional.of(Integer.toString(--left)), answer.header("X-RateLimit-Remaining"));
            }
            refused(rest.get("/api/v1/workflows", "Authorization", token, "Flowstone-Roles", "x"), "3");
            Answer open = rest.get("/health/live", "Authorization", token, "Flowstone-Tenant", "globex");
            assertEquals(200, open.status(), "nobody's word is needed there");
        }
    }

    @Test
    void whatIsNoWorkflowHasNoBudget() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer();
                RestFixture rest = new RestFixture(issuer.settings("rate.executionsPerMinute", "1"))) {
            String[] ann = issuer.bearer("ann", "acme", ALL);
            for (int i = 0; i < 3; i++) {
                Answer unknown = rest.post("/api/v1/workflows/nope/execute", "", ann);
                assertEquals(404, unknown.status(), unknown::toString);
                assertEquals(Optional.empty(), unknown.header("X-RateLimit-Limit"));
            }
            assertEquals(
                    403,
                    rest.post("/api/v1/workflows/nope/execute", "", issuer.bearer("bob", "acme", "workflows:read"))
                            .status());
        }
    }

    @Test
    void eachWorkflowHasABudgetOfStarts() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer();
                RestFixture rest = new RestFixture(
                        issuer.settings("rate.executionsPerMinute", "2", "rate.callsPerMinute", "60"))) {
            String[] ann = issuer.bearer("ann", "acme", ALL);
            for (String id : new String[] {"one", "two"}) {
                String definition = """
                        {"id": "%s", "displayName": "x", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.echo"}]}""".formatted(id);
                assertEquals(
                        201, rest.post("/api/v1/workflows", definition, ann).status());
                assertEquals(
                        200,
                        rest.post("/api/v1/workflows/" + id + "/publish", "", ann)
                                .status());
            }
            assertEquals(
                    202, rest.post("/api/v1/workflows/one/execute", "", ann).status());
            Answer second = rest.post("/api/v1/workflows/one/execute", "", ann);
            assertEquals(Optional.of("2"), second.header("X-RateLimit-Limit"), "the tighter one");
            assertEquals(Optional.of("0"), second.header("X-RateLimit-Remaining"));
            refused(rest.post("/api/v1/workflows/one/execute", "", issuer.bearer("bob", "acme", ALL)), "2");
            assertEquals(
                    202, rest.post("/api/v1/workflows/two/execute", "", ann).status());
            assertEquals(200, rest.get("/api/v1/workflows/one", ann).status());
        }
    }

    private static void publish(RestFixture rest, String[] caller) throws Exception {
        String definition = """
                {"id": "one", "displayName": "x", "startNode": "a",
                 "triggerSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
                 "nodes": [{"id": "a", "actionType": "core.echo"}]}""";
        assertEquals(201, rest.post("/api/v1/workflows", definition, caller).status());
        assertEquals(200, rest.post("/api/v1/workflows/one/publish", "", caller).status());
    }

    /** Whose answer was lost asks again, and must be told what became of it. */
    @Test
    void aRepeatedStartIsToldItsExecutionAndCountsNothing() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer();
                RestFixture rest = new RestFixture(
                        issuer.settings("rate.executionsPerMinute", "2", "rate.callsPerMinute", "60"))) {
            String[] ann = issuer.bearer("ann", "acme", ALL);
            publish(rest, ann);
            String execute = "/api/v1/workflows/one/execute";
            Answer first = rest.post(execute, "{\"requestId\": \"r1\"}", ann);
            assertEquals(202, first.status(), first::toString);
            assertEquals(Optional.of("1"), first.header("X-RateLimit-Remaining"));
            for (int i = 0; i < 4; i++) {
                Answer again = rest.post(execute, "{\"requestId\": \"r1\"}", ann);
                assertEquals(200, again.status(), again::toString);
                assertEquals(first.text("/executionId"), again.text("/executionId"));
                assertEquals(Optional.of("120"), again.header("X-RateLimit-Limit"), "its caller's");
            }
            Answer second = rest.post(execute, "{\"requestId\": \"r2\"}", ann);
            assertEquals(202, second.status(), second::toString);
            assertEquals(Optional.of("0"), second.header("X-RateLimit-Remaining"));
            refused(rest.post(execute, "{\"requestId\": \"r3\"}", ann), "2");
            for (int i = 0; i < 2; i++) {
                Answer again = rest.post(execute, "{\"requestId\": \"r1\"}", ann);
                assertEquals(200, again.status(), again::toString);
                assertEquals(first.text("/executionId"), again.text("/executionId"));
            }
        }
    }

    @Test
    void aStartThatIsRefusedTellsWhatIsLeftOfItsWorkflowsBudget() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer();
                RestFixture rest = new RestFixture(
                        issuer.settings("rate.executionsPerMinute", "2", "rate.callsPerMinute", "60"))) {
            String[] ann = issuer.bearer("ann", "acme", ALL);
            publish(rest, ann);
            Answer wrong = rest.post("/api/v1/workflows/one/execute", "{\"trigger\": {\"n\": \"x\"}}", ann);
            assertEquals("WFENG005", wrong.text("/code"));
            assertEquals(Optional.of("2"), wrong.header("X-RateLimit-Limit"));
            assertEquals(Optional.of("1"), wrong.header("X-RateLimit-Remaining"));
            assertEquals(
                    200, rest.post("/api/v1/workflows/one/archive", "", ann).status());
            Answer archived = rest.post("/api/v1/workflows/one/execute", "", ann);
            assertEquals("NOT_EXECUTABLE", archived.text("/code"));
            assertEquals(Optional.of("2"), archived.header("X-RateLimit-Limit"));
            assertEquals(Optional.of("0"), archived.header("X-RateLimit-Remaining"));
        }
    }

    @Test
    void looselyNobodyIsCountedUnlessAskedFor() throws Exception {
        try (RestFixture rest = new RestFixture(Map.of("rate.callsBurst", "1"))) {
            for (int i = 0; i < 5; i++) {
                Answer answer = rest.get("/api/v1/workflows");
                assertEquals(200, answer.status());
                assertEquals(Optional.empty(), answer.header("X-RateLimit-Limit"));
            }
        }
        try (RestFixture rest = new RestFixture(Map.of("rate.callsBurst", "1", "rate.loose", "true"))) {
            assertEquals(200, rest.get("/api/v1/workflows").status());
            refused(rest.get("/api/v1/workflows"), "1");
        }
    }
}
