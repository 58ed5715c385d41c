package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dead letters over REST, those of the outbox among them. */
final class DeadLetterRoutesTest {
    private static final String ROOT = "/api/v1/dead-letters";
    private static final DeadSource TRIGGER = new DeadSource("trigger");

    /** Nobody listens there, and one attempt is all; nobody retries a trigger's letters here. */
    private static final Map<String, String> FLAGS = Map.of(
            "webhook.shop.url",
            "http://127.0.0.1:1/hook",
            "webhook.shop.secret",
            "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
            "outbox.attempts",
            "1");

    private final RestFixture rest;

    DeadLetterRoutesTest() throws Exception {
        rest = new RestFixture(FLAGS);
    }

    @BeforeEach
    void threeOfATriggerAndTwoOfTheOutbox() throws Exception {
        letter("default", "one", DeadReason.VALIDATION, 3);
        letter("default", "two", DeadReason.POISON, 0);
        letter("default", "three", DeadReason.VALIDATION, 0);
        letter("other", "theirs", DeadReason.POISON, 0);
        rest.publish("""
                {"id": "tell", "displayName": "Tell", "startNode": "a", "nodes": [
                  {"id": "a", "actionType": "core.webhook",
                   "parameters": {"endpoint": "shop", "type": "com.example.paid", "data": {"n": 1}}}]}""");
        for (int i = 0; i < 2; i++) {
            assertEquals(202, rest.post("/api/v1/workflows/tell/execute", "").status());
        }
        rest.until("/api/v1/outbox?state=dead", answer -> items(answer).size() == 2);
    }

    @AfterEach
    void close() {
        rest.close();
    }

    private void letter(String tenant, String key, DeadReason reason, int retries) throws Exception {
        PoisonMessage poison = new PoisonMessage(
                new TenantId(tenant),
                TRIGGER,
                key,
                new Slot(7),
                Optional.empty(),
                reason,
                JsonObject.builder().put("delivery", key).build(),
                "no " + key);
        rest.ports().deadLetters().failed(poison, new DeadLetterConfig(true, "q", retries, Duration.ofHours(1)));
    }

    private static List<JsonObject> items(Answer answer) {
        return ((JsonArray) answer.at("/items"))
                .items().stream().map(JsonObject.class::cast).toList();
    }

    private List<String> ids(String query) throws Exception {
        Answer answer = rest.get(ROOT + query);
        assertEquals(200, answer.status(), answer::toString);
        return items(answer).stream()
                .map(item -> item.get("id") instanceof JsonString(String id) ? id : "")
                .toList();
    }

    @Test
    void theOutboxStandsBehindTheOthersAndPagesGoOn() throws Exception {
        List<String> all = ids("");
        assertEquals(5, all.size());
        List<String> paged = new ArrayList<>();
        String next = "";
        do {
            Answer page = rest.get(ROOT + "?limit=2" + next);
            paged.addAll(ids("?limit=2" + next));
            next = page.at("/next") instanceof JsonString(String cursor) ? "&cursor=" + cursor : "";
        } while (!next.isEmpty());
        assertEquals(all, paged);
        assertEquals(all, ids("?limit=5"));
        assertEquals(all.subList(0, 3), ids("?limit=3"));

        assertEquals(all.subList(0, 3), ids("?source=trigger"));
        assertEquals(all.subList(3, 5), ids("?source=effect"));
        assertEquals(List.of(all.get(0), all.get(2)), ids("?reason=VALIDATION"));
        assertEquals(all.subList(3, 5), ids("?reason=exhausted"));
        assertEquals(all.subList(0, 1), ids("?state=waiting"));
        assertEquals(all.subList(1, 5), ids("?state=dead"));
        assertEquals(List.of(), ids("?source=nobody"));
        assertEquals(all.subList(3, 4), ids("?executionId=" + all.get(3).substring(0, 36)));
        assertEquals(List.of(), ids("?failedBefore=2020-01-01T00:00:00Z"));
    }

