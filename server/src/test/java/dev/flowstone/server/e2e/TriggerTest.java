package dev.flowstone.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.server.e2e.House.Answer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Triggers over HTTP and on PostgreSQL: made, shown, changed, fired by hand. */
@ExtendWith(SharedHouse.class)
final class TriggerTest {
    private static final String[] GLOBEX = {"Flowstone-Tenant", "globex"};
    private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3";

    private final House house;

    TriggerTest(House house) {
        this.house = house;
    }

    private String workflow(String id) throws Exception {
        house.publish(Crm.STEPS.replace("\"steps\"", "\"" + id + "\""));
        return id;
    }

    private static String manual(String workflow, String more) {
        return "{\"workflowId\": \"" + workflow + "\", \"triggerType\": \"Manual\"" + more + "}";
    }

    private static String webhook(String workflow) {
        return "{\"workflowId\": \"" + workflow + "\", \"triggerType\": \"Webhook\", \"config\": {\"secrets\": [\""
                + SECRET + "\"]}}";
    }

    private String made(String body) throws Exception {
        return "/triggers/" + house.post("/triggers", body).expect(201).text("id");
    }

    private static String text(Answer answer, String member) {
        return Sender.text(answer.object(), member);
    }

    @Test
    void oneIsMadeShownChangedAndRemoved() throws Exception {
        String path = made(webhook(workflow("trigger-life")));

        Answer shown = house.get(path).expect(200);
        assertEquals("trigger-life", text(shown, "workflowId"));
        assertEquals("Webhook", text(shown, "triggerType"));
        assertEquals("true", text(shown, "isEnabled"), "unless it says otherwise");
        assertEquals("/api/v1" + path, text(shown, "url"));
        assertTrue(shown.text().contains("\"config\":{\"secrets\":[\"$set\"],\"toleranceSeconds\":300}"), shown::text);
        assertEquals("user:system", text(shown, "createdBy"));

        String change = "{\"config\": {\"toleranceSeconds\": 60}, \"activationCondition\": \"trigger.a > 1\","
                + " \"isEnabled\": false, \"triggerType\": \"Webhook\", \"workflowId\": \"trigger-life\"}";
        assertEquals(
                "PRECONDITION_FAILED",
                house.put(path, change, "If-Match", "\"r2\"").expect(412).text("code"));
        Answer changed = house.put(path, change, "If-Match", "\"r1\"").expect(200);
        assertEquals("2", text(changed, "revision"));
        assertEquals("false", text(changed, "isEnabled"));
        assertEquals("trigger.a > 1", text(changed, "activationCondition"));
        assertTrue(changed.text().contains("\"secrets\":[\"$set\"],\"toleranceSeconds\":60"), changed::text);
        Answer again = house.put(path, "{}").expect(200);
        assertEquals("false", text(again, "isEnabled"), "what isn't said stays");
        assertEquals("trigger.a > 1", text(again, "activationCondition"));
        assertTrue(again.text().contains("\"toleranceSeconds\":60"), again::text);
        Answer none = house.put(path, "{\"activationCondition\": null, \"config\": {\"toleranceSeconds\": null}}")
                .expect(200);
        assertEquals("null", text(none, "activationCondition"));
        assertTrue(none.text().contains("\"secrets\":[\"$set\"],\"toleranceSeconds\":300"), none::text);

        house.post(path + "/enable", "", "If-Match", "\"r1\"").expect(412);
        house.post(path + "/disable", "", "If-Match", "\"r1\"").expect(412);
        house.delete(path, "If-Match", "\"r1\"").expect(412);
        assertEquals("true", text(house.post(path + "/enable", "").expect(200), "isEnabled"));
        assertEquals("5", text(house.post(path + "/enable", "").expect(200), "revision"), "it is so already");
        assertEquals("false", text(house.post(path + "/disable", "").expect(200), "isEnabled"));

        house.delete(path).expect(204);
        for (Answer gone : List.of(house.get(path), house.delete(path), house.post(path + "/fire", ""))) {
            assertEquals("TRIGGER_NOT_FOUND", gone.expect(404).text("code"));
        }
    }

