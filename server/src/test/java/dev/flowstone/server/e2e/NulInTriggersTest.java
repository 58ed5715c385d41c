package dev.flowstone.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.server.e2e.House.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * U+0000 in what comes for triggers: what becomes an execution's data keeps it, as a start's own (docs/canonical-json.md), and what
 * ends up in a column is refused with its place.
 */
@ExtendWith(SharedHouse.class)
final class NulInTriggersTest {
    private static final String VALUE = "{\"a\\u0000b\": \"\\u0000\"}";
    private static final String SEEN = "\"output\":{\"got\":{\"a\\u0000b\":\"\\u0000\"}}";

    private final House house;

    NulInTriggersTest(House house) {
        this.house = house;
    }

    private void publish(String id, String got) throws Exception {
        house.publish(
                "{\"id\": \"" + id + "\", \"displayName\": \"W\", \"startNode\": \"a\", \"nodes\": [{\"id\": \"a\","
                        + " \"actionType\": \"core.echo\", \"parameters\": {\"got\": \"{{ " + got + " }}\"}}]}");
    }

    private String trigger(String workflow, String more) throws Exception {
        return house.post("/triggers", "{\"workflowId\": \"" + workflow + "\", " + more + "}")
                .expect(201)
                .text("id");
    }

    private void assertSees(String run) throws Exception {
        house.await(RunId.parse(run));
        Answer shown = house.get("/executions/" + run).expect(200);
        assertTrue(shown.text().contains(SEEN), shown::text);
    }

    private static JsonObject met(Answer answer) {
        JsonObject event = items(answer.object(), "events").getFirst();
        return items(event, "triggers").getFirst();
    }

    private static List<JsonObject> items(JsonObject json, String member) {
        return ((JsonArray) json.find(member).orElseThrow())
                .items().stream().map(JsonObject.class::cast).toList();
    }

    @Test
    void aWebhooksBodyKeepsIt() throws Exception {
        publish("nul-webhook", "trigger");
        Sender sender = Sender.of(house, "nul-webhook");

        assertSees(sender.send(house, "d-1", VALUE).expect(202).text("executionId"));
    }

    @Test
    void whatIsFiredByHandKeepsIt() throws Exception {
        publish("nul-fire", "trigger");
        String id = trigger("nul-fire", "\"triggerType\": \"Manual\"");

        assertSees(house.post("/triggers/" + id + "/fire", "{\"trigger\": " + VALUE + "}")
                .expect(202)
                .text("executionId"));
    }

    @Test
    void anEventsDataKeepIt() throws Exception {
        publish("nul-event", "trigger.data");
        trigger(
                "nul-event",
                "\"triggerType\": \"Event\", \"config\": {\"source\": \"external\", \"types\": [\"nul-event.*\"]}");
        String event =
                "{\"specversion\": \"1.0\", \"id\": \"1\", \"source\": \"/s\", \"type\": \"nul-event.x\", \"data\": "
                        + VALUE + "}";

        assertSees(Sender.text(met(house.post("/events", event).expect(202)), "executionId"));
        Answer binary = house.send(
                "/events",
                "application/json",
                VALUE.getBytes(UTF_8),
                "ce-specversion",
                "1.0",
                "ce-id",
                "2",
                "ce-source",
                "/s",
                "ce-type",
                "nul-event.y");
        assertSees(Sender.text(met(binary.expect(202)), "executionId"));
    }

    /** Its attributes are names. */
    @ParameterizedTest
    @ValueSource(strings = {"id", "source", "type", "subject", "extension"})
    void anEventsAttributesRefuseIt(String attribute) throws Exception {
        String event =
                "{\"specversion\": \"1.0\", \"id\": \"1\", \"source\": \"/s\", \"type\": \"t\", \"subject\": \"s\","
                        + " \"extension\": \"e\"}";
        String with = event.replaceFirst("(\"" + attribute + "\": \"[^\"]*)\"", "$1\\\\u0000\"");

        Answer refused = house.post("/events", with).expect(400);

        assertEquals("INVALID_REQUEST", refused.text("code"));
        assertTrue(refused.text().contains("\"pointer\":\"/" + attribute + "\""), refused::text);
    }

