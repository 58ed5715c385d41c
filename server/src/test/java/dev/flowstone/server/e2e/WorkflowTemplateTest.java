package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.template.WorkflowTemplates.Shipped;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.templates.workflow.Blueprint;
import dev.flowstone.templates.workflow.Library;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workflow templates over HTTP and on PostgreSQL: written, listed, made into drafts (dataflow.md §3.5.1, §3.6, §13.5). */
@ExtendWith(SharedHouse.class)
final class WorkflowTemplateTest {
    private static final String ROOT = "/templates/workflows";

    private final House house;

    WorkflowTemplateTest(House house) {
        this.house = house;
    }

    private static String at(Answer answer, String pointer) {
        JsonValue value = JsonPointer.parse(pointer)
                .find(answer.object())
                .orElseThrow(() -> new AssertionError("nothing at " + pointer + " in " + answer.text()));
        return value instanceof JsonString(String text) ? text : CanonicalJson.exactText(value);
    }

    private static String template(String id, String more) {
        return """
                {"id": "%s", "displayName": "Tell a channel", "description": "Says it.", "category": "%1$s-things",
                 "tags": ["chat"], "author": "Ann", "thumbnailUrl": "https://example.com/t.png", %s
                 "definition": {"startNode": "say", "nodes": [
                   {"id": "say", "actionType": "core.echo",
                    "parameters": {"channel": {"$config": "/channel"}, "what": "{{ trigger.what }}"},
                    "policies": {"retry": {"maxAttempts": {"$config": "/attempts"}}}}]},
                 "configSchema": {"type": "object", "required": ["channel"],
                   "properties": {"channel": {"type": "string"}, "attempts": {"type": "integer", "default": 2}},
                   "examples": [{"channel": "#ops"}]}}""".formatted(id, more);
    }

    private String made(String id) throws Exception {
        house.post(ROOT, template(id, "")).expect(201);
        return ROOT + "/" + id;
    }

    private static List<String> ids(Answer page) {
        JsonArray items = (JsonArray) page.object().find("items").orElseThrow();
        return items.items().stream()
                .map(it -> ((JsonString) JsonPointer.parse("/id").find(it).orElseThrow()).value())
                .toList();
    }

    @Test
    void aTemplateHasWhatTheSpecificationNamesAndIsUnofficialUnlessSaid() throws Exception {
        Answer shown = house.get(made("has-all")).expect(200);

        assertEquals("Tell a channel", at(shown, "/displayName"));
        assertEquals("Says it.", at(shown, "/description"));
        assertEquals("has-all-things", at(shown, "/category"));
        assertEquals("/channel", at(shown, "/definition/nodes/0/parameters/channel/$config"));
        assertEquals("object", at(shown, "/configSchema/type"));
        assertEquals("https://example.com/t.png", at(shown, "/thumbnailUrl"));
        assertEquals("Ann", at(shown, "/author"));
        assertEquals("[\"chat\"]", at(shown, "/tags"));
        assertEquals("false", at(shown, "/isOfficial"));
        assertFalse(at(shown, "/createdAt").isEmpty());
        assertTrue(at(shown, "/createdBy").startsWith("user:"), shown::text);
        house.post(ROOT, template("has-all", "")).expect(200);
        for (String bad : List.of(
                "http://example.com/t.png",
                "javascript:alert(1)",
                "data:image/svg+xml;base64,PHN2Zz4=",
                "https://user:secret@example.com/t.png")) {
            Answer refused = house.post(ROOT, template("bad-picture", "").replace("https://example.com/t.png", bad))
                    .expect(400);
            assertEquals("/thumbnailUrl", at(refused, "/faults/0/pointer"), bad);
        }
        String picture = "data:image/png;base64,iVBORw0KGgo=";
        house.post(ROOT, template("with-picture", "").replace("https://example.com/t.png", picture))
                .expect(201);
    }

