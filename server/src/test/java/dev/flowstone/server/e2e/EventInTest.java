package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.server.e2e.House.Answer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** CloudEvents that somebody sends, over HTTP and on PostgreSQL. */
@ExtendWith(SharedHouse.class)
final class EventInTest {
    private static final String[] GLOBEX = {"Flowstone-Tenant", "globex"};

    private final House house;

    EventInTest(House house) {
        this.house = house;
    }

    /** A workflow of this name with a trigger for events of the types that begin so. */
    static Sender listener(House house, String name, String config, String more) throws Exception {
        house.publish(Crm.STEPS.replace("\"steps\"", "\"" + name + "\""));
        String body =
                "{\"workflowId\": \"" + name + "\", \"triggerType\": \"Event\", \"config\": " + config + more + "}";
        return new Sender(house.post("/triggers", body).expect(201).text("id"), WebhookSecret.generate());
    }

    private Sender listener(String name, String more) throws Exception {
        return listener(house, name, "{\"source\": \"external\", \"types\": [\"" + name + ".*\"]}", more);
    }

    private static String event(String id, String type, String more) {
        return "{\"specversion\": \"1.0\", \"id\": \"" + id + "\", \"source\": \"/shop\", \"type\": \"" + type + "\""
                + more + "}";
    }

    private static JsonObject trigger(Answer answer, int event, int trigger) {
        JsonObject taken = (JsonObject) items(answer.object(), "events").get(event);
        return (JsonObject) items(taken, "triggers").get(trigger);
    }

    private static List<JsonValue> items(JsonObject json, String member) {
        return ((JsonArray) json.find(member).orElseThrow()).items();
    }

    private static String run(Answer answer) {
        return Sender.text(trigger(answer, 0, 0), "executionId");
    }

    /** Case 21: what came is what the execution sees, to the last digit. */
    @Test
    void oneStartsWhatWantsItOnceWithNumbersExact() throws Exception {
        Sender trigger = listener("event-once", "");
        String body = event(
                "e-1", "event-once.paid", ", \"data\": {\"n\": 7615917337495251231, \"d\": 0.1000000000000000055}");

        Answer first = house.post("/events", body).expect(202);
        assertEquals("1", Sender.text(first.object(), "started"));
        assertEquals("started", Sender.text(trigger(first, 0, 0), "status"));
        assertEquals("event-once", Sender.text(trigger(first, 0, 0), "workflowId"));
        Answer again = house.post("/events", body).expect(202);
        assertEquals("repeated", Sender.text(trigger(again, 0, 0), "status"));
        assertEquals("0", Sender.text(again.object(), "started"));
        assertEquals(run(first), run(again));
        Answer other = house.post("/events", body.replace("/shop", "/other")).expect(202);
        assertNotEquals(run(first), run(other), "of another source it is another event");

        assertEquals(2, Sender.executions(house, "event-once"));
        assertEquals(List.of("started", "repeated", "started"), trigger.statuses(house, 3));
        JsonObject delivery = trigger.settled(house, 3).getLast();
        assertEquals("e-1@/shop", Sender.text(delivery, "deliveryId"));
        assertEquals("Event", Sender.text(delivery, "source"));
        Answer shown = house.get("/executions/" + run(first)).expect(200);
        assertEquals("trigger:" + trigger.id(), shown.text("startedBy"));
        assertTrue(
                house.get("/executions/" + run(first) + "?include=events")
                        .expect(200)
                        .text()
                        .contains("{\"d\":0.1000000000000000055,\"n\":7615917337495251231}"),
                "exact");
    }