    @Test
    void whatIsNotUnderstoodIsRefusedWithItsPlace() throws Exception {
        workflow("trigger-bad");
        String hook = "{\"workflowId\": \"trigger-bad\", \"triggerType\": \"Webhook\", \"config\": ";
        String two = "\"" + SECRET + "\", \"" + SECRET + "\"";
        for (String[] bad : new String[][] {
            {"{}", ""},
            {"{\"workflowId\": \"trigger-bad\"}", ""},
            {manual("trigger-bad", "").replace("Manual", "Cron"), "/triggerType"},
            {manual("trigger-bad", "").replace("Manual", "Schedule"), ""},
            {manual("trigger-bad", "").replace("Manual", "Event"), ""},
            {manual("trigger-bad", ", \"isEnabled\": 1"), "/isEnabled"},
            {manual("trigger-bad", ", \"unknown\": 1"), "/unknown"},
            {manual("trigger-bad", ", \"config\": {\"secrets\": [\"" + SECRET + "\"]}"), "/config/secrets"},
            {manual("trigger-bad", ", \"activationCondition\": \"trigger.a >\""), "/activationCondition"},
            {manual("trigger-bad", ", \"activationCondition\": \"context.data.a\""), "/activationCondition"},
            {manual("trigger-bad", ", \"activationCondition\": 7"), "/activationCondition"},
            {hook.replace(", \"config\": ", "}"), ""},
            {hook + "{}}", "/config"},
            {hook + "{\"secrets\": []}}", "/config/secrets"},
            {hook + "{\"secrets\": [" + two + ", \"" + SECRET + "\"]}}", "/config/secrets"},
            {hook + "{\"secrets\": [\"whsec_c2hvcnQ=\"]}}", "/config/secrets/0"},
            {hook + "{\"secrets\": [\"$set\"]}}", "/config/secrets"},
            {hook + "{\"secrets\": [" + two + "], \"toleranceSeconds\": 901}}", "/config/toleranceSeconds"},
            {hook + "{\"secrets\": [" + two + "], \"url\": \"x\"}}", "/config/url"}
        }) {
            Answer refused = house.post("/triggers", bad[0]).expect(400);
            assertEquals("INVALID_REQUEST", refused.text("code"), bad[0]);
            assertTrue(refused.text().contains("\"pointer\":\"" + bad[1] + "\""), () -> bad[0] + ": " + refused.text());
        }
        assertEquals(
                "WORKFLOW_NOT_FOUND",
                house.post("/triggers", manual("nowhere", "")).expect(404).text("code"));
        String path = made(manual("trigger-bad", ""));
        house.put(path, "{\"workflowId\": \"other\"}").expect(400);
        house.put(path, "{\"triggerType\": \"Webhook\"}").expect(400);
        house.get("/triggers?triggerType=Cron").expect(400);
        house.get("/triggers?isEnabled=maybe").expect(400);
        house.get("/triggers?cursor=bm90LWFuLWlk").expect(400);
        house.get("/triggers?name=x").expect(400);
        house.get(path + "/deliveries?cursor=bm90LWFuLWlk").expect(400);
    }

    @Test
    void listsAreFilteredAndComeInPages() throws Exception {
        workflow("trigger-list");
        Set<String> all = new TreeSet<>();
        for (int i = 0; i < 5; i++) {
            all.add(made(manual("trigger-list", ", \"isEnabled\": " + (i % 2 == 0))));
        }
        String hook = made(webhook("trigger-list"));
        assertEquals(Set.of(hook), paths("workflowId=trigger-list&triggerType=Webhook", 10));
        assertEquals(2, paths("workflowId=trigger-list&isEnabled=false", 10).size());
        assertEquals(
                3,
                paths("workflowId=trigger-list&isEnabled=true&triggerType=Manual", 2)
                        .size());
        all.add(hook);
        assertEquals(all, paths("workflowId=trigger-list", 4));
        house.post("/workflows/trigger-list/archive", "").expect(200);
        assertEquals(Set.of(), paths("workflowId=trigger-list&isEnabled=true", 10));
        assertEquals(all, paths("workflowId=trigger-list&isEnabled=false", 10));
    }

    private Set<String> paths(String query, int limit) throws Exception {
        Set<String> found = new TreeSet<>();
        String cursor = "";
        while (true) {
            JsonObject page = house.get("/triggers?limit=" + limit + "&" + query + cursor)
                    .expect(200)
                    .object();
            List<JsonValue> items = ((JsonArray) page.find("items").orElseThrow()).items();
            assertTrue(items.size() <= limit);
            items.forEach(it -> found.add("/triggers/" + Sender.text((JsonObject) it, "id")));
            String next = Sender.text(page, "next");
            if (next.equals("null")) {
                return found;
            }
            cursor = "&cursor=" + next;
        }
    }

