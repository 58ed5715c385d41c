package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.server.e2e.House.Answer;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Triggers that workflows of the states format declare, from publishing to the run. */
@ExtendWith(SharedHouse.class)
final class DeclaredTriggerTest {
    private final House house;

    DeclaredTriggerTest(House house) {
        this.house = house;
    }

    /** Waits for a payment, if it is asked to. */
    private static String definition(String id, String triggers, String states) {
        return """
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "%s", "name": "%s",
                 "triggers": [%s], "start": "first", "states": {%s}}""".formatted(id, id, triggers, states);
    }

    private static final String ECHO =
            "\"first\": {\"tasks\": [{\"action\": \"core.echo\", \"input\": {\"type\": \"{{ trigger.type }}\"},"
                    + " \"sideEffects\": false}], \"next\": \"done\"}, \"done\": {\"end\": {}}";

    private static String starts(String id, String event, String more) {
        return "{\"id\": \"" + id + "\", \"source\": \"external\", \"event\": \"" + event + "\", \"start\": true" + more
                + "}";
    }

    private List<JsonObject> triggers(String workflow) throws Exception {
        return items(house.get("/triggers?workflowId=" + workflow).expect(200).object(), "items");
    }

    private static List<JsonObject> items(JsonObject json, String member) {
        return ((JsonArray) json.find(member).orElseThrow())
                .items().stream().map(JsonObject.class::cast).toList();
    }

    private Answer send(String id, String type, String data) throws Exception {
        return house.post(
                        "/events",
                        "{\"specversion\": \"1.0\", \"id\": \"" + id + "\", \"source\": \"/bank\", \"type\": \"" + type
                                + "\", \"data\": " + data + "}")
                .expect(202);
    }

    private static JsonObject met(Answer answer) {
        return items(items(answer.object(), "events").getFirst(), "triggers").getFirst();
    }

    private void next(String workflow, String definition) throws Exception {
        house.post("/workflows/" + workflow + "/draft", definition).expect(201);
        house.post("/workflows/" + workflow + "/publish", "").expect(200);
    }

    private static String name(JsonObject trigger) {
        return Sender.text((JsonObject) trigger.find("config").orElseThrow(), "declaredAs");
    }

    @Test
    void theyComeAndGoWithTheVersionThatDeclaresThem() throws Exception {
        String both = starts("one", "declared.one", "") + ", " + starts("two", "declared.two", "");
        house.draft(definition("declared", both, ECHO));
        assertEquals(List.of(), triggers("declared"), "a draft declares nothing yet");
        house.post("/workflows/declared/publish", "").expect(200);
        assertEquals(2, triggers("declared").size());
        JsonObject one = triggers("declared").stream()
                .filter(it -> name(it).equals("one"))
                .findFirst()
                .orElseThrow();
        assertEquals("true", Sender.text(one, "declared"));
        assertEquals("true", Sender.text(one, "isEnabled"));
        String path = "/triggers/" + Sender.text(one, "id");

        String run = Sender.text(met(send("d-1", "declared.one", "{}")), "executionId");
        house.await(RunId.parse(run));
        for (Answer refused : List.of(house.put(path, "{}"), house.delete(path))) {
            assertEquals("TRIGGER_DECLARED", refused.expect(409).text("code"));
        }
        house.post(path + "/disable", "").expect(200);

        String changed = starts("one", "declared.uno*", ", \"guard\": \"event.n > 1\"") + ", "
                + starts("three", "declared.three", "");
        next("declared", definition("declared", changed, ECHO));
        assertEquals(
                List.of("one", "three"),
                triggers("declared").stream()
                        .map(DeclaredTriggerTest::name)
                        .sorted()
                        .toList());
        Answer shown = house.get(path).expect(200);
        assertEquals("false", Sender.text(shown.object(), "isEnabled"), "people have turned it off");
        assertEquals("event.n > 1", shown.text("activationCondition"));
        house.post(path + "/enable", "").expect(200);
        assertEquals("ignored", Sender.text(met(send("d-2", "declared.uno.x", "{\"n\": 1}")), "status"));
        assertEquals("started", Sender.text(met(send("d-3", "declared.uno.x", "{\"n\": 2}")), "status"));
        assertEquals("started", Sender.text(met(send("d-4", "declared.three", "{}")), "status"));
        assertEquals(
                List.of(),
                items(
                        items(send("d-5", "declared.two", "{}").object(), "events")
                                .getFirst(),
                        "triggers"));

        house.post(path + "/disable", "").expect(200);
        next("declared", definition("declared", "", ECHO));
        assertEquals(List.of(), triggers("declared"));
        house.get(path).expect(404);
        next("declared", definition("declared", both, ECHO));
        assertEquals(
                "false", Sender.text(house.get(path).expect(200).object(), "isEnabled"), "it was off when it went");
        house.post(path + "/enable", "").expect(200);
        next("declared", definition("declared", "", ECHO));
        next("declared", definition("declared", both, ECHO));
        assertEquals("true", Sender.text(house.get(path).expect(200).object(), "isEnabled"));
    }