    @Test
    void theThreeModesAreTakenAlike() throws Exception {
        listener("event-modes", "");
        String one = event("m-1", "event-modes.x", ", \"data\": {\"a\": 1}");
        Answer structured = house.send("/events", "application/cloudevents+json; charset=utf-8", bytes(one))
                .expect(202);
        Answer binary = house.send(
                        "/events",
                        "application/json",
                        bytes("{\"a\": 1}"),
                        "ce-specversion",
                        "1.0",
                        "CE-Id",
                        "m-1",
                        "ce-source",
                        "/shop",
                        "ce-type",
                        "event-modes.x")
                .expect(202);
        assertEquals(run(structured), run(binary), "it is the same event");
        String batch = "[" + one + ", " + event("m-2", "event-modes.y", "") + ", " + event("m-3", "nobody", "") + "]";
        for (String type : List.of("application/cloudevents-batch+json", "application/json")) {
            Answer batched = house.send("/events", type, bytes(batch)).expect(202);
            assertEquals(run(structured), run(batched));
            assertEquals("repeated", Sender.text(trigger(batched, 0, 0), "status"));
            JsonObject third = (JsonObject) items(batched.object(), "events").get(2);
            assertEquals("ignored", Sender.text(third, "status"));
            assertTrue(Sender.text(third, "reason").contains("no event trigger"));
        }
        Answer text = house.send(
                        "/events",
                        "text/plain",
                        bytes("hello"),
                        "ce-specversion",
                        "1.0",
                        "ce-id",
                        "m-4",
                        "ce-source",
                        "/shop",
                        "ce-type",
                        "event-modes.text")
                .expect(202);
        assertTrue(house.get("/executions/" + run(text) + "?include=events")
                .expect(200)
                .text()
                .contains("\"data\":\"hello\""));
        assertEquals(3, Sender.executions(house, "event-modes"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Cases 22 and 23 among them. */
    @Test
    void whatIsNoEventIsRefusedWithItsPlace() throws Exception {
        for (String[] bad : new String[][] {
            {"7", "INVALID_REQUEST", ""},
            {"{}", "INVALID_REQUEST", ""},
            {event("x", "y", ", \"time\": \"now\""), "INVALID_REQUEST", "/time"},
            {event("", "y", ""), "INVALID_REQUEST", "/id"},
            {event("i".repeat(1_025), "y", ""), "INVALID_REQUEST", "/id"},
            {"[" + event("x", "y", "") + ", {}]", "INVALID_REQUEST", "/1"},
            {"[" + (event("x", "y", "") + ",").repeat(100) + event("x", "y", "") + "]", "LIMIT_EXCEEDED", ""}
        }) {
            Answer refused = house.post("/events", bad[0]);
            assertEquals(bad[1], refused.text("code"), bad[0]);
            assertTrue(refused.text().contains("\"pointer\":\"" + bad[2] + "\""), refused::text);
        }
        assertEquals(
                "MALFORMED_JSON",
                house.post("/events", event("x", "y", ", \"id\": \"z\""))
                        .expect(400)
                        .text("code"));
        for (String type : List.of("text/plain", "application/cloudevents+avro", "application/xml")) {
            house.send("/events", type, bytes(event("x", "y", ""))).expect(415);
        }
        house.send("/events", "application/json", bytes("{"), "ce-specversion", "1.0")
                .expect(400);
        Answer header = house.send("/events", "application/json", bytes("1"), "ce-id", "1", "ce-time", "now")
                .expect(400);
        assertTrue(header.text().contains("ce-time"), header::text);
        house.post("/events?workflow=x", event("x", "y", "")).expect(400);
    }

    /** Ids of any length have an arrival's name. */
    @Test
    void longIdsAndOtherCharactersAreTakenOnceToo() throws Exception {
        listener("event-long", "");
        for (String id : List.of("i".repeat(1_024), "Bestellung Nr. 7 – größer", "a@b")) {
            String body = event(id, "event-long.x", "");
            assertEquals(
                    run(house.post("/events", body).expect(202)),
                    run(house.post("/events", body).expect(202)));
        }
        assertEquals(3, Sender.executions(house, "event-long"));
    }

    /** Case 31: a condition that is false is no error. */
    @Test
    void theConditionIsOverTheWholeEvent() throws Exception {
        Sender trigger = listener(
                "event-if",
                ", \"activationCondition\": \"trigger.data.amount > 100 && trigger.subject === 'o-7'"
                        + " && trigger.type.startsWith('event-if')\"");
        String body = event("c-1", "event-if.paid", ", \"subject\": \"o-7\", \"data\": {\"amount\": 101}");
        house.post("/events", body).expect(202);
        Answer low = house.post("/events", body.replace("101", "100").replace("c-1", "c-2"))
                .expect(202);
        assertEquals("ignored", Sender.text(trigger(low, 0, 0), "status"));
        Answer untold = house.post("/events", event("c-3", "event-if.paid", "")).expect(202);
        assertEquals("refused", Sender.text(trigger(untold, 0, 0), "status"));
        assertEquals("WFENG005", Sender.text(trigger(untold, 0, 0), "code"));
        assertEquals(List.of("refused", "ignored", "started"), trigger.statuses(house, 3));
        assertEquals(1, Sender.executions(house, "event-if"));
    }

    @Test
    void onlyTriggersThatAreOnOfActiveWorkflowsWantAnything() throws Exception {
        Sender trigger = listener("event-off", "");
        String ofEvent = event("o-1", "event-off.x", "");
        house.post("/workflows/event-off/archive", "").expect(200);
        assertEquals(List.of(), triggers(ofEvent));
        house.post("/workflows/event-off/reactivate", "").expect(200);
        house.post(trigger.path() + "/disable", "").expect(200);
        assertEquals(List.of(), triggers(ofEvent));
        house.post(trigger.path() + "/enable", "").expect(200);
        assertEquals(1, triggers(ofEvent).size());
        house.delete(trigger.path()).expect(204);
        assertEquals(List.of(), triggers(ofEvent));
    }

    private List<?> triggers(String event) throws Exception {
        Answer answer = house.post("/events", event).expect(202);
        return items((JsonObject) items(answer.object(), "events").getFirst(), "triggers");
    }

    @Test
    void anotherTenantsTriggersHearNothingOfIt() throws Exception {
        Sender trigger = listener("event-mine", "");
        Answer other =
                house.post("/events", event("t-1", "event-mine.x", ""), GLOBEX).expect(202);
        assertEquals("0", Sender.text(other.object(), "started"));
        assertFalse(other.text().contains(trigger.id()), other::text);
        assertEquals(0, Sender.executions(house, "event-mine"));
    }

    @Test
    void aConfigurationThatSaysNothingIsRefusedWithItsPlace() throws Exception {
        house.publish(Crm.STEPS.replace("\"steps\"", "\"event-bad\""));
        String head = "{\"workflowId\": \"event-bad\", \"triggerType\": \"Event\", \"config\": ";
        for (String[] bad : new String[][] {
            {"null", ""},
            {"{}", "/config"},
            {"{\"source\": \"inside\", \"types\": [\"a\"]}", "/config/source"},
            {"{\"source\": \"external\"}", "/config"},
            {"{\"source\": \"external\", \"types\": []}", "/config/types"},
            {"{\"source\": \"external\", \"types\": [\"a*b\"]}", "/config/types/0"},
            {"{\"source\": \"external\", \"types\": [\"a\"], \"workflows\": [\"b\"]}", "/config/workflows"},
            {"{\"source\": \"engine\", \"types\": [\"RunExploded\"]}", "/config/types/0"},
            {"{\"source\": \"engine\", \"types\": [\"order.paid\"]}", "/config/types/0"},
            {"{\"source\": \"engine\", \"types\": [\"*\"], \"sources\": [\"b\"]}", "/config/sources"},
            {"{\"source\": \"engine\", \"types\": [\"*\"], \"secrets\": [\"b\"]}", "/config/secrets"}
        }) {
            Answer refused = house.post("/triggers", head + bad[0] + "}").expect(400);
            assertTrue(refused.text().contains("\"pointer\":\"" + bad[1] + "\""), () -> bad[0] + refused.text());
        }
        Answer made = house.post("/triggers", head + "{\"source\": \"engine\", \"types\": [\"RunFailed\", \"Run*\"]}}")
                .expect(201);
        assertEquals(
                "{\"source\":\"engine\",\"types\":[\"dev.flowstone.RunFailed\",\"dev.flowstone.Run*\"]}",
                CanonicalJson.exactText(made.object().find("config").orElseThrow()));
        String path = "/triggers/" + made.text("id");
        String config = config(made);
        assertEquals(
                config, config(house.put(path, "{\"config\": " + config + "}").expect(200)));
        house.delete(path).expect(204);
    }

    private static String config(Answer trigger) {
        return CanonicalJson.exactText(trigger.object().find("config").orElseThrow());
    }

    @Test
    void whatAChangeLeavesOutStaysUnlessTheSourceIsAnother() throws Exception {
        String engine = "{\"source\":\"engine\",\"types\":[\"dev.flowstone.RunFailed\"],\"workflows\":[\"a\"]}";
        String path = listener(house, "event-put", engine, "").path();

        assertEquals(engine, config(house.put(path, "{}").expect(200)));
        assertEquals(engine, config(house.put(path, "{\"config\": {}}").expect(200)));
        assertEquals(
                engine.replace("[\"a\"]", "[\"b\"]"),
                config(house.put(path, "{\"config\": {\"workflows\": [\"b\"]}}").expect(200)));
        assertEquals(
                engine.replace(",\"workflows\":[\"a\"]", ""),
                config(house.put(path, "{\"config\": {\"workflows\": null}}").expect(200)));
        house.put(path, "{\"config\": {\"types\": null}}").expect(400);
        house.put(path, "{\"config\": {\"source\": \"external\"}}").expect(400);
        String external = "{\"source\":\"external\",\"types\":[\"x\"]}";
        assertEquals(
                external,
                config(house.put(path, "{\"config\": " + external + "}").expect(200)));
    }

    @Test
    void anInstallationMayTakeNone(@TempDir Path other) throws Exception {
        try (House shut = House.open(other, Map.of("trigger.events", "false"), BuiltInActions.registry())) {
            assertEquals(
                    "FORBIDDEN",
                    shut.post("/events", event("x", "y", "")).expect(403).text("code"));
        }
    }
}
