package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.effect.Receiver;
import dev.flowstone.server.effect.Receiver.Received;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Webhooks, from a workflow to somebody's endpoint, on PostgreSQL. */
@Execution(ExecutionMode.CONCURRENT) // each waits most of its time, on a database of its own
final class WebhookTest {
    private static final WebhookSecret SECRET = WebhookSecret.generate();
    private static final WebhookSecret PREVIOUS = WebhookSecret.generate();
    private static final String TELLING = """
            {"id": "ID", "displayName": "Telling", "startNode": "tell", "nodes": [
              {"id": "tell", "actionType": "core.webhook",
               "parameters": {"endpoint": "ENDPOINT", "type": "com.example.paid", "data": {"n": "{{ trigger.n }}"}}}]}""";

    @TempDir
    Path data = Path.of("");

    private House open(Receiver receiver, String... more) throws Exception {
        Map<String, String> flags = new HashMap<>();
        flags.put("webhook.shop.url", receiver.url());
        flags.put("webhook.shop.secret", SECRET.text());
        flags.put("webhook.shop.previousSecret", PREVIOUS.text());
        for (int i = 0; i < more.length; i += 2) {
            flags.put(more[i], more[i + 1]);
        }
        return House.open(data, flags, BuiltInActions.registry());
    }

    private static void publish(House house, String id, String endpoint) throws Exception {
        house.publish(TELLING.replace("ID", id).replace("ENDPOINT", endpoint));
    }

    private static String trigger(int n) {
        return "{\"trigger\": {\"n\": " + n + "}}";
    }

    private static Answer until(House house, String path, Predicate<Answer> good) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            Answer answer = house.get(path).expect(200);
            if (good.test(answer)) {
                return answer;
            }
            assertTrue(System.nanoTime() < end, answer::text);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static List<JsonValue> items(Answer answer, String member) {
        return answer.object().get(member) instanceof JsonArray(List<JsonValue> items) ? items : List.of();
    }

    private static boolean is(Answer answer, String state) {
        return answer.text("state").equals(state);
    }

    @Test
    void aMessageIsSignedAndHasOneKeyHoweverOftenItIsTried() throws Exception {
        try (Receiver receiver = new Receiver();
                House house = open(receiver)) {
            int[] calls = {0};
            receiver.answering(_ -> calls[0]++ == 0 ? 503 : 204);
            publish(house, "tell", "shop");
            RunRow row = house.run("tell", trigger(7));

            assertEquals(RunStatus.SUCCEEDED, row.status(), "it waits for nothing");
            Received first = receiver.next();
            Received second = receiver.next();
            String key = first.header("webhook-id");
            assertEquals(key, second.header("webhook-id"));
            String output = house.history(row)
                    .all(EventBody.TaskCompleted.class)
                    .getFirst()
                    .toString();
            assertTrue(output.contains(key), output);
            for (WebhookSecret secret : List.of(SECRET, PREVIOUS)) {
                assertEquals(
                        WebhookSignature.Verdict.GENUINE,
                        WebhookSignature.verify(
                                second.headers(),
                                second.body(),
                                List.of(secret),
                                Instant.now(),
                                Duration.ofMinutes(5)));
            }
            String body = new String(second.body(), StandardCharsets.UTF_8);
            assertTrue(body.contains("\"data\":{\"n\":7}"), body);
            assertEquals(body, new String(first.body(), StandardCharsets.UTF_8));
            Answer story = until(house, "/outbox/" + key, it -> is(it, "gone"));
            assertEquals(2, items(story, "evidence").size(), story::text);
            assertEquals(0, items(house.get("/outbox").expect(200), "items").size());
        }
    }

    @Test
    void aDeadLetterIsPutBackAndDelivered() throws Exception {
        try (Receiver receiver = new Receiver();
                House house = open(receiver)) {
            receiver.answering(_ -> 410);
            publish(house, "tell", "shop");
            house.run("tell", trigger(1));
            String key = receiver.next().header("webhook-id");
            Answer dead = until(house, "/outbox/" + key, it -> is(it, "dead"));
            assertEquals("UNDELIVERABLE", dead.text("death"));
            assertEquals("the endpoint answered 410", dead.text("error"));
            assertEquals(
                    1,
                    items(
                                    house.get("/outbox?state=dead&destination=webhook:shop")
                                            .expect(200),
                                    "items")
                            .size());

            receiver.answering(_ -> 200);
            house.post("/outbox/" + key + "/requeue", "{\"reason\": \"the shop is up\"}")
                    .expect(200);

            assertEquals(key, receiver.next().header("webhook-id"));
            Answer gone = until(house, "/outbox/" + key, it -> is(it, "gone"));
            assertEquals(2, items(gone, "evidence").size());
            JsonObject deed = (JsonObject) items(gone, "deeds").getFirst();
            assertTrue(
                    deed.toString().contains("requeue") && deed.toString().contains("the shop is up"), deed::toString);
            assertEquals(
                    "INVALID_STATE",
                    house.post("/outbox/" + key + "/requeue", "").expect(409).text("code"));
        }
    }