    @Test
    void aDraftIsMadeOfAConfigAndNothingRunsBeforeItIsPublished() throws Exception {
        String path = made("makes-drafts");
        String body = "{\"displayName\": \"Tell ops\", \"config\": {\"channel\": \"{{ trigger.what }}\"}}";
        Answer drafted = house.post(path + "/instantiate", body).expect(201);

        String workflow = at(drafted, "/workflowId");
        assertTrue(workflow.matches("makes-drafts-[0-9a-f]{12}"), workflow);
        assertEquals("Draft", at(drafted, "/status"));
        assertEquals("1", at(drafted, "/templateVersion"));
        Answer shown = house.get("/workflows/" + workflow).expect(200);
        assertEquals("Draft", at(shown, "/status"));
        assertEquals("Tell ops", at(shown, "/displayName"));
        assertEquals("2", at(shown, "/definition/nodes/0/policies/retry/maxAttempts"), "the default");
        house.post("/workflows/" + workflow + "/execute", "{}").expect(409);

        house.post("/workflows/" + workflow + "/publish", "").expect(200);
        RunId run = house.start(workflow, "{\"trigger\": {\"what\": \"secret\"}}");
        house.await(run);
        Answer over = house.get("/executions/" + run).expect(200);
        assertEquals("secret", at(over, "/output/what"));
        assertEquals("{{ trigger.what }}", at(over, "/output/channel"), "what a config says is data");
        assertNotEquals(workflow, at(house.post(path + "/instantiate", body).expect(201), "/workflowId"));
    }

    @Test
    void aRepetitionUnderItsKeyMakesNoSecondDraftAndLeavesTheFirstAlone() throws Exception {
        String path = made("once") + "/instantiate";
        String body = "{\"displayName\": \"Once\", \"config\": {\"channel\": \"#a\"}}";
        String[] key = {"Idempotency-Key", "one-draft"};
        Answer first = house.post(path, body, key).expect(201);
        Answer second = house.post(path, body, key).expect(200);

        assertEquals(at(first, "/workflowId"), at(second, "/workflowId"));
        Answer other = house.post(path, body.replace("#a", "#b"), key).expect(409);
        assertEquals("IDEMPOTENCY_KEY_REUSED", at(other, "/code"));
        house.post("/workflows/" + at(first, "/workflowId") + "/publish", "").expect(200);
        assertEquals("Active", at(house.post(path, body, key).expect(200), "/status"));
        String named = "{\"displayName\": \"Once\", \"workflowId\": \"%s\", \"config\": {\"channel\": \"#c\"}}"
                .formatted(at(first, "/workflowId"));
        assertEquals("WORKFLOW_STATE", at(house.post(path, named).expect(409), "/code"));
        Answer shown = house.get("/workflows/" + at(first, "/workflowId")).expect(200);
        assertEquals("#a", at(shown, "/definition/nodes/0/parameters/channel"));
    }

    /** An answer gets lost; until the client asks again, others go on with the template. */
    @Test
    void aRepetitionFindsItsDraftWhateverBecameOfTheTemplate() throws Exception {
        String path = made("moves-on");
        String body = "{\"displayName\": \"Once\", \"config\": {\"channel\": \"#a\"}}";
        String[] key = {"Idempotency-Key", "lost-answer"};
        Answer first = house.post(path + "/instantiate", body, key).expect(201);
        String next = template("moves-on", "")
                .replace("\"id\": \"moves-on\", ", "")
                .replace("{{ trigger.what }}", "{{ trigger.text }}");
        house.post(path + "/versions", next).expect(201);
        house.post(path + "/disable", "").expect(200);
        Answer second = house.post(path + "/instantiate", body, key).expect(200);

        assertEquals(at(first, "/workflowId"), at(second, "/workflowId"));
        assertEquals("1", at(second, "/templateVersion"), "what it came of");
        house.post(path + "/instantiate?version=1", body, key).expect(200);
        Answer off = house.post(path + "/instantiate?version=2", body, key).expect(409);
        assertEquals("INVALID_STATE", at(off, "/code"));
        house.post(path + "/enable", "").expect(200);
        Answer other = house.post(path + "/instantiate?version=2", body, key).expect(409);
        assertEquals("IDEMPOTENCY_KEY_REUSED", at(other, "/code"));
    }

    @Test
    void aKeyIsOfOneTemplateHoweverAlikeTheirIdsAre() throws Exception {
        String body = "{\"displayName\": \"Once\", \"config\": {\"channel\": \"#a\"}}";
        String[] key = {"Idempotency-Key", "alike"};
        Answer one = house.post(made("alike.a") + "/instantiate", body, key).expect(201);
        Answer other = house.post(made("alike-a") + "/instantiate", body, key).expect(201);

        assertNotEquals(at(one, "/workflowId"), at(other, "/workflowId"));
    }

