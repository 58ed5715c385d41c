package dev.flowstone.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.api.HttpPeer.Reply;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A workflow names a secret of the server's: the other side gets it, and nobody reads it here. */
final class SecretReferenceTest {
    private static final String SECRET = "hunter2-and-a-half/+=";
    private static final String TRIGGER =
            "{\"trigger\": {\"which\": \"crm\", \"secret\": {\"$secret\": \"crm\"}, \"headers\": {\"Authorization\": {\"$secret\": \"crm\"}}}}";

    /** Repeats the header, as it is and encoded, in body and headers. */
    private static Reply echo(HttpPeer.Got got) {
        String value = got.header("Authorization");
        String encoded = Base64.getEncoder().encodeToString(value.getBytes(UTF_8));
        String body = "{\"sent\": \"" + value + "\", \"encoded\": \"" + encoded + "\", \"" + value + "\": [\"" + value
                + "\"]}";
        return new Reply(200, Map.of("Content-Type", "application/json", "X-Echo", value), body);
    }

    private static RestFixture served(HttpPeer peer, String tenants) throws Exception {
        return new RestFixture(Map.of(
                "outbound.allowedNetworks",
                "127.0.0.1",
                "secret.crm.value",
                SECRET,
                "secret.crm.origins",
                "https://elsewhere.example, " + peer.url(""),
                "secret.crm.tenants",
                tenants));
    }

    private static Answer run(RestFixture rest, String url, String reference) throws Exception {
        rest.publish("""
                {"id": "calls", "displayName": "C", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "core.http",
                   "parameters": {"url": "%s", "headers": {"Authorization": %s}},
                   "policies": {"retry": {"maxAttempts": 1}}}]}""".formatted(url, reference));
        String run = rest.post("/api/v1/workflows/calls/execute", TRIGGER).text("/executionId");
        return rest.finished(run, "");
    }

    @Test
    void itIsSentAndStandsNowhere() throws Exception {
        try (HttpPeer peer = new HttpPeer(SecretReferenceTest::echo);
                RestFixture rest = served(peer, "")) {
            Answer done = run(rest, peer.url("/a"), "{\"$secret\": \"crm\", \"prefix\": \"Bearer \"}");

            assertEquals("Succeeded", done.text("/status"), done::toString);
            assertEquals(
                    List.of("Bearer " + SECRET),
                    peer.all().stream().map(got -> got.header("Authorization")).toList());
            String run = done.text("/executionId");
            String shown = done
                    + rest.get("/api/v1/executions/" + run + "/timeline").toString()
                    + rest.get("/api/v1/workflows/calls");
            assertTrue(shown.contains("[hidden]"), shown);
            for (String form : List.of(
                    SECRET,
                    "hunter2",
                    Base64.getEncoder()
                            .encodeToString(("Bearer " + SECRET).getBytes(UTF_8))
                            .substring(12))) {
                assertFalse(shown.contains(form), shown);
            }
        }
    }

    @Test
    void itIsRefusedToOthersAndElsewhere() throws Exception {
        try (HttpPeer peer = new HttpPeer(SecretReferenceTest::echo)) {
            for (List<String> bad : List.of(
                    List.of("acme", peer.url("/a"), "{\"$secret\": \"crm\"}", "no secret of that name"),
                    List.of("", peer.url("/a"), "{\"$secret\": \"none\"}", "no secret of that name"),
                    List.of("", "http://localhost:1/a", "{\"$secret\": \"crm\"}", "may not be sent there"),
                    List.of("", peer.url("/a"), "{\"$secret\": \"crm\", \"more\": 1}", "{\\\"$secret\\\": NAME}"),
                    List.of("", peer.url("/a"), "{\"$secret\": \"crm\", \"prefix\": 1}", "it is text"),
                    List.of(
                            "",
                            peer.url("/a"),
                            "{\"$secret\": \"crm\", \"prefix\": \"" + "x".repeat(101) + "\"}",
                            "100"),
                    List.of("", peer.url("/a"), "\"{{ trigger.secret }}\"", "by the definition alone"),
                    List.of("", peer.url("/a"), "{\"$secret\": \"{{ trigger.which }}\"}", "by the definition alone"),
                    List.of(
                            "",
                            peer.url("/a"),
                            "{\"$secret\": \"crm\", \"prefix\": \"{{ trigger.which }}\"}",
                            "by the definition alone"))) {
                try (RestFixture rest = served(peer, bad.getFirst())) {
                    Answer done = run(rest, bad.get(1), bad.get(2));

                    assertEquals("Failed", done.text("/status"), done::toString);
                    assertEquals("INVALID_PARAMETERS", done.text("/error/code"), done::toString);
                    assertTrue(done.toString().contains(bad.get(3)), done::toString);
                    assertFalse(done.toString().contains("hunter2"), done::toString);
                }
            }
            assertEquals(List.of(), peer.all());
        }
    }

