package dev.flowstone.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.outbound.WebhookSignature;
import dev.flowstone.server.e2e.House.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks that come in, over HTTP and on PostgreSQL: each delivery starts one execution at most, and only its sender's does. */
final class WebhookInTest {
    private static final int MAX_BODY = 64 << 10;
    private static final String BODY = "{\"amount\": 120}";

    @TempDir
    static Path data = Path.of("");

    private static House house;

    @BeforeAll
    static void open() throws Exception {
        house = House.open(data, Map.of("http.maxBodyBytes", Integer.toString(MAX_BODY)), BuiltInActions.registry());
    }

    @AfterAll
    static void close() {
        house.close();
    }

    /** A workflow that answers what its trigger says, under an id of its own. */
    private static String workflow(String id) throws Exception {
        return workflow(house, id, "");
    }

    private static String workflow(House at, String id, String more) throws Exception {
        at.publish("{\"id\": \"" + id + "\", \"displayName\": \"W\", \"startNode\": \"a\", \"nodes\": [{\"id\": \"a\","
                + " \"actionType\": \"core.echo\", \"parameters\": {\"got\": \"{{ trigger }}\"}}]" + more + "}");
        return id;
    }

    @Test
    void aSignedDeliveryStartsAnExecutionInTheTriggersName() throws Exception {
        Sender sender = Sender.of(house, workflow("signed"));
        String body = "{\"n\": 12345678901234567890.123, \"big\": 9007199254740993}";

        Answer taken = sender.send(house, "msg_1", body).expect(202);

        String run = taken.text("executionId");
        assertEquals("Pending", taken.text("status"));
        assertEquals("/api/v1/executions/" + run, taken.text("statusUrl"));
        house.await(RunId.parse(run));
        Answer shown = house.get("/executions/" + run + "?include=actions").expect(200);
        assertEquals("trigger:" + sender.id(), shown.text("startedBy"));
        assertEquals("trigger:" + sender.id() + ":msg_1", shown.text("requestId"));
        assertTrue(shown.text().contains("12345678901234567890.123"), shown::text);
        assertTrue(shown.text().contains("9007199254740993"), shown::text);
        JsonObject delivery = sender.settled(house, 1).getFirst();
        assertEquals("started", Sender.text(delivery, "status"));
        assertEquals("msg_1", Sender.text(delivery, "deliveryId"));
        assertEquals("Webhook", Sender.text(delivery, "source"));
        assertEquals(run, Sender.text(delivery, "executionId"));
    }

    /** Who can't sign isn't told even whether there is such a trigger. */
    @Test
    void whatNothingProvesIsRefusedAlikeWhetherThereIsSuchATriggerOrNot() throws Exception {
        Sender sender = Sender.of(house, workflow("unproven"));
        String manual = house.post("/triggers", "{\"workflowId\": \"unproven\", \"triggerType\": \"Manual\"}")
                .expect(201)
                .text("id");
        Sender nobody = new Sender(UUID.randomUUID().toString(), sender.secret());
        List<Answer> refused = new ArrayList<>();
        refused.add(new Sender(sender.id(), WebhookSecret.generate()).send(house, "d", BODY));
        refused.add(nobody.send(house, "d", BODY));
        refused.add(new Sender(manual, sender.secret()).send(house, "d", BODY));
        refused.add(new Sender("no-uuid", sender.secret()).send(house, "d", BODY));
        refused.add(new Sender(sender.id().toUpperCase(Locale.ROOT), sender.secret()).send(house, "d", BODY));
        refused.add(house.post(sender.path(), BODY));
        refused.add(house.post(nobody.path(), BODY));
        refused.add(house.post(sender.path(), "{\"amount\": 121}", sender.signed("d", Instant.now(), BODY)));
        refused.add(house.post(nobody.path(), "no json", sender.signed("d", Instant.now(), BODY)));
        refused.add(house.post(sender.path(), "no json", sender.signed("d", Instant.now(), BODY)));
        for (String name : List.of(WebhookSignature.ID, WebhookSignature.TIMESTAMP, WebhookSignature.SIGNATURE)) {
            refused.add(house.post(sender.path(), BODY, sender.without(name, "d", BODY)));
        }

        Set<String> told = new HashSet<>();
        for (Answer answer : refused) {
            answer.expect(401);
            told.add(answer.text().replaceAll("\"correlationId\":\"[^\"]*\"", ""));
        }
        assertEquals(1, told.size(), told::toString);
        assertTrue(told.iterator().next().contains("SIGNATURE_REFUSED"), told::toString);
        assertEquals(0, Sender.executions(house, "unproven"));
        for (JsonObject delivery : sender.settled(house, 7)) {
            assertEquals("refused", Sender.text(delivery, "status"));
            assertEquals("SIGNATURE_REFUSED", Sender.text(delivery, "code"));
        }
    }