    @Test
    void deadLettersAreRemoved() throws Exception {
        try (Receiver receiver = new Receiver();
                House house = open(receiver)) {
            receiver.answering(_ -> 410);
            publish(house, "tell", "shop");
            for (int i = 0; i < 3; i++) {
                house.run("tell", trigger(i));
            }
            Answer list =
                    until(house, "/outbox?state=dead", it -> items(it, "items").size() == 3);
            assertTrue(list.text().contains("UNDELIVERABLE"));

            Answer purged = house.post("/outbox/purge", "{\"destination\": \"webhook:shop\", \"limit\": 2}")
                    .expect(200);

            assertTrue(purged.text().contains("\"purged\":2") && purged.text().contains("\"more\":true"), purged::text);
            assertEquals(1, items(house.get("/outbox").expect(200), "items").size());
        }
    }

    @Test
    void aMessageThatWasCommittedLeavesAfterARestart() throws Exception {
        try (Receiver receiver = new Receiver()) {
            receiver.answering(_ -> 503);
            String key;
            try (House house = open(receiver)) {
                publish(house, "tell", "shop");
                house.run("tell", trigger(1));
                key = receiver.next().header("webhook-id");
            }
            receiver.answering(_ -> 204);
            try (House house = open(receiver)) {
                assertEquals(key, receiver.next().header("webhook-id"));
                until(house, "/outbox/" + key, it -> is(it, "gone"));
            }
        }
    }

    @Test
    void whatIsSuspendedSendsNothing() throws Exception {
        try (Receiver receiver = new Receiver();
                House house = open(receiver)) {
            receiver.answering(_ -> 503);
            publish(house, "held", "shop");
            publish(house, "free", "shop");
            house.run("held", trigger(1));
            String held = receiver.next().header("webhook-id");
            house.post("/control/suspend", "{\"scope\": \"workflow\", \"workflowId\": \"held\", \"reason\": \"audit\"}")
                    .expect(200);
            receiver.answering(_ -> 204);
            Answer waiting =
                    until(house, "/outbox/" + held, it -> items(it, "evidence").size() > 0);
            Instant due = Instant.parse(waiting.text("dueAt"));
            until(house, "/outbox/" + held, _ -> Instant.now().isAfter(due.plusSeconds(1)));
            while (receiver.waiting() > 0) {
                receiver.next();
            }

            house.run("free", trigger(2));

            assertNotEquals(held, receiver.next().header("webhook-id"));
            assertEquals("pending", house.get("/outbox/" + held).expect(200).text("state"));
            house.post("/control/resume", "{\"scope\": \"workflow\", \"workflowId\": \"held\", \"reason\": \"done\"}")
                    .expect(200);
            assertEquals(held, receiver.next().header("webhook-id"));
        }
    }

    @Test
    void anEndpointThatIsNotConfiguredFailsTheTask() throws Exception {
        try (Receiver receiver = new Receiver();
                House house = open(receiver)) {
            publish(house, "lost", "elsewhere");
            RunRow row = house.run("lost", trigger(1));

            assertEquals(RunStatus.FAILED, row.status());
            EventBody.TaskFailed failed =
                    house.history(row).all(EventBody.TaskFailed.class).getFirst();
            assertEquals("UNKNOWN_ENDPOINT", failed.error().code());
            assertTrue(failed.error().details().toString().contains("/endpoint"));
            assertEquals(0, items(house.get("/outbox").expect(200), "items").size());
            assertEquals(0, receiver.waiting());
            RunId run = row.key().run();
            assertEquals(
                    0,
                    items(house.get("/outbox?executionId=" + run).expect(200), "items")
                            .size());
        }
    }
}
