package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Messages that leave, over REST: seen by their tenant, put back and removed if they are dead, by whoever is known to have done it. */
final class OutboxRoutesTest {
    private static final String NOBODY = "01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d:7:0";

    /** Nobody listens there, and one attempt is all. */
    private static final Map<String, String> FLAGS = Map.of(
            "webhook.shop.url",
            "http://127.0.0.1:1/hook",
            "webhook.shop.secret",
            "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
            "outbox.attempts",
            "1");

    private static RestFixture open() throws Exception {
        RestFixture rest = new RestFixture(FLAGS);
        rest.publish("""
                {"id": "tell", "displayName": "Tell", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "core.webhook",
                   "parameters": {"endpoint": "shop", "type": "com.example.paid", "data": {"n": 1}}}]}""");
        return rest;
    }

    /** Starts so many, and waits until their messages are dead. */
    private static List<String> dead(RestFixture rest, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            assertEquals(202, rest.post("/api/v1/workflows/tell/execute", "").status());
        }
        Answer list =
                rest.until("/api/v1/outbox?state=dead", answer -> items(answer).size() == count);
        return items(list).stream().map(item -> text(item, "message")).toList();
    }

    private static List<JsonObject> items(Answer answer) {
        return ((JsonArray) answer.at("/items"))
                .items().stream().map(JsonObject.class::cast).toList();
    }

    private static String text(JsonValue object, String member) {
        return ((JsonObject) object).get(member) instanceof JsonString(String text) ? text : "";
    }

    @Test
    void listsGoOnAndShowWhatIsAskedFor() throws Exception {
        try (RestFixture rest = open()) {
            List<String> all = dead(rest, 5);
            List<String> paged = new ArrayList<>();
            String next = "";
            do {
                Answer page = rest.get("/api/v1/outbox?limit=2" + next);
                items(page).forEach(item -> paged.add(text(item, "message")));
                next = page.at("/next") instanceof JsonString(String cursor) ? "&after=" + cursor : "";
            } while (!next.isEmpty());

            assertEquals(all, paged);
            assertEquals(5, items(rest.get("/api/v1/outbox?death=EXHAUSTED")).size());
            assertEquals(0, items(rest.get("/api/v1/outbox?state=pending")).size());
            assertEquals(0, items(rest.get("/api/v1/outbox?destination=mail")).size());
            String run = all.getFirst().substring(0, 36);
            assertEquals(1, items(rest.get("/api/v1/outbox?executionId=" + run)).size());
            Answer one = rest.get("/api/v1/outbox/" + all.getFirst());
            assertEquals("EXHAUSTED", one.text("/death"));
            assertEquals("com.example.paid", one.text("/content/type"));
            assertEquals("dead", one.text("/evidence/0/outcome"));
            assertTrue(one.text("/evidence/0/error").contains("OUTBOUND_UNREACHABLE"), one::toString);
        }
    }

    @Test
    void anotherTenantSeesAndTouchesNothing() throws Exception {
        try (RestFixture rest = open()) {
            String key = dead(rest, 1).getFirst();
            String[] other = {LoopbackCallers.TENANT, "other"};

            assertEquals(0, items(rest.get("/api/v1/outbox", other)).size());
            assertEquals(
                    "MESSAGE_NOT_FOUND",
                    rest.get("/api/v1/outbox/" + key, other).text("/code"));
            assertEquals(
                    404,
                    rest.post("/api/v1/outbox/" + key + "/requeue", "", other).status());
            assertEquals(404, rest.delete("/api/v1/outbox/" + key, other).status());
            assertEquals(
                    JsonNumber.of(0),
                    rest.post("/api/v1/outbox/requeue", "{}", other).at("/requeued"));
            assertEquals(
                    JsonNumber.of(0),
                    rest.post("/api/v1/outbox/purge", "{}", other).at("/purged"));
            assertEquals("dead", rest.get("/api/v1/outbox/" + key).text("/state"));
        }
    }

    @Test
    void whoDidItIsKnown() throws Exception {
        try (RestFixture rest = open()) {
            List<String> keys = dead(rest, 2);
            Answer again = rest.post(
                    "/api/v1/outbox/" + keys.getFirst() + "/requeue",
                    "{\"reason\": \"the shop is up\"}",
                    LoopbackCallers.PRINCIPAL,
                    "user:ann");
            assertEquals(200, again.status(), again::toString);
            assertEquals("requeue", again.text("/deeds/0/deed"));
            assertEquals("user:ann", again.text("/deeds/0/actor"));
            assertEquals("the shop is up", again.text("/deeds/0/reason"));
            rest.until(
                    "/api/v1/outbox/" + keys.getFirst(),
                    answer -> answer.text("/state").equals("dead"));

            assertEquals(
                    "INVALID_REQUEST",
                    rest.delete("/api/v1/outbox/" + keys.getLast() + "?reason=").text("/code"));
            assertEquals(
                    200,
                    rest.delete("/api/v1/outbox/" + keys.getLast() + "?reason=it%20was%20canceled")
                            .status());
            Answer gone = rest.get("/api/v1/outbox/" + keys.getLast());
            assertEquals("gone", gone.text("/state"));
            assertEquals(JsonNumber.of(1), gone.at("/attempts"));
            assertEquals("purge", gone.text("/deeds/0/deed"));
            assertEquals("it was canceled", gone.text("/deeds/0/reason"));
            assertEquals(
                    "INVALID_STATE",
                    rest.delete("/api/v1/outbox/" + keys.getLast()).text("/code"));
        }
    }

    @Test
    void manyArePutBackUpToALimit() throws Exception {
        try (RestFixture rest = open()) {
            dead(rest, 3);

            Answer some = rest.post(
                    "/api/v1/outbox/requeue",
                    "{\"destination\": \"webhook:shop\", \"death\": \"exhausted\", \"limit\": 2, \"perSecond\": 1}");

            assertEquals(JsonNumber.of(2), some.at("/requeued"));
            assertEquals(JsonBoolean.of(true), some.at("/more"));
        }
    }

    @Test
    void whatMeansNothingIsRefused() throws Exception {
        try (RestFixture rest = open()) {
            assertEquals(
                    "MESSAGE_NOT_FOUND", rest.get("/api/v1/outbox/" + NOBODY).text("/code"));
            assertEquals(
                    "MESSAGE_NOT_FOUND", rest.get("/api/v1/outbox/nonsense").text("/code"));
            assertEquals(
                    404, rest.post("/api/v1/outbox/" + NOBODY + "/requeue", "").status());
            for (String query : List.of("state=gone", "death=OLD", "executionId=x", "after=x", "limit=0", "what=7")) {
                assertEquals(400, rest.get("/api/v1/outbox?" + query).status(), query);
            }
            for (String body : List.of(
                    "{\"limit\": 0}",
                    "{\"limit\": 10001}",
                    "{\"perSecond\": 0}",
                    "{\"death\": \"OLD\"}",
                    "{\"failedBefore\": \"soon\"}",
                    "{\"executionId\": \"x\"}",
                    "{\"what\": 7}",
                    "[]")) {
                assertEquals(400, rest.post("/api/v1/outbox/requeue", body).status(), body);
            }
        }
    }
}