    @Test
    void whatIsShownOfATemplateCanBeSentBack() throws Exception {
        String bare = template("sent-back", "")
                .replace(
                        "\"tags\": [\"chat\"], \"author\": \"Ann\", \"thumbnailUrl\": \"https://example.com/t.png\",",
                        "");
        house.post(ROOT, bare).expect(201);
        Answer shown = house.get(ROOT + "/sent-back").expect(200);
        JsonObject.Builder back = JsonObject.builder();
        for (String member : List.of(
                "displayName",
                "description",
                "category",
                "definition",
                "configSchema",
                "thumbnailUrl",
                "author",
                "tags")) {
            back.put(member, shown.object().find(member).orElseThrow());
        }
        String body = CanonicalJson.exactText(back.build());

        assertEquals("[]", at(shown, "/tags"));
        assertEquals("1", at(house.post(ROOT + "/sent-back/versions", body).expect(200), "/version"));
        Answer tagged = house.post(ROOT + "/sent-back/versions", body.replace("\"tags\":[]", "\"tags\":[\"a\"]"))
                .expect(201);
        assertEquals("[\"a\"]", at(tagged, "/tags"));
        assertEquals("[]", at(house.post(ROOT + "/sent-back/versions", body).expect(201), "/tags"));
    }

    @Test
    void whatIsWrongWithAConfigIsToldWhereItStands() throws Exception {
        String path = made("wrong-config") + "/instantiate";

        Answer missing = house.post(path, "{\"displayName\": \"X\"}").expect(400);
        assertEquals("WFENG005", at(missing, "/code"));
        assertEquals("CONFIG_INVALID", at(missing, "/faults/0/code"));
        Answer typed = house.post(path, "{\"displayName\": \"X\",\n \"config\": {\"channel\": 7, \"chanel\": \"x\"}}")
                .expect(400);
        assertEquals("/config/chanel", at(typed, "/faults/0/pointer"));
        assertEquals("/config/channel", at(typed, "/faults/1/pointer"));
        assertEquals("2", at(typed, "/faults/1/line"));
        Answer unsound = house.post(
                        path, "{\"displayName\": \"X\", \"config\": {\"channel\": \"x\", \"attempts\": 100000}}")
                .expect(400);
        assertEquals("OUT_OF_RANGE", at(unsound, "/faults/0/code"), "the format's own rules");
        assertEquals("/config/attempts", at(unsound, "/faults/0/pointer"));
        Answer named = house.post(
                        path, "{\"displayName\": \"X\", \"workflowId\": \"NO!\", \"config\": {\"channel\": \"x\"}}")
                .expect(400);
        assertEquals("/workflowId", at(named, "/faults/0/pointer"));
    }

    @Test
    void aTemplateThatCanMakeNoWorkflowIsRefused() throws Exception {
        String sound = template("refused", "");
        Answer unknown =
                house.post(ROOT, sound.replace("/attempts\"", "/tries\"")).expect(400);
        assertEquals("PLACEHOLDER_INVALID", at(unknown, "/faults/0/code"));
        assertEquals("/definition/nodes/0/policies/retry/maxAttempts", at(unknown, "/faults/0/pointer"));
        Answer schema = house.post(ROOT, sound.replace("\"type\": \"integer\"", "\"type\": \"count\""))
                .expect(400);
        assertEquals("SCHEMA_INVALID", at(schema, "/faults/0/code"));
        Answer example = house.post(ROOT, sound.replace("[{\"channel\": \"#ops\"}]", "[{}]"))
                .expect(400);
        assertEquals("/configSchema/examples/0", at(example, "/faults/0/pointer"));
        Answer definition = house.post(ROOT, sound.replace("\"startNode\": \"say\"", "\"startNode\": \"sing\""))
                .expect(400);
        assertEquals("UNKNOWN_NODE", at(definition, "/faults/0/code"));
        assertEquals("/definition/startNode", at(definition, "/faults/0/pointer"));
        Answer code = house.post(
                        ROOT,
                        sound.replace(
                                "\"policies\"",
                                "\"edges\": [{\"targetNode\": \"say\", \"condition\":"
                                        + " {\"$config\": \"/channel\"}}], \"policies\""))
                .expect(400);
        assertEquals("PLACEHOLDER_INVALID", at(code, "/faults/0/code"));
        house.get(ROOT + "/refused").expect(404);
    }