    @Test
    void whatIsSentAgainOrLateIsRefusedAsAReplay() throws Exception {
        Sender sender = Sender.of(house, workflow("replayed"));
        Instant now = Instant.now();
        sender.send(house, "d-1", now, BODY).expect(202);

        for (int i = 0; i < 3; i++) {
            Answer again = sender.send(house, "d-1", now, BODY).expect(409);
            assertEquals("WEBHOOK_REPLAYED", again.text("code"));
        }
        for (Duration late : List.of(Duration.ofHours(1), Duration.ofSeconds(330), Duration.ofSeconds(-330))) {
            Answer refused =
                    sender.send(house, "d-2", Instant.now().minus(late), BODY).expect(409);
            assertEquals("WEBHOOK_REPLAYED", refused.text("code"));
        }
        assertEquals(1, Sender.executions(house, "replayed"));
        assertEquals(List.of("refused", "refused", "refused", "started"), sender.statuses(house, 4));
    }

    /** As senders do that didn't hear the answer. */
    @Test
    void aDeliveryThatIsSignedAnewMeetsTheExecutionThatItStarted() throws Exception {
        Sender sender = Sender.of(house, workflow("anew"));
        Instant now = Instant.now();
        String run = sender.send(house, "d-1", now.minusSeconds(60), BODY)
                .expect(202)
                .text("executionId");

        assertEquals(run, sender.send(house, "d-1", now, BODY).expect(200).text("executionId"));
        assertEquals(1, Sender.executions(house, "anew"));
        assertEquals(List.of("repeated", "started"), sender.statuses(house, 2));
        house.post("/workflows/anew/archive", "").expect(200);
        Answer late = sender.send(house, "d-1", now.minusSeconds(1), BODY).expect(200);
        assertEquals(run, late.text("executionId"), "what was started while it could be is there");
    }

    @Test
    void ofThoseThatComeAtOnceOneStarts() throws Exception {
        Sender sender = Sender.of(house, workflow("at-once"));
        Instant now = Instant.now();

        List<Answer> same = atOnce(16, i -> sender.send(house, "same", now, BODY));
        String first = same.stream()
                .filter(it -> it.status() == 202)
                .map(it -> it.text("executionId"))
                .reduce((one, other) -> one + " and " + other)
                .orElseThrow();
        for (Answer answer : same) {
            // Of what isn't settled yet nobody knows whether its node is still there.
            assertTrue(answer.status() == 409 || answer.text("executionId").equals(first), answer::text);
        }

        List<Answer> anew = atOnce(16, i -> sender.send(house, "anew", now.minusSeconds(i), BODY));
        assertEquals(1, anew.stream().filter(it -> it.status() == 202).count());
        assertEquals(15, anew.stream().filter(it -> it.status() == 200).count());
        assertEquals(
                1, anew.stream().map(it -> it.text("executionId")).distinct().count());
        assertEquals(2, Sender.executions(house, "at-once"));
    }