    @Test
    void aKeyMakesARepetitionTheSameTrigger() throws Exception {
        String body = webhook(workflow("trigger-key"));
        String[] key = {"Idempotency-Key", "make-me-once"};
        String id = house.post("/triggers", body, key).expect(201).text("id");
        assertEquals(id, house.post("/triggers", body, key).expect(200).text("id"));
        assertEquals(
                "IDEMPOTENCY_KEY_REUSED",
                house.post("/triggers", manual("trigger-key", ""), key)
                        .expect(409)
                        .text("code"));
        assertNotEquals(id, house.post("/triggers", body).expect(201).text("id"));
        String[] theirs = {"Idempotency-Key", "make-me-once", "Flowstone-Tenant", "globex"};
        house.post("/triggers", body, theirs).expect(404);

        house.delete("/triggers/" + id).expect(204);
        Answer ghost = house.post("/triggers", body, key).expect(409);
        assertEquals("IDEMPOTENCY_KEY_REUSED", ghost.text("code"));
        assertTrue(ghost.text().contains("removed"), ghost::text);
        house.get("/triggers/" + id).expect(404);
    }

    /** What one changes isn't what the other leaves out. */
    @Test
    void twoWhoChangeItAtOnceBothDo() throws Exception {
        String path = made(webhook(workflow("trigger-both")));
        for (int i = 10; i < 30; i++) {
            String seconds = "{\"config\": {\"toleranceSeconds\": " + i + "}}";
            String condition = "{\"activationCondition\": \"trigger.a > " + i + "\"}";
            List<Callable<Answer>> calls = List.of(() -> house.put(path, seconds), () -> house.put(path, condition));
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (Future<Answer> answer : threads.invokeAll(calls)) {
                    answer.get().expect(200);
                }
            }
            Answer shown = house.get(path).expect(200);
            assertEquals("trigger.a > " + i, text(shown, "activationCondition"));
            assertTrue(shown.text().contains("\"toleranceSeconds\":" + i), shown::text);
        }
    }

    /** Whoever guesses a tenant's name and a script's key can't tell an address by them. */
    @Test
    void theIdIsNoneThatItsKeyTells() throws Exception {
        String body = manual(workflow("trigger-guess"), "");
        String[] key = {"Idempotency-Key", "1"};
        String one = house.post("/triggers", body, key).expect(201).text("id");
        byte[] digest = MessageDigest.getInstance("SHA-256").digest("/api/v1/triggers\0default\0001".getBytes(UTF_8));
        String guessed = HexFormat.of().formatHex(digest).substring(0, 8);
        assertFalse(one.startsWith(guessed), one);
    }

    @Test
    void ofTwoThatMakeOneUnderOneKeyAtOnceOneDoes() throws Exception {
        String workflow = workflow("trigger-race");
        String[] key = {"Idempotency-Key", "race"};
        List<Callable<Answer>> calls = List.of(
                () -> house.post("/triggers", manual(workflow, ""), key),
                () -> house.post("/triggers", manual(workflow, ", \"isEnabled\": false"), key));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Integer> told = new ArrayList<>();
            for (Future<Answer> answer : threads.invokeAll(calls)) {
                told.add(answer.get().status());
            }
            assertEquals(Set.of(201, 409), Set.copyOf(told));
        }
        assertEquals(1, paths("workflowId=trigger-race", 10).size());
    }

    @Test
    void anotherTenantsLooksLikeNone() throws Exception {
        String path = made(manual(workflow("trigger-mine"), ""));
        List<Answer> answers = new ArrayList<>();
        answers.add(house.get(path, GLOBEX));
        answers.add(house.put(path, "{}", GLOBEX));
        answers.add(house.get(path + "/deliveries", GLOBEX));
        answers.add(house.delete(path, GLOBEX));
        for (String verb : List.of("/enable", "/disable", "/fire")) {
            answers.add(house.post(path + verb, "", GLOBEX));
        }
        for (Answer answer : answers) {
            assertEquals("TRIGGER_NOT_FOUND", answer.expect(404).text("code"));
        }
        house.post("/triggers", manual("trigger-mine", ""), GLOBEX).expect(404);
        assertEquals("1", text(house.get(path).expect(200), "revision"));
    }

    @Test
    void oneIsFiredByHand() throws Exception {
        String path = made(manual(workflow("trigger-fired"), ", \"activationCondition\": \"trigger.go === true\""));
        Sender sender = new Sender(path.replace("/triggers/", ""), WebhookSecret.generate());
        String go = "{\"trigger\": {\"go\": true}}";

        String run = house.post(path + "/fire", go, "Idempotency-Key", "k1")
                .expect(202)
                .text("executionId");
        assertEquals(
                run,
                house.post(path + "/fire", go, "Idempotency-Key", "k1")
                        .expect(200)
                        .text("executionId"));
        assertNotEquals(run, house.post(path + "/fire", go).expect(202).text("executionId"));
        assertEquals("ignored", house.post(path + "/fire", "").expect(200).text("status"));
        house.post(path + "/fire", "[]").expect(400);
        house.post(path + "/fire", "{\"payload\": 1}").expect(400);
        house.post(path + "/disable", "").expect(200);
        assertEquals(
                "TRIGGER_DISABLED", house.post(path + "/fire", go).expect(409).text("code"));

        assertEquals(
                "trigger:" + sender.id(),
                house.get("/executions/" + run).expect(200).text("startedBy"));
        assertEquals(List.of("refused", "ignored", "started", "repeated", "started"), sender.statuses(house, 5));
        JsonObject first = sender.settled(house, 5).getLast();
        assertEquals("Manual", Sender.text(first, "source"));
        assertEquals("user:system", Sender.text(first, "firedBy"));
        assertEquals("k1", Sender.text(first, "deliveryId"));

        JsonObject page = house.get(path + "/deliveries?limit=2").expect(200).object();
        String next = Sender.text(page, "next");
        JsonObject rest = house.get(path + "/deliveries?limit=200&cursor=" + next)
                .expect(200)
                .object();
        assertEquals(3, ((JsonArray) rest.find("items").orElseThrow()).items().size());
    }

    @Test
    void eachOfTheFourTypesBeginsExecutions() throws Exception {
        String workflow = workflow("trigger-ways");
        Sender webhook = Sender.of(house, workflow);
        Timetable schedule = Timetable.of(house, workflow, Timetable.EACH_SECOND);
        String event = made(manual(workflow, ", \"config\": {\"source\": \"external\", \"types\": [\"trigger-ways\"]}")
                .replace("Manual", "Event"));
        String hand = made(manual(workflow, ""));

        webhook.send(house, "w-1", "{}").expect(202);
        schedule.settled(house, 1);
        schedule.off(house);
        house.post(
                        "/events",
                        "{\"specversion\": \"1.0\", \"id\": \"e-1\", \"source\": \"/s\", \"type\": \"trigger-ways\"}")
                .expect(202);
        house.post(hand + "/fire", "").expect(202);

        for (String[] way : new String[][] {
            {webhook.path(), "Webhook"}, {schedule.path(), "Schedule"}, {event, "Event"}, {hand, "Manual"}
        }) {
            assertEquals(way[1], text(house.get(way[0]).expect(200), "triggerType"));
            JsonObject page = house.get(way[0] + "/deliveries").expect(200).object();
            JsonObject first = (JsonObject)
                    ((JsonArray) page.find("items").orElseThrow()).items().getLast();
            assertEquals(way[1], Sender.text(first, "source"));
            assertEquals("started", Sender.text(first, "status"), way[1]);
            assertEquals(
                    way[0].replace("/triggers/", "trigger:"),
                    house.get("/executions/" + Sender.text(first, "executionId"))
                            .expect(200)
                            .text("startedBy"));
        }
    }

    /** Case 15: a trigger belongs to its workflow, not to a version of it. */
    @Test
    void publishingAgainLeavesOneAndDeletingTheWorkflowNone() throws Exception {
        String path = made(manual(workflow("trigger-again"), ""));
        String next = Crm.STEPS.replace("\"steps\"", "\"trigger-again\"").replace("Steps", "Other steps");
        house.post("/workflows/trigger-again/draft", next).expect(201);
        house.post("/workflows/trigger-again/publish", "").expect(200);
        assertEquals(Set.of(path), paths("workflowId=trigger-again&isEnabled=true", 10));
        house.post("/workflows/trigger-again/archive", "").expect(200);
        assertEquals(
                "NOT_EXECUTABLE", house.post(path + "/fire", "").expect(409).text("code"));
        house.post("/workflows/trigger-again/reactivate", "").expect(200);
        assertEquals(Set.of(path), paths("workflowId=trigger-again&isEnabled=true", 10));
        String run = house.post(path + "/fire", "").expect(202).text("executionId");
        assertEquals("2", text(house.get("/executions/" + run).expect(200), "workflowVersion"));

        house.draft(Crm.STEPS.replace("\"steps\"", "\"trigger-draft\""));
        String ofDraft = made(webhook("trigger-draft"));
        assertEquals("false", text(house.get(ofDraft).expect(200), "isEnabled"));
        assertEquals(
                "NOT_EXECUTABLE", house.post(ofDraft + "/fire", "").expect(409).text("code"));
        house.post("/workflows/trigger-draft/publish?autoActivate=false", "").expect(200);
        house.delete("/workflows/trigger-draft").expect(204);
        house.get("/workflows/trigger-draft").expect(404);
        house.get(ofDraft).expect(404);
    }
}