    @Test
    void versionsStandSideBySideAndOneThatIsOffMakesNothing() throws Exception {
        String path = made("versions");
        String next =
                template("versions", "").replace("\"id\": \"versions\", ", "").replace("Says it.", "Says it better.");
        Answer second =
                house.post(path + "/versions", next, "If-Match", "\"r1\"").expect(201);

        assertEquals("2", at(second, "/version"));
        house.post(path + "/versions", next, "If-Match", "\"r1\"").expect(200);
        Answer overtaken = house.post(path + "/versions", next.replace("better", "worse"), "If-Match", "\"r1\"")
                .expect(412);
        assertEquals("PRECONDITION_FAILED", at(overtaken, "/code"));
        assertEquals("Says it.", at(house.get(path + "?version=1").expect(200), "/description"));
        assertEquals("Says it better.", at(house.get(path).expect(200), "/description"));
        String body = "{\"displayName\": \"X\", \"config\": {\"channel\": \"x\"}}";
        assertEquals("1", at(house.post(path + "/instantiate?version=1", body).expect(201), "/templateVersion"));
        assertEquals("false", at(house.post(path + "/disable", "").expect(200), "/isEnabled"));
        assertEquals("INVALID_STATE", at(house.post(path + "/instantiate", body).expect(409), "/code"));
        assertEquals("true", at(house.post(path + "/enable", "").expect(200), "/isEnabled"));
        house.post(path + "/instantiate", body).expect(201);
    }

    @Test
    void listsAreFilteredByCategoryOfficialAndSearch() throws Exception {
        made("list-a");
        made("list-b");

        assertEquals(
                List.of("list-a"),
                ids(house.get(ROOT + "?category=list-a-things").expect(200)));
        assertEquals(
                List.of("list-a", "list-b"),
                ids(house.get(ROOT + "?search=LIST-&isOfficial=false").expect(200)));
        assertEquals(
                List.of(),
                ids(house.get(ROOT + "?search=list-a&isOfficial=true").expect(200)));
        Answer first = house.get(ROOT + "?search=list-&limit=1").expect(200);
        assertEquals(List.of("list-a"), ids(first));
        assertEquals(
                List.of("list-b"),
                ids(house.get(ROOT + "?search=list-&limit=1&cursor=" + at(first, "/next"))
                        .expect(200)));
        assertEquals(
                List.of("approval-with-reminder"),
                ids(house.get(ROOT + "?search=REMIND&isOfficial=true&category=people")
                                .expect(200))
                        .stream()
                        .filter(it -> it.startsWith("approval"))
                        .toList());
    }

    @Test
    void tenantsAreApartAndOfficialOnesAreEverybodys() throws Exception {
        made("mine-alone");
        House other = house.as("workflow-templates-other");

        assertEquals(
                "WORKFLOW_TEMPLATE_NOT_FOUND",
                at(other.get(ROOT + "/mine-alone").expect(404), "/code"));
        other.post(ROOT + "/mine-alone/instantiate", "{\"displayName\": \"X\"}").expect(404);
        assertEquals(List.of(), ids(other.get(ROOT + "?isOfficial=false").expect(200)));
        Answer taken = other.post(ROOT, template("poll-and-notify", "")).expect(409);
        assertTrue(at(taken, "/detail").contains("official"), taken::text);
        other.post(ROOT, template("made-official", "\"isOfficial\": true,")).expect(201);
        assertEquals("true", at(house.get(ROOT + "/made-official").expect(200), "/isOfficial"));
    }

    @Test
    void eachOfficialTemplateMakesAWorkflowThatCanBePublished() throws Exception {
        for (Shipped shipped : Library.templates()) {
            Blueprint blueprint =
                    new Blueprint(shipped.draft().definition(), shipped.draft().configSchema());
            String body =
                    "{\"displayName\": \"Mine\", \"config\": " + CanonicalJson.exactText(blueprint.example()) + "}";
            Answer drafted =
                    house.post(ROOT + "/" + shipped.id() + "/instantiate", body).expect(201);
            house.post("/workflows/" + at(drafted, "/workflowId") + "/publish", "")
                    .expect(200);
            assertEquals("true", at(house.get(ROOT + "/" + shipped.id()).expect(200), "/isOfficial"));
        }
    }
}