    /** Whoever starts an execution names no secret, wherever templates put what they give. */
    @Test
    void whatAStarterGivesIsSentAsItIsOrRefused() throws Exception {
        try (HttpPeer peer = new HttpPeer(SecretReferenceTest::echo);
                RestFixture rest = served(peer, "")) {
            rest.publish("""
                    {"id": "gives", "displayName": "C", "startNode": "a", "nodes": [
                      {"id": "a", "actionType": "core.http",
                       "parameters": {"url": "%s", "headers": "{{ trigger.headers }}"}}]}""".formatted(peer.url("/a")));
            Answer refused = rest.finished(
                    rest.post("/api/v1/workflows/gives/execute", TRIGGER).text("/executionId"), "");
            assertEquals("INVALID_PARAMETERS", refused.text("/error/code"), refused::toString);
            assertEquals(List.of(), peer.all());

            rest.publish("""
                    {"id": "sends", "displayName": "C", "startNode": "a", "nodes": [
                      {"id": "a", "actionType": "core.http",
                       "parameters": {"url": "%s", "method": "POST", "headers": {"Authorization": "none"},
                         "json": "{{ trigger.secret }}"}}]}""".formatted(peer.url("/a")));
            Answer sent = rest.finished(
                    rest.post("/api/v1/workflows/sends/execute", TRIGGER).text("/executionId"), "");
            assertEquals("Succeeded", sent.text("/status"), sent::toString);
            assertEquals("{\"$secret\":\"crm\"}", peer.all().getFirst().body());
        }
    }

    /** Whatever stands before it: the secret alone is hidden, too. */
    @Test
    void aFailureDoesNotTellItWhateverThePrefixIs() throws Exception {
        Map<String, String> text = Map.of("Content-Type", "text/plain");
        try (HttpPeer peer = new HttpPeer(got -> new Reply(401, text, "invalid key " + SECRET))) {
            for (String prefix : List.of("ApiKey:", "key-", "Bearer ", "")) {
                try (RestFixture rest = served(peer, "")) {
                    Answer done = run(rest, peer.url("/a"), "{\"$secret\": \"crm\", \"prefix\": \"" + prefix + "\"}");

                    assertEquals("HTTP_401", done.text("/error/code"), done::toString);
                    assertEquals("invalid key [hidden]", done.text("/error/details/body"), prefix);
                }
            }
        }
    }

    @Test
    void theAnswerIsAskedForWholeAndNotEncoded() throws Exception {
        Map<String, String> packed = Map.of("Content-Type", "text/plain", "Content-Encoding", "gzip");
        try (HttpPeer peer = new HttpPeer(got -> new Reply(200, packed, "what nobody can look through"))) {
            try (RestFixture rest = served(peer, "")) {
                Answer done = run(rest, peer.url("/a"), "{\"$secret\": \"crm\"}");

                assertEquals("RESPONSE_ENCODED", done.text("/error/code"), done::toString);
                assertEquals("identity", peer.all().getFirst().header("Accept-Encoding"));
            }
            for (String header : List.of("\"accept-encoding\": \"gzip\"", "\"Range\": \"bytes=0-4\"")) {
                try (RestFixture rest = served(peer, "")) {
                    Answer refused = run(rest, peer.url("/a"), "{\"$secret\": \"crm\"}, " + header);

                    assertEquals("INVALID_PARAMETERS", refused.text("/error/code"), refused::toString);
                }
            }
            assertEquals(1, peer.all().size());
        }
    }

    @Test
    void aTenantThatMayNameItIsServed() throws Exception {
        try (HttpPeer peer = new HttpPeer(SecretReferenceTest::echo);
                RestFixture rest = served(peer, "acme,default")) {
            assertEquals(
                    "Succeeded",
                    run(rest, peer.url("/a"), "{\"$secret\": \"crm\"}").text("/status"));
            assertEquals(
                    404,
                    rest.get("/api/v1/workflows/calls", LoopbackCallers.TENANT, "acme")
                            .status());
        }
    }
}