    @FunctionalInterface
    private interface Numbered {
        Answer send(int number) throws Exception;
    }

    private static List<Answer> atOnce(int count, Numbered what) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Answer>> calls = IntStream.range(0, count)
                    .<Callable<Answer>>mapToObj(i -> () -> what.send(i))
                    .toList();
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        }
    }

    @Test
    void aFalseConditionIsASuccessThatSaysIgnored() throws Exception {
        Sender sender =
                Sender.of(house, workflow("ignored"), ", \"activationCondition\": \"trigger.order.amount > 100\"");

        Answer ignored =
                sender.send(house, "small", "{\"order\": {\"amount\": 99}}").expect(200);
        assertEquals("ignored", ignored.text("status"));
        Answer failed = sender.send(house, "none", "{}").expect(400);
        assertEquals("WFENG005", failed.text("code"));
        assertEquals(0, Sender.executions(house, "ignored"));
        sender.send(house, "large", "{\"order\": {\"amount\": 101}}").expect(202);
        assertEquals(List.of("started", "refused", "ignored"), sender.statuses(house, 3));
    }

    @Test
    void archivingTurnsItOffAndReactivatingOnAgain() throws Exception {
        Sender sender = Sender.of(house, workflow("archived"));
        sender.send(house, "d-1", BODY).expect(202);
        assertEquals("true", Sender.text(house.get(sender.path()).object(), "isEnabled"));

        house.post("/workflows/archived/archive", "").expect(200);
        JsonObject off = house.get(sender.path()).expect(200).object();
        assertEquals("false", Sender.text(off, "isEnabled"));
        assertEquals("true", Sender.text(off, "configuredEnabled"));
        Answer refused = sender.send(house, "d-2", BODY).expect(409);
        assertEquals("NOT_EXECUTABLE", refused.text("code"));

        house.post("/workflows/archived/reactivate", "").expect(200);
        assertEquals("true", Sender.text(house.get(sender.path()).object(), "isEnabled"));
        sender.send(house, "d-2", Instant.now().plusSeconds(1), BODY).expect(202);
        assertEquals(2, Sender.executions(house, "archived"));
        assertEquals(List.of("started", "refused", "started"), sender.statuses(house, 3));
    }

    @Test
    void oneOfADraftStartsNothing() throws Exception {
        house.draft(Crm.STEPS.replace("\"steps\"", "\"hook-draft\""));
        Sender sender = Sender.of(house, "hook-draft", ", \"activationCondition\": \"trigger.a\"");
        for (String body : List.of("{\"a\": true}", "{\"a\": false}")) {
            Answer refused = sender.send(house, "d" + body.length(), body).expect(409);
            assertEquals("NOT_EXECUTABLE", refused.text("code"));
        }
        house.post("/workflows/hook-draft/publish", "").expect(200);
        sender.send(house, "d-3", "{\"a\": true}").expect(202);
    }

    @Test
    void oneThatIsTurnedOffStartsNothing() throws Exception {
        Sender sender = Sender.of(house, workflow("disabled"));
        house.post(sender.path() + "/disable", "").expect(200);
        Answer refused = sender.send(house, "d-1", BODY).expect(409);
        assertEquals("TRIGGER_DISABLED", refused.text("code"));
        house.post(sender.path() + "/enable", "").expect(200);
        sender.send(house, "d-2", BODY).expect(202);
        assertEquals(1, Sender.executions(house, "disabled"));
    }

    @Test
    void aBodyIsAnyJsonThatTheWorkflowTakes() throws Exception {
        Sender sender = Sender.of(house, workflow("bodies"));
        for (String body : List.of("[1, 2]", "\"text\"", "7", "null", "true")) {
            sender.send(house, "d" + body.length() + body.hashCode(), body).expect(202);
        }
        String deep = "[".repeat(5_000) + "]".repeat(5_000);
        for (String body : List.of("{", "{\"a\": 1, \"a\": 2}", "\u0000", "NaN", "{} {}", deep)) {
            Answer refused = sender.send(house, "w" + body.length() + body.hashCode(), body)
                    .expect(400);
            assertEquals("MALFORMED_JSON", refused.text("code"));
        }
        String huge = "\"" + "x".repeat(MAX_BODY) + "\"";
        assertEquals(
                "BODY_TOO_LARGE", sender.send(house, "huge", huge).expect(413).text("code"));
        byte[] form = "a=1".getBytes(UTF_8);
        Answer other = house.send(
                sender.path(), "application/x-www-form-urlencoded", form, sender.signed("form", Instant.now(), "a=1"));
        assertEquals("UNSUPPORTED_MEDIA_TYPE", other.expect(415).text("code"));

        Sender strict = Sender.of(
                house,
                workflow(
                        house,
                        "strict",
                        ", \"triggerSchema\": {\"type\": \"object\", \"properties\": {\"amount\": {\"type\": \"number\"}}}"));
        Answer bad = strict.send(house, "d-1", "{\"amount\": \"much\"}").expect(400);
        assertEquals("WFENG005", bad.text("code"));
        assertTrue(bad.text().contains("\"pointer\":\"/amount\""), bad::text);
        strict.send(house, "d-2", BODY).expect(202);
    }

    @Test
    void bothSecretsSignWhileOneReplacesTheOther() throws Exception {
        Sender old = Sender.of(house, workflow("rotated"), ", \"activationCondition\": \"trigger.amount > 100\"");
        Sender fresh = new Sender(old.id(), WebhookSecret.generate());
        fresh.send(house, "d-0", BODY).expect(401);
        String both = "{\"config\": {\"secrets\": [\"" + fresh.secret().text() + "\", \"$set\"]}}";
        house.put(old.path(), both).expect(200);
        old.send(house, "d-1", BODY).expect(202);
        fresh.send(house, "d-2", BODY).expect(202);
        house.put(old.path(), "{\"config\": {\"secrets\": [\"$set\"]}}").expect(200);
        old.send(house, "d-3", BODY).expect(401);
        fresh.send(house, "d-4", BODY).expect(202);
        Answer small = fresh.send(house, "d-5", "{\"amount\": 1}").expect(200);
        assertEquals("ignored", small.text("status"), "nothing else was changed");
    }

    @Test
    void itsTenantIsTheTriggersWhateverIsSentBeside() throws Exception {
        String definition = Crm.STEPS.replace("\"steps\"", "\"theirs\"");
        String[] globex = {"Flowstone-Tenant", "globex"};
        house.post("/workflows", definition, globex).expect(201);
        house.post("/workflows/theirs/publish", "", globex).expect(200);
        WebhookSecret secret = WebhookSecret.generate();
        String trigger = "{\"workflowId\": \"theirs\", \"triggerType\": \"Webhook\", \"config\": {\"secrets\": [\""
                + secret.text() + "\"]}}";
        Sender sender =
                new Sender(house.post("/triggers", trigger, globex).expect(201).text("id"), secret);

        String run = sender.send(house, "d-1", BODY).expect(202).text("executionId");
        house.get("/executions/" + run).expect(404);
        house.get("/executions/" + run, globex).expect(200);
        house.get(sender.path()).expect(404);
        house.get(sender.path() + "/deliveries").expect(404);
        house.get(sender.path() + "/deliveries", globex).expect(200);
    }

    /** Neither asks for a token at a webhook's address, nor believes that who has none may do anything else. */
    @Test
    void aServerThatAsksForATokenTakesSignedDeliveries(@TempDir Path other) throws Exception {
        String token = "0123456789abcdef0123456789abcdef";
        String[] bearer = {"Authorization", "Bearer " + token};
        try (House guarded = House.open(other, Map.of("http.token", token), BuiltInActions.registry())) {
            guarded.post("/workflows", Crm.STEPS, bearer).expect(201);
            guarded.post("/workflows/steps/publish", "", bearer).expect(200);
            WebhookSecret secret = WebhookSecret.generate();
            String trigger = "{\"workflowId\": \"steps\", \"triggerType\": \"Webhook\", \"config\": {\"secrets\": [\""
                    + secret.text() + "\"]}}";
            guarded.post("/triggers", trigger).expect(401);
            Sender sender = new Sender(
                    guarded.post("/triggers", trigger, bearer).expect(201).text("id"), secret);
            sender.send(guarded, "d-1", BODY).expect(202);
            guarded.post(sender.path() + "/fire", "{}").expect(401);
            guarded.get(sender.path()).expect(401);
        }
    }

    @Test
    void aStormIsHeldByTheTenantsQuota(@TempDir Path other) throws Exception {
        try (House narrow = House.open(other, Map.of("quota.startsPerSecond", "1"), BuiltInActions.registry())) {
            narrow.publish(Crm.STEPS);
            Sender sender = Sender.of(narrow, "steps");
            List<Answer> answers = atOnce(40, i -> sender.send(narrow, "d-" + i, BODY));
            long started = answers.stream().filter(it -> it.status() == 202).count();
            long refused = answers.stream().filter(it -> it.status() == 429).count();
            assertTrue(
                    refused > 0 && started > 0 && started + refused == 40,
                    started + " started, " + refused + " refused");
            for (Answer answer : answers) {
                assertTrue(answer.status() == 202 || answer.text("code").equals("QUOTA_EXCEEDED"), answer::text);
            }
            List<String> statuses = sender.statuses(narrow, 40);
            assertEquals(started, statuses.stream().filter("started"::equals).count());
            assertEquals(refused, statuses.stream().filter("refused"::equals).count());
            String again = "d-" + answers.stream().map(Answer::status).toList().indexOf(429);
            // Whoever sends it anew later is let in: what was refused started nothing.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            for (int i = 1;
                    sender.send(narrow, again, Instant.now().plusSeconds(1 + i % 200), BODY)
                                    .status()
                            == 429;
                    i++) {
                assertTrue(System.nanoTime() < end, "never let in");
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            }
        }
    }

    @Test
    void eachWebhookHasABudgetOfItsOwn(@TempDir Path other) throws Exception {
        Map<String, String> flags =
                Map.of("rate.loose", "true", "rate.webhooksPerMinute", "1", "rate.webhooksBurst", "2");
        try (House narrow = House.open(other, flags, BuiltInActions.registry())) {
            narrow.publish(Crm.STEPS);
            Sender one = Sender.of(narrow, "steps");
            Sender two = Sender.of(narrow, "steps");
            one.send(narrow, "d-1", BODY).expect(202);
            one.send(narrow, "d-2", BODY).expect(202);
            assertEquals(
                    "RATE_LIMITED", one.send(narrow, "d-3", BODY).expect(429).text("code"));
            two.send(narrow, "d-1", BODY).expect(202);
        }
    }

    @Test
    void anInstallationMayTakeNone(@TempDir Path other) throws Exception {
        try (House shut = House.open(other, Map.of("trigger.webhooks", "false"), BuiltInActions.registry())) {
            shut.publish(Crm.STEPS);
            Sender sender = Sender.of(shut, "steps");
            assertEquals("FORBIDDEN", sender.send(shut, "d-1", BODY).expect(403).text("code"));
            shut.post(sender.path() + "/fire", "").expect(202);
        }
    }

    @Test
    void addressesMayBeginOtherwise(@TempDir Path other) throws Exception {
        try (House elsewhere = House.open(other, Map.of("trigger.basePath", "/in/hooks"), BuiltInActions.registry())) {
            elsewhere.publish(Crm.STEPS);
            Sender sender = Sender.of(elsewhere, "steps");
            String url = "/in/hooks/" + sender.id();
            assertEquals(url, Sender.text(elsewhere.get(sender.path()).object(), "url"));
            Instant now = Instant.now();
            elsewhere.postTo(url, BODY, sender.signed("d-1", now, BODY)).expect(202);
            assertEquals(
                    "WEBHOOK_REPLAYED",
                    sender.send(elsewhere, "d-1", now, BODY).expect(409).text("code"),
                    "it is the same at both");
            elsewhere
                    .postTo("/in/hooks/" + UUID.randomUUID(), BODY, sender.signed("d-2", now, BODY))
                    .expect(401);
        }
    }

    /** Whichever node is called: one execution, and what was sent before is known to all. */
    @Test
    void nodesShareWhatCame(@TempDir Path folder) throws Exception {
        try (Company company = new Company(folder)) {
            company.join("one", Map.of());
            company.join("two", Map.of());
            company.untilEachHasItsPart();
            company.any(0).publish(Crm.STEPS);
            Sender sender = Sender.of(company.any(0), "steps");
            Instant now = Instant.now();
            for (int i = 0; i < 12; i++) {
                String run = sender.send(company.any(i), "d-" + i, now, BODY)
                        .expect(202)
                        .text("executionId");
                // What isn't settled yet another node takes once more.
                sender.settled(company.any(i), 2 * i + 1);
                Answer same =
                        sender.send(company.any(i + 1), "d-" + i, now, BODY).expect(409);
                assertEquals("WEBHOOK_REPLAYED", same.text("code"));
                Answer anew = sender.send(company.any(i + 1), "d-" + i, now.minusSeconds(1), BODY)
                        .expect(200);
                assertEquals(run, anew.text("executionId"));
            }
            assertEquals(12, Sender.executions(company.any(1), "steps"));
            assertEquals(
                    12,
                    sender.statuses(company.any(1), 24).stream()
                            .filter("started"::equals)
                            .count());
            company.any(1).delete(sender.path()).expect(204);
            sender.send(company.any(0), "d-99", BODY).expect(401);
        }
    }

    /** Case 33: not in any answer, list, event or metric, plain or encoded. */
    @Test
    void secretsAreShownNowhere() throws Exception {
        Sender sender = Sender.of(house, workflow("hidden"));
        String second = WebhookSecret.generate().text();
        List<String> shown = new ArrayList<>();
        String put = "{\"config\": {\"secrets\": [\"$set\", \"" + second + "\"]}}";
        shown.add(house.put(sender.path(), put).expect(200).text());
        assertTrue(shown.getFirst().contains("\"secrets\":[\"$set\",\"$set\"]"), shown::toString);
        String run = sender.send(house, "d-1", BODY).expect(202).text("executionId");
        sender.settled(house, 1);
        String wrong = "{\"workflowId\": \"hidden\", \"triggerType\": \"Webhook\", \"config\": {\"secrets\": [\""
                + second + "\", \"" + sender.secret().text() + "x!\"]}}";
        shown.add(house.post("/triggers", wrong).expect(400).text());
        shown.add(house.put(sender.path(), put.replace("config", "konfig"))
                .expect(400)
                .text());
        shown.add(house.get(sender.path()).expect(200).text());
        shown.add(house.get("/triggers").expect(200).text());
        shown.add(house.get(sender.path() + "/deliveries").expect(200).text());
        shown.add(house.get("/executions/" + run + "?include=actions,events")
                .expect(200)
                .text());
        shown.add(house.get("/workflows/hidden").expect(200).text());
        shown.add(house.metrics().expect(200).text());
        for (String secret : List.of(sender.secret().text(), second)) {
            String bare = secret.substring("whsec_".length());
            for (String text : shown) {
                assertFalse(text.contains(bare), text);
                assertFalse(text.contains(bare.replace("/", "\\/")), text);
            }
        }
    }
}
