package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.HttpPeer.Got;
import dev.flowstone.server.api.HttpPeer.Reply;
import dev.flowstone.server.api.RestFixture.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code core.http} in executions, against a real server on the loopback interface, which the settings allow. */
@Timeout(120)
final class HttpActionTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture(Map.of(
                "outbound.allowedNetworks", "127.0.0.1,169.254.169.254",
                "outbound.allowedHosts", "*.internal",
                "outbound.deniedNetworks", "127.0.0.3",
                "outbound.maxResponseBytes", "1000",
                "outbound.timeout", "60s"));
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    /** Starts an execution of one node with these parameters, which is tried three times, quickly. */
    private static String start(RestFixture fixture, String parameters) throws Exception {
        String id = "http-" + NUMBER.incrementAndGet();
        fixture.publish("""
                {"id": "%s", "displayName": "Call", "startNode": "call", "nodes": [
                  {"id": "call", "actionType": "core.http", "parameters": %s,
                   "policies": {"retry": {"maxAttempts": 3, "baseDelayMs": 1, "jitter": false}}}]}
                """.formatted(id, parameters));
        Answer started = fixture.post("/api/v1/workflows/" + id + "/execute", "{}");
        assertEquals(202, started.status(), started::toString);
        return started.text("/executionId");
    }

    private static Answer run(String parameters) throws Exception {
        return rest.finished(start(rest, parameters), "?include=actions");
    }

    private static Answer succeeded(String parameters) throws Exception {
        Answer done = run(parameters);
        assertEquals("Succeeded", done.text("/status"), done::toString);
        return done;
    }

    private static Answer failed(String parameters) throws Exception {
        Answer done = run(parameters);
        assertEquals("Failed", done.text("/status"), done::toString);
        return done;
    }

    private static int attempts(Answer done) {
        return ((JsonArray) done.at("/actions/items")).items().size();
    }

    private static String shown(Answer done, String pointer) {
        return CanonicalJson.exactText(done.at(pointer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"})
    void everyMethodIsSent(String method) throws Exception {
        try (HttpPeer peer = new HttpPeer(got -> Reply.of(204))) {
            Answer done = succeeded("{\"method\": \"" + method + "\", \"url\": \"" + peer.url("/a") + "\"}");

            assertEquals("204", shown(done, "/output/status"));
            assertEquals(
                    method + " /a",
                    peer.got.element().method() + " " + peer.got.element().uri());
        }
    }

    @Test
    void bodiesQueriesAndHeadersAreSentAsTheyWereRendered() throws Exception {
        try (HttpPeer peer = new HttpPeer(got -> Reply.of(200))) {
            succeeded("""
                    {"method": "POST", "url": "%s", "query": {"q": ["a b", 1]}, "headers": {"X-A": "{{ 1 + 1 }}"},
                     "json": {"n": "{{ 40 + 2 }}"}}""".formatted(peer.url("/json?x=y")));
            succeeded("{\"method\": \"PUT\", \"url\": \"%s\", \"form\": {\"a\": \"b c\", \"d\": [1, 2]}}"
                    .formatted(peer.url("/form")));
            succeeded("{\"method\": \"PATCH\", \"url\": \"%s\", \"text\": \"gr\u00fcn\"}".formatted(peer.url("/text")));

            List<Got> got = peer.all();
            assertEquals("/json?x=y&q=a%20b&q=1", got.get(0).uri());
            assertEquals("2", got.get(0).header("X-A"));
            assertEquals("application/json", got.get(0).header("Content-Type"));
            assertEquals("{\"n\":42}", got.get(0).body());
            assertEquals("application/x-www-form-urlencoded", got.get(1).header("Content-Type"));
            assertEquals("a=b+c&d=1&d=2", got.get(1).body());
            assertEquals("gr\u00fcn", got.get(2).body());
        }
    }

    @Test
    void anAnswerIsAnOutput() throws Exception {
        try (HttpPeer peer = new HttpPeer(got -> Reply.json("{\"id\": 7615917337495251231}"))) {
            Answer done = succeeded("{\"url\": \"" + peer.url("/") + "\"}");

            assertEquals("{\"id\":7615917337495251231}", shown(done, "/output/body"));
            assertEquals("json", done.text("/output/bodyIs"));
            assertEquals("application/json", done.text("/output/headers/content-type"));
            assertEquals("false", shown(done, "/output/truncated"));
        }
    }

    @Test
    void anAnswerIsCutAtTheLimitAndNotReadAsJson() throws Exception {
        try (HttpPeer peer = new HttpPeer(got -> Reply.json("1".repeat(1_001)))) {
            Answer done = succeeded("{\"url\": \"" + peer.url("/") + "\"}");

            assertEquals("true", shown(done, "/output/truncated"));
            assertEquals("text", done.text("/output/bodyIs"));
            assertEquals(1_000, done.text("/output/body").length());
        }
    }

    /** Whoever starts an execution says what templates put into a call, and never where its header, or its request, ends. */
    @ParameterizedTest(name = "{index}")
    @ValueSource(
            strings = {
                "header a\r\nX-Injected: yes",
                "header a\nX-Injected: yes",
                "header a\rX-Injected: yes",
                "header a\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n",
                "header a\u0000b",
                "header a\u010d\u010aX-Injected: yes",
                "path a HTTP/1.1\r\nX-Injected: yes\r\n\r\n",
                "path a HTTP/1.1\u010d\u010aX-Injected:yes",
                "method GET /smuggled HTTP/1.1\r\nX-Injected: yes\r\n\r\nGET",
                "type text/plain\r\nX-Injected: yes",
            })
    void nothingBreaksOutOfARequestThroughATemplate(String line) throws Exception {
        int space = line.indexOf(' ');
        try (HttpPeer peer = new HttpPeer(got -> Reply.of(204))) {
            String id = "http-" + NUMBER.incrementAndGet();
            rest.publish("""
                    {"id": "%s", "displayName": "Call", "startNode": "call", "nodes": [
                      {"id": "call", "actionType": "core.http", "policies": {"retry": {"maxAttempts": 1}},
                       "parameters": {"url": "%s{{ trigger.path ?? 'fine' }}", "method": "{{ trigger.method ?? 'POST' }}",
                         "headers": {"X-Text": "{{ trigger.header ?? 'a' }}", "Content-Type": "{{ trigger.type ?? 'text/plain' }}"},
                         "text": "b"}}]}""".formatted(id, peer.url("/")));
            JsonObject trigger = JsonObject.builder()
                    .put(line.substring(0, space), line.substring(space + 1))
                    .build();
            String started = rest.post(
                            "/api/v1/workflows/" + id + "/execute",
                            "{\"trigger\": " + CanonicalJson.exactText(trigger) + "}")
                    .text("/executionId");
            Answer done = rest.finished(started, "");

            assertEquals("Failed", done.text("/status"), done::toString);
            assertEquals("INVALID_PARAMETERS", done.text("/error/code"), done::toString);
            assertEquals(List.of(), peer.all());
            String fine =
                    rest.post("/api/v1/workflows/" + id + "/execute", "{}").text("/executionId");
            assertEquals("Succeeded", rest.finished(fine, "").text("/status"));
            assertEquals(1, peer.all().size());
        }
    }

    @Test
    void aRedirectTakesNoCredentialsToAnotherHost() throws Exception {
        try (HttpPeer second = new HttpPeer(got -> Reply.json("\"reached\""));
                HttpPeer first = new HttpPeer(got -> new Reply(302, Map.of("Location", second.url("/to")), ""))) {
            Answer done = succeeded("""
                    {"url": "%s", "headers": {"Authorization": "Bearer hunter2", "Cookie": "a=hunter2",
                     "X-Api-Key": "hunter2", "X-Trace": "t"}}""".formatted(first.url("/from")));

            assertEquals("reached", done.text("/output/body"));
            assertEquals("Bearer hunter2", first.got.element().header("Authorization"));
            Got got = second.got.element();
            assertFalse(
                    got.headers().toString().contains("hunter2"),
                    () -> got.headers().toString());
            assertEquals("t", got.header("X-Trace"));
        }
    }

    @Test
    void whoAsksToBeLeftAloneIsAndEachAttemptHasTheSameKey() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Reply busy = new Reply(429, Map.of("Retry-After", "1"), "");
        try (HttpPeer peer = new HttpPeer(got -> calls.incrementAndGet() == 1 ? busy : Reply.of(200))) {
            Answer done = succeeded("{\"method\": \"POST\", \"url\": \"" + peer.url("/") + "\", \"json\": {}}");

            assertEquals(2, attempts(done));
            assertEquals("HTTP_429", done.text("/actions/items/0/error/code"));
            List<Got> got = peer.all();
            Duration pause = Duration.ofNanos(got.get(1).at() - got.get(0).at());
            assertTrue(pause.compareTo(Duration.ofMillis(950)) > 0, pause::toString);
            String key = done.text("/executionId") + "/call#1";
            assertEquals(
                    List.of(key, key),
                    got.stream().map(it -> it.header("Idempotency-Key")).toList());
        }
    }

    @Test
    void whatMayGoBetterIsTriedAgainUntilItsAttemptsAreUsedUp() throws Exception {
        try (HttpPeer peer = new HttpPeer(got -> Reply.of(503))) {
            Answer done = failed("{\"url\": \"" + peer.url("/") + "\"}");

            assertEquals("HTTP_503", done.text("/error/code"));
            assertEquals(3, peer.got.size());
            assertEquals(
                    1,
                    peer.got.stream()
                            .map(it -> it.header("Idempotency-Key"))
                            .distinct()
                            .count());
        }
    }

    @Test
    void whatIsNotThereIsNotAskedForAgain() throws Exception {
        Reply missing = new Reply(404, Map.of("Content-Type", "text/plain"), "no such thing");
        try (HttpPeer peer = new HttpPeer(got -> missing)) {
            Answer done = failed("{\"url\": \"" + peer.url("/hunter2") + "\"}");

            assertEquals("HTTP_404", done.text("/error/code"));
            assertEquals("{\"body\":\"no such thing\",\"status\":404}", shown(done, "/error/details"));
            assertFalse(shown(done, "/error").contains("hunter2"), () -> shown(done, "/error"));
            assertEquals(1, peer.got.size());

            Answer expected = succeeded("{\"url\": \"" + peer.url("/") + "\", \"expect\": [\"2xx\", 404]}");
            assertEquals("404", shown(expected, "/output/status"));
        }
    }

    @Test
    void whatWasSentInSecretIsNotToldByAFailure() throws Exception {
        try (HttpPeer peer = new HttpPeer(got -> new Reply(
                400, Map.of("Content-Type", "text/plain"), got.headers().toString()))) {
            Answer done = failed("""
                    {"url": "%s", "headers": {"Authorization": "Bearer hunter2", "X-Api-Key": "hunter22"}}""".formatted(peer.url("/")));

            assertFalse(shown(done, "/error").contains("hunter2"), () -> shown(done, "/error"));
            assertTrue(shown(done, "/error").contains("[hidden]"), () -> shown(done, "/error"));
        }
    }

    @Test
    void aCanceledExecutionHangsUp() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (HttpPeer peer = new HttpPeer(got -> {
            try {
                boolean _ = never.await(100, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Reply.of(200);
        })) {
            String run = start(rest, "{\"url\": \"" + peer.url("/") + "\"}");
            rest.until("/api/v1/executions/" + run, answer -> !peer.got.isEmpty());
            long asked = System.nanoTime();

            Answer canceled = rest.post("/api/v1/executions/" + run + "/cancel", "{\"reason\": \"enough\"}");
            assertTrue(canceled.status() < 300, canceled::toString);
            Answer done = rest.finished(run, "");

            assertEquals("Cancelled", done.text("/status"), done::toString);
            Duration took = Duration.ofNanos(System.nanoTime() - asked);
            assertTrue(took.compareTo(Duration.ofSeconds(20)) < 0, took::toString);
        } finally {
            never.countDown();
        }
    }

    @Test
    void nobodyThereIsTriedAgain() throws Exception {
        String url;
        try (HttpPeer peer = new HttpPeer(got -> Reply.of(200))) {
            url = peer.url("/");
        }

        Answer done = failed("{\"url\": \"" + url + "\"}");

        assertEquals("OUTBOUND_UNREACHABLE", done.text("/error/code"));
        assertEquals(3, attempts(done));
    }

    @Test
    void anAddressInsideIsRefusedUnlessTheSettingsAllowIt() throws Exception {
        try (HttpPeer peer = new HttpPeer(got -> Reply.of(200));
                RestFixture strict = new RestFixture()) {
            String run = start(strict, "{\"url\": \"" + peer.url("/hunter2") + "\"}");
            Answer done = strict.finished(run, "?include=actions");

            assertEquals("ADDRESS_REFUSED", done.text("/error/code"), done::toString);
            String message = done.text("/error/message");
            assertTrue(message.contains("127.0.0.1") && message.contains("outbound.allowedNetworks"), message);
            assertFalse(message.contains("hunter2"), message);
            assertEquals(1, attempts(done));
            assertTrue(peer.got.isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ADDRESS_REFUSED http://169.254.169.254/latest/meta-data/",
                "ADDRESS_REFUSED http://[fd00:ec2::254]/",
                "ADDRESS_REFUSED http://127.0.0.2/",
                "ADDRESS_REFUSED http://127.0.0.3/",
                "ADDRESS_REFUSED http://localhost/",
                "ADDRESS_REFUSED http://10.0.0.1/",
                "INVALID_PARAMETERS http://2130706433/",
                "INVALID_PARAMETERS http://user:hunter2@127.0.0.1/",
                "INVALID_PARAMETERS file:///etc/passwd"
            })
    void whatIsRefusedIsRefusedAtOnceThoughHostsAndNetworksAreAllowed(String line) throws Exception {
        int space = line.indexOf(' ');
        Answer done = failed("{\"url\": \"" + line.substring(space + 1) + "\"}");

        assertEquals(line.substring(0, space), done.text("/error/code"), done::toString);
        assertEquals(1, attempts(done));
        assertFalse(shown(done, "/error").contains("hunter2"), () -> shown(done, "/error"));
    }

    @Test
    void aRedirectInsideIsRefused() throws Exception {
        try (HttpPeer peer = new HttpPeer(
                got -> new Reply(302, Map.of("Location", "http://169.254.169.254/latest/meta-data/"), ""))) {
            assertEquals(
                    "ADDRESS_REFUSED",
                    failed("{\"url\": \"" + peer.url("/") + "\"}").text("/error/code"));
        }
    }

    @Test
    void aParameterThatThereIsNotIsFoundWhenTheWorkflowIsPublished() throws Exception {
        Answer refused = rest.post("/api/v1/workflows", """
                {"id": "typo", "displayName": "Typo", "startNode": "call", "nodes": [
                  {"id": "call", "actionType": "core.http", "parameters": {"header": {}}}]}
                """);

        assertEquals("ACTION_PARAMETERS", refused.text("/faults/0/code"), refused::toString);
        List<String> pointers = List.of(refused.text("/faults/0/pointer"), refused.text("/faults/1/pointer"));
        assertEquals(
                List.of("/nodes/0/parameters", "/nodes/0/parameters/header"),
                pointers.stream().sorted().toList());
        assertTrue(refused.toString().contains("'core.http' needs the parameter 'url'"), refused::toString);
    }

    @Test
    void parametersThatAreNoneAreNamedByTheirPath() throws Exception {
        Answer done = failed("{\"url\": \"https://a.example/\", \"timeout\": \"soon\"}");

        assertEquals("INVALID_PARAMETERS", done.text("/error/code"));
        assertEquals("/timeout", done.text("/error/details/path"));
        assertEquals(1, attempts(done));
    }
}