    @Test
    void aConditionRefusesIt() throws Exception {
        publish("nul-condition", "trigger");
        String condition = "\"activationCondition\": \"trigger.a !== 'x\\u0000'\"";
        String body = "{\"workflowId\": \"nul-condition\", \"triggerType\": \"Manual\", " + condition + "}";
        String id = trigger("nul-condition", "\"triggerType\": \"Manual\"");

        for (Answer refused :
                List.of(house.post("/triggers", body), house.put("/triggers/" + id, "{" + condition + "}"))) {
            assertEquals("INVALID_REQUEST", refused.expect(400).text("code"));
            assertTrue(refused.text().contains("\"pointer\":\"/activationCondition\""), refused::text);
        }
    }

    /** What its condition says of it is told, and written down without it. */
    @Test
    void aConditionThatCanNotBeToldOfItIsNoFaultOfOurs() throws Exception {
        publish("nul-untold", "trigger");
        Sender sender = Sender.of(house, "nul-untold", ", \"activationCondition\": \"trigger[trigger.a].b.c > 1\"");

        Answer refused = sender.send(house, "d-1", "{\"a\": \"x\\u0000y\"}").expect(400);

        assertEquals("WFENG005", refused.text("code"));
        assertEquals(List.of("refused"), sender.statuses(house, 1));
    }

    /** A key is what somebody waits under. */
    @Test
    void aSignalsKeyRefusesIt() throws Exception {
        house.publish("""
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "nul-signal", "name": "nul-signal",
                 "triggers": [{"id": "paid", "source": "external", "event": "nul-signal.paid",
                               "signal": {"type": "nul.payment", "key": "{{ event.reference }}"}}],
                 "start": "first", "states": {"first": {"wait": {"signal": "nul.payment", "key": "k"}, "next": "done"},
                 "done": {"end": {}}}}""");
        String event = "{\"specversion\": \"1.0\", \"id\": \"1\", \"source\": \"/s\", \"type\": \"nul-signal.paid\","
                + " \"data\": {\"reference\": \"o\\u0000\"}}";
        JsonObject declared = items(
                        house.get("/triggers?workflowId=nul-signal").expect(200).object(), "items")
                .getFirst();
        Sender trigger = new Sender(Sender.text(declared, "id"), WebhookSecret.generate());

        JsonObject met = met(house.post("/events", event).expect(202));
        Answer fired = house.post(trigger.path() + "/fire", "{\"trigger\": {\"data\": {\"reference\": \"o\\u0000\"}}}")
                .expect(400);

        assertEquals("refused", Sender.text(met, "status"));
        assertEquals("WFENG005", Sender.text(met, "code"));
        assertEquals("WFENG005", fired.text("code"));
        assertFalse(fired.text().contains("database"), fired::text);
        assertEquals(List.of("refused", "refused"), trigger.statuses(house, 2));
    }

    /** What people say of what they do is kept in a column. */
    @ParameterizedTest
    @CsvSource({
        "/dead-letters/requeue, comment",
        "/dead-letters/purge, comment",
        "/outbox/requeue, reason",
        "/outbox/purge, reason"
    })
    void aDeedsReasonRefusesIt(String path, String member) throws Exception {
        Answer refused = house.post(path, "{\"" + member + "\": \"a\\u0000b\"}").expect(400);

        assertEquals("INVALID_REQUEST", refused.text("code"));
        assertTrue(refused.text().contains("\"pointer\":\"/" + member + "\""), refused::text);
    }

    /** A guard that a definition declares is a condition, too. */
    @Test
    void aDeclaredGuardRefusesIt() throws Exception {
        String definition = """
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "nul-guard", "name": "nul-guard",
                 "triggers": [{"id": "one", "source": "external", "event": "nul-guard.x", "start": true,
                               "guard": "event.a !== 'x\\u0000'"}],
                 "start": "done", "states": {"done": {"end": {}}}}""";

        Answer refused = house.post("/workflows", definition).expect(400);

        assertTrue(refused.text().contains("\"pointer\":\"/triggers/0/guard\""), refused::text);
    }
}