    /** A node of an older release knew of none, or they were lost: who publishes the same again has them. */
    @Test
    void whatIsMissingComesWithTheSameVersionAgain() throws Exception {
        String definition = definition("declared-again", starts("one", "declared-again.one", ""), ECHO);
        house.publish(definition);
        int version = version("declared-again");
        try (Connection superuser = Tamper.superuser(house);
                Statement statement = superuser.createStatement()) {
            statement.execute("DELETE FROM flowstone.triggers WHERE workflow = 'declared-again'");
        }
        assertEquals(List.of(), triggers("declared-again"));
        house.post("/workflows/declared-again/publish", "").expect(200);
        assertEquals(1, triggers("declared-again").size());
        long revision = revision("declared-again");
        house.post("/workflows/declared-again/publish", "").expect(200);
        assertEquals(revision, revision("declared-again"), "nothing was missing");
        assertEquals(version, version("declared-again"));
    }

    private int version(String workflow) throws Exception {
        return Integer.parseInt(
                Sender.text(house.get("/workflows/" + workflow).expect(200).object(), "currentVersion"));
    }

    private long revision(String workflow) throws Exception {
        return Long.parseLong(
                Sender.text(house.get("/workflows/" + workflow).expect(200).object(), "revision"));
    }

    @Test
    void whatPeopleHaveMadeStays() throws Exception {
        house.publish(definition("declared-beside", starts("one", "declared-beside.one", ""), ECHO));
        String own = house.post("/triggers", "{\"workflowId\": \"declared-beside\", \"triggerType\": \"Manual\"}")
                .expect(201)
                .text("id");
        next("declared-beside", definition("declared-beside", "", ECHO));
        assertEquals(
                List.of(own),
                triggers("declared-beside").stream()
                        .map(it -> Sender.text(it, "id"))
                        .toList());
    }

    @Test
    void aSignalReachesTheRunThatWaitsUnderTheKeyOnce() throws Exception {
        String signals = "{\"id\": \"paid\", \"source\": \"external\", \"event\": \"declared-signal.paid\","
                + " \"signal\": {\"type\": \"declared.payment\", \"key\": \"{{ event.reference }}\"}}";
        String waits = "\"first\": {\"wait\": {\"signal\": \"declared.payment\", \"key\": \"{{ trigger.order }}\"},"
                + " \"next\": \"second\"}, \"second\": {\"wait\": {\"signal\": \"declared.payment\","
                + " \"key\": \"{{ trigger.order }}\"}, \"next\": \"done\"}, \"done\": {\"end\": {}}";
        house.publish(definition("declared-signal", signals, waits));
        RunId run = house.start("declared-signal", "{\"trigger\": {\"order\": \"o-7\"}}");
        Sender trigger =
                new Sender(Sender.text(triggers("declared-signal").getFirst(), "id"), WebhookSecret.generate());

        JsonObject met = met(send("s-1", "declared-signal.paid", "{\"reference\": \"o-7\", \"amount\": 12}"));
        assertEquals("signaled", Sender.text(met, "status"));
        send("s-1", "declared-signal.paid", "{\"reference\": \"o-7\", \"amount\": 12}");
        JsonObject untold = met(send("s-2", "declared-signal.paid", "{\"amount\": 12}"));
        assertEquals("refused", Sender.text(untold, "status"));
        assertEquals(List.of("refused", "signaled", "signaled"), trigger.statuses(house, 3));
        String running = house.get("/executions/" + run).expect(200).text("status");
        assertEquals("Running", running, "the same event is one signal");

        send("s-3", "declared-signal.paid", "{\"reference\": \"o-7\", \"amount\": 13}");
        house.await(run);
        String events =
                house.get("/executions/" + run + "?include=events").expect(200).text();
        assertTrue(events.contains("\"amount\":12") && events.contains("\"amount\":13"), events);
    }

    @Test
    void theEnginesEventsStartThemToo() throws Exception {
        house.publish(Crm.STEPS.replace("\"steps\"", "\"declared-cause\""));
        String after = "{\"id\": \"after\", \"source\": \"internal\", \"event\": \"RunCompleted\","
                + " \"workflow\": \"declared-cause\", \"start\": true}";
        house.publish(definition("declared-after", after, ECHO));
        Sender trigger = new Sender(Sender.text(triggers("declared-after").getFirst(), "id"), WebhookSecret.generate());

        house.run("declared-cause", "{}");

        JsonObject delivery = trigger.settled(house, 1).getFirst();
        assertEquals("started", Sender.text(delivery, "status"));
        house.await(RunId.parse(Sender.text(delivery, "executionId")));
    }

    @Test
    void anEventWithAStarInTheMiddleIsRefused() throws Exception {
        Answer refused = house.post("/workflows", definition("declared-bad", starts("one", "a*b", ""), ECHO))
                .expect(400);
        List<JsonValue> faults = ((JsonArray) refused.object().find("faults").orElseThrow()).items();
        assertEquals(
                new JsonString("/triggers/0/event"),
                ((JsonObject) faults.getFirst()).find("pointer").orElseThrow());
    }
}