    @Test
    void oneIsShownWithAllThatIsKnown() throws Exception {
        List<String> all = ids("");
        Answer waiting = rest.get(ROOT + "/" + all.getFirst());
        assertEquals("waiting", waiting.text("/state"));
        assertEquals("no one", waiting.text("/lastError"));
        assertEquals("workflow-dlq", waiting.text("/queue"));
        assertEquals("one", waiting.text("/payload/delivery"));
        assertEquals(JsonNumber.of(1), waiting.at("/attempts"));
        assertTrue(waiting.text("/dueAt").compareTo(waiting.text("/enqueuedAt")) > 0);

        Answer effect = rest.get(ROOT + "/" + all.getLast());
        assertEquals("effect", effect.text("/source"));
        assertEquals("EXHAUSTED", effect.text("/reason"));
        assertEquals("webhook:shop", effect.text("/destination"));
        assertEquals("com.example.paid", effect.text("/payload/type"));
        assertTrue(effect.text("/lastError").contains("OUTBOUND_UNREACHABLE"), effect::toString);
    }

    @Test
    void oneIsRequeuedOrPurgedAndItIsKnownWhoDidIt() throws Exception {
        List<String> all = ids("");
        String dead = ROOT + "/" + all.get(1);
        assertEquals(
                200,
                rest.post(dead + "/requeue", "{\"comment\":\"it is mended\"}").status());
        Answer requeued = rest.get(dead);
        assertEquals("waiting", requeued.text("/state"));
        assertEquals("requeue", requeued.text("/deeds/0/deed"));
        assertEquals("it is mended", requeued.text("/deeds/0/comment"));
        assertEquals(200, rest.delete(dead + "?comment=no").status());
        assertEquals(404, rest.get(dead).status());
        assertEquals("DEAD_LETTER_NOT_FOUND", rest.delete(dead).text("/code"));

        String effect = ROOT + "/" + all.get(3);
        assertEquals(200, rest.delete(effect).status());
        assertEquals(404, rest.get(effect).status());
        assertEquals(404, rest.get(ROOT + "/nonsense").status());
        assertEquals(3, ids("").size());
    }

    @Test
    void manyAreRequeuedAndPurgedByWhatIsMeant() throws Exception {
        Answer requeued =
                rest.post(ROOT + "/requeue", "{\"reason\":\"VALIDATION\",\"state\":\"dead\",\"perSecond\":5}");
        assertEquals(JsonNumber.of(1), requeued.at("/requeued"), requeued::toString);
        assertEquals(2, ids("?state=waiting").size());

        Answer some = rest.post(ROOT + "/purge", "{\"limit\":4,\"comment\":\"all of it\"}");
        assertEquals(JsonNumber.of(4), some.at("/purged"), some::toString);
        assertEquals("{\"more\":true,\"purged\":4}", some.response().body());
        assertEquals(
                "{\"more\":false,\"purged\":1}",
                rest.post(ROOT + "/purge", "{}").response().body());
        assertEquals(List.of(), ids(""));
    }

    @Test
    void anotherTenantSeesAndTouchesNothing() throws Exception {
        String[] other = {LoopbackCallers.TENANT, "other"};
        String one = ROOT + "/" + ids("").getFirst();

        assertEquals(1, items(rest.get(ROOT, other)).size());
        assertEquals(404, rest.get(one, other).status());
        assertEquals(404, rest.post(one + "/requeue", "", other).status());
        assertEquals(404, rest.delete(one, other).status());
        assertEquals(
                "{\"more\":false,\"purged\":1}",
                rest.post(ROOT + "/purge", "{}", other).response().body());
        assertEquals(5, ids("").size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "state=gone",
                "reason=bad",
                "source=%20",
                "executionId=7",
                "failedBefore=now",
                "cursor=%21",
                "cursor=eA",
                "limit=0",
                "death=EXHAUSTED"
            })
    void whatIsNotUnderstoodIsRefused(String query) throws Exception {
        Answer refused = rest.get(ROOT + "?" + query);

        assertEquals(400, refused.status(), refused::toString);
        assertEquals("INVALID_REQUEST", refused.text("/code"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"state\":\"gone\"}",
                "{\"reason\":\"bad\"}",
                "{\"limit\":0}",
                "{\"perSecond\":0}",
                "{\"destination\":\"x\"}",
                "{\"comment\":\"\"}",
                "[]"
            })
    void aBodyThatIsNotUnderstoodIsRefused(String body) throws Exception {
        assertEquals(400, rest.post(ROOT + "/requeue", body).status());
        assertEquals(5, ids("").size());
    }
}
