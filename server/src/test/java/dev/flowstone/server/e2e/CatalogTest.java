package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.server.node.CannotStartException;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.server.node.OfflineDefinitions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The catalog of connectors and actions over HTTP on PostgreSQL: what is in it, what is turned off, and what a restart leaves. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class CatalogTest {
    /** An action with a schema that is the argument. */
    private static final String CRM = """
            import dev.flowstone.action.*;
            import java.util.List;
            public final class CrmConnector implements Connector {
                public CrmConnector() {
                    System.setProperty("crm.loads", Integer.toString(Integer.getInteger("crm.loads", 0) + 1));
                }
                public record In(@Param("what is said") String text) {}
                record Say(ActionSpec<In, In> spec) implements Action<In, In> {
                    public ActionResult<In> run(In in, ActionContext context) { return ActionResult.succeeded(in); }
                }
                public ConnectorSpec spec() {
                    return ConnectorSpec.of("crm", "1.4.0", "CRM", "Customers.").withoutAuth()
                        .documentation("https://example.com/crm").capabilities("notes").build();
                }
                public List<Action<?, ?>> actions() {
                    return List.of(
                        new Say(ActionSpec.of("crm.note", In.class, In.class).version("1.4.2")
                            .described("Note", "Writes a note.").category("Data", "crm", "text")%s.build()),
                        new Say(ActionSpec.of("crm.memo", In.class, In.class).deprecated("take crm.note", "1.3.0").build()));
                }
            }
            """;

    private static final String STATES = """
            {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "%s", "name": "W", "start": "a",
             "states": {"a": {"task": {"action": "%s", "input": {"text": "x"}, "sideEffects": false}, "next": "end"},
                        "end": {"end": {}}}}""";

    @TempDir
    static Path folder = Path.of("");

    private static final Map<String, String> FLAGS = new HashMap<>(Map.of(
            "worker.actions",
            "billing.charge",
            "webhook.shop.url",
            "http://127.0.0.1:1/hook",
            "webhook.shop.secret",
            "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="));

    private static House house;

    @BeforeAll
    static void open() throws Exception {
        Path plugins = Files.createDirectory(folder.resolve("plugins"));
        PluginJar.write(
                plugins.resolve("crm.jar"), folder.resolve("work"), "CrmConnector", CRM.formatted(""), "CrmConnector");
        FLAGS.put("connector.plugins", plugins.toString());
        house = House.open(folder.resolve("data"), FLAGS, BuiltInActions.registry());
    }

    @AfterAll
    static void close() {
        house.close();
    }

    private static String at(Answer answer, String pointer) {
        return JsonPointer.parse(pointer)
                .find(answer.object())
                .map(CanonicalJson::exactText)
                .orElseGet(() -> "nothing at " + pointer + " of " + answer.text());
    }

    private static List<String> ids(String path) throws Exception {
        JsonArray items =
                (JsonArray) house.get(path).expect(200).object().find("items").orElseThrow();
        return items.items().stream().map(CatalogTest::id).toList();
    }

    private static String id(JsonValue item) {
        return ((JsonString) ((JsonObject) item).find("id").orElseThrow()).value();
    }

    private static String dag(String id, String action, String parameters) {
        return "{\"id\": \"%s\", \"displayName\": \"W\", \"startNode\": \"a\", \"nodes\": [{\"id\": \"a\", \"actionType\": \"%s\", \"parameters\": %s}]}"
                .formatted(id, action, parameters);
    }

    private static Answer published(String id, String definition) throws Exception {
        Answer drafted = house.post("/workflows", definition);
        return drafted.status() == 201 ? house.post("/workflows/" + id + "/publish", "") : drafted;
    }

    private static Answer ended(String workflow) throws Exception {
        RunId run = house.start(workflow, "{}");
        house.await(run);
        return house.get("/executions/" + run).expect(200);
    }

    @Test
    @Order(1)
    void everyActionThatAWorkflowCanNameIsListed() throws Exception {
        assertEquals(
                List.of(
                        "billing.charge",
                        "confluence.create-page",
                        "confluence.get-page",
                        "confluence.update-page",
                        "core.delay",
                        "core.echo",
                        "core.fail",
                        "core.http",
                        "core.sometimes-fails",
                        "core.template.render",
                        "core.transform",
                        "core.webhook",
                        "crm.memo",
                        "crm.note",
                        "email.send",
                        "monday.create-item",
                        "monday.get-items",
                        "monday.update-item",
                        "slack.list-channels",
                        "slack.post-message",
                        "slack.update-message"),
                ids("/actions"));
        assertEquals(List.of("billing", "confluence", "core", "crm", "email", "monday", "slack"), ids("/connectors"));
        assertEquals(List.of("crm.memo", "crm.note"), ids("/connectors/crm/actions"));
        Answer unknown = published("unknown", dag("unknown", "acme.no", "{}")).expect(400);
        assertTrue(unknown.text().contains("there are 'billing.charge'"), unknown::text);
        for (String action : List.of("core.echo", "core.fail", "core.sometimes-fails", "core.delay", "core.http")) {
            Answer told = house.get("/actions/" + action).expect(200);
            assertEquals("\"object\"", at(told, "/parameterSchema/type"));
            assertFalse(at(told, "/outputSchema").equals("{}"), told::text);
        }
    }

    @Test
    @Order(2)
    void actionsAreFoundByConnectorCategoryTagTextAndBeingEnabled() throws Exception {
        assertEquals(List.of("crm.note"), ids("/actions?connectorId=crm&category=data"));
        assertEquals(
                List.of("core.transform", "crm.note", "monday.create-item", "monday.get-items", "monday.update-item"),
                ids("/actions?category=DATA"));
        assertEquals(List.of("crm.note"), ids("/actions?search=writes%20A"));
        assertEquals(List.of("crm.note"), ids("/actions?tag=crm"));
        assertEquals(List.of(), ids("/actions?isEnabled=false"));
        Answer first = house.get("/actions?limit=1&connectorId=crm").expect(200);
        assertEquals(List.of("crm.note"), ids("/actions?limit=1&connectorId=crm&cursor=" + first.text("next")));
        assertEquals(400, house.get("/actions?cursor=AA").status());
    }

    @Test
    @Order(3)
    void anActionIsToldWithItsSchemasItsVersionAndThatItIsToBeLeft() throws Exception {
        Answer note = house.get("/actions/crm.note").expect(200);
        assertEquals("\"Note\"", at(note, "/displayName"));
        assertEquals("\"Writes a note.\"", at(note, "/description"));
        assertEquals("\"1.4.2\"", at(note, "/version"));
        assertEquals("\"crm\"", at(note, "/connectorId"));
        assertEquals("[\"crm\",\"text\"]", at(note, "/tags"));
        assertEquals("\"what is said\"", at(note, "/parameterSchema/properties/text/description"));
        assertEquals("[\"text\"]", at(note, "/outputSchema/required"));
        assertEquals("null", at(note, "/deprecation"));
        assertEquals("true", at(note, "/isRegistered"));
        Answer memo = house.get("/actions/crm.memo").expect(200);
        assertEquals("{\"message\":\"take crm.note\",\"since\":\"1.3.0\"}", at(memo, "/deprecation"));
        Answer crm = house.get("/connectors/crm").expect(200);
        assertEquals("\"1.4.0\"", at(crm, "/version"));
        assertEquals("[\"notes\"]", at(crm, "/capabilities"));
        assertEquals("false", at(crm, "/requiresAuth"));
        Answer worker = house.get("/actions/billing.charge").expect(200);
        assertEquals("[\"worker\"]", at(worker, "/tags"));
    }

    @Test
    @Order(4)
    void bothFormatsWarnOfWhatIsToBeLeft() throws Exception {
        Answer dag =
                published("memo", dag("memo", "crm.memo", "{\"text\": \"x\"}")).expect(200);
        assertEquals("\"ACTION_DEPRECATED\"", at(dag, "/warnings/0/code"));
        Answer states =
                published("memo-s", STATES.formatted("memo-s", "crm.memo")).expect(200);
        assertTrue(states.text().contains("STATES-ACTION-DEPRECATED"), states::text);
        assertTrue(states.text().contains("take crm.note"), states::text);
    }

    @Test
    @Order(5)
    void whatIsTurnedOffIsNeitherPublishedNorRunUntilItIsTurnedOn() throws Exception {
        String body = dag("note", "crm.note", "{\"text\": \"x\"}");
        Answer _ = published("note", body).expect(200);
        Answer _ = published("note-s", STATES.formatted("note-s", "crm.note")).expect(200);
        Answer _ = published("pay", dag("pay", "billing.charge", "{}")).expect(200);
        Answer _ = published("tell", dag("tell", "core.webhook", "{\"endpoint\": \"shop\", \"type\": \"a.b\"}"))
                .expect(200);
        RunId waiting = house.start("pay", "{}");

        Answer off = house.post("/actions/crm.note/disable", "{\"reason\": \"it floods them\"}", "If-Match", "\"r0\"")
                .expect(200);
        for (String each : List.of("/connectors/billing", "/actions/core.webhook", "/actions/core.delay")) {
            Answer _ = house.post(each + "/disable", "").expect(200);
        }

        assertEquals("false", at(off, "/isEnabled"));
        assertEquals("1", at(off, "/switch/revision"));
        assertEquals("\"it floods them\"", at(off, "/switch/reason"));
        assertFalse(at(off, "/switch/changedBy").equals("null"));
        assertEquals(
                List.of("billing.charge", "core.delay", "core.webhook", "crm.note"), ids("/actions?isEnabled=false"));
        Answer dag = published("other", body.replace("\"note\"", "\"other\"")).expect(400);
        assertEquals("\"ACTION_DISABLED\"", at(dag, "/faults/0/code"), dag::text);
        assertEquals("\"/nodes/0/actionType\"", at(dag, "/faults/0/pointer"));
        assertEquals("[\"crm.note\"]", at(dag, "/missingActions"));
        Answer states =
                published("other-s", STATES.formatted("other-s", "crm.note")).expect(400);
        assertEquals("\"STATES-ACTION-DISABLED\"", at(states, "/faults/0/code"), states::text);
        assertEquals("[\"crm.note\"]", at(states, "/missingActions"));
        Answer delay = published("slow", dag("slow", "core.delay", "{\"durationMs\": 1}"))
                .expect(400);
        assertEquals("\"ACTION_DISABLED\"", at(delay, "/faults/0/code"), delay::text);
        house.await(waiting);
        assertEquals(
                "\"ACTION_DISABLED\"",
                at(house.get("/executions/" + waiting), "/error/code"),
                "what waits fails though no worker is there");
        for (String workflow : List.of("note", "note-s", "pay", "tell")) {
            Answer failed = ended(workflow);
            assertEquals("\"Failed\"", at(failed, "/status"), failed::text);
            assertTrue(failed.text().contains("ACTION_DISABLED"), failed::text);
        }
        Answer claimed =
                house.post("/tasks/claim", "{\"worker\":\"w\",\"actions\":[\"billing.charge\"],\"waitSeconds\":0}");
        assertEquals("[]", at(claimed, "/tasks"), "nothing is handed out");

        for (String each : List.of("/connectors/billing", "/actions/core.webhook", "/actions/core.delay")) {
            Answer _ = house.post(each + "/enable", "").expect(200);
        }
        assertEquals(
                412,
                house.post("/actions/crm.note/enable", "", "If-Match", "\"r0\"").status());
        assertEquals("\"Failed\"", at(ended("note"), "/status"));
        assertEquals("\"Succeeded\"", at(ended("tell"), "/status"));
    }

    @Test
    @Order(6)
    void anotherTenantSeesTheSameCatalogAndNothingOfWhoeverUsesIt() throws Exception {
        Answer theirs = house.as("globex").get("/actions/crm.note").expect(200);
        assertEquals(house.get("/actions/crm.note").text(), theirs.text());
        assertEquals("[]", at(house.as("globex").get("/workflows"), "/items"));
    }

    @Test
    @Order(7)
    void aRestartKeepsWhatIsOffAndWhatNobodyHasAnyMore() throws Exception {
        house.close();
        FLAGS.put("catalog.autoRegisterActions", "false");
        FLAGS.put("worker.actions", "billing.charge,stock.reserve,stock.release");
        house = House.open(folder.resolve("data"), FLAGS, BuiltInActions.registry());

        Answer note = house.get("/actions/crm.note").expect(200);
        assertEquals("false", at(note, "/isRegistered"), "nobody has said that it has it");
        assertEquals("false", at(note, "/isEnabled"));
        assertEquals("\"Failed\"", at(ended("note"), "/status"), "it is off as before");
        Answer on = house.post("/actions/crm.note/enable", "").expect(200);
        assertEquals("2", at(on, "/switch/revision"));
        assertEquals("\"Succeeded\"", at(ended("note"), "/status"), "it runs without being registered");
    }

    @Test
    @Order(8)
    void whatNoNodeHasToldIsTurnedOffWhereANodeRunsIt() throws Exception {
        house.get("/actions/stock.reserve").expect(404);
        house.post("/actions/nobody.runs/disable", "").expect(404);
        house.post("/connectors/nobody/disable", "").expect(404);
        house.get("/connectors/stock").expect(404);
        house.post("/actions/stock.reserve/enable", "").expect(404);
        house.get("/actions/stock.reserve").expect(404);

        Answer off = house.post("/actions/stock.reserve/disable", "{\"reason\": \"it floods them\"}")
                .expect(200);

        assertEquals("false", at(off, "/isRegistered"), "no node says that it has it");
        assertEquals("false", at(off, "/isEnabled"));
        assertEquals("1", at(off, "/switch/revision"));
        assertEquals(off.text(), house.get("/actions/stock.reserve").text());
        Answer refused =
                published("reserve", dag("reserve", "stock.reserve", "{}")).expect(400);
        assertEquals("\"ACTION_DISABLED\"", at(refused, "/faults/0/code"), refused::text);
        house.get("/actions/stock.release").expect(404);
        published("release", dag("release", "stock.release", "{}")).expect(200);
        house.post("/connectors/stock/disable", "").expect(200);
        published("again", dag("again", "stock.release", "{}")).expect(400);
        house.post("/connectors/stock/enable", "").expect(200);
        house.post("/actions/stock.reserve/enable", "").expect(200);
    }

    /** As the scenarios of a command are compiled. */
    @Test
    void plugInsAreLoadedOnceForAllThatNameTheSame() throws Exception {
        FlowstoneConfig config = House.config(folder.resolve("unused"), FLAGS);
        int before = Integer.getInteger("crm.loads", 0);
        OfflineDefinitions definitions = new OfflineDefinitions();

        for (String action : List.of("one.action", "another.action")) {
            byte[] source = dag("w", action, "{}").getBytes(StandardCharsets.UTF_8);
            assertTrue(definitions
                    .of(config, Set.of(action))
                    .check(source)
                    .program()
                    .isPresent());
        }

        assertEquals(before + 1, Integer.getInteger("crm.loads"));
    }

    @Test
    void aSchemaThatCanNotBeUsedKeepsANodeFromStartingUnlessThatIsLetPass() throws Exception {
        Path plugins = Files.createDirectory(folder.resolve("faulty"));
        String faulty = CRM.formatted(".parameterSchema(\"{\\\"type\\\": \\\"nothing\\\"}\")");
        PluginJar.write(plugins.resolve("crm.jar"), folder.resolve("work2"), "CrmConnector", faulty, "CrmConnector");
        Map<String, String> flags = new HashMap<>(Map.of("connector.plugins", plugins.toString()));
        CannotStartException refused = assertThrows(
                CannotStartException.class, () -> Flowstone.definitions(House.config(folder.resolve("unused"), flags)));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("crm.note") && message.contains("schema of its parameters"), message);

        flags.put("catalog.validateActionSchemas", "false");

        var definitions = Flowstone.definitions(House.config(folder.resolve("unused"), flags));
        byte[] wrong = dag("w", "crm.note", "{\"text\": 7}").getBytes(StandardCharsets.UTF_8);
        assertEquals(
                "ACTION_PARAMETERS",
                definitions.check(wrong).faults().getFirst().code().id(),
                "what the record demands is checked");
    }
}
