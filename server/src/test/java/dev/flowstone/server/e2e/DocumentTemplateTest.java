package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.e2e.House.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Document templates over HTTP and on PostgreSQL: written, rendered by hand, rendered by runs (dataflow.md §5.4, §13.6). */
@ExtendWith(SharedHouse.class)
final class DocumentTemplateTest {
    private static final String BODY = """
            <h1>{{ answers.title }}</h1>
            {% for who in answers.stakeholders ?? [] %}
            <li>{{ who }}</li>
            {% endfor %}
            {{ extras.note ?? '' }}
            """;
    private static final String FIELDS = """
            {"fields": [{"key": "title", "label": "Title", "type": "text", "required": true, "help": "Short."},
                        {"key": "stakeholders", "type": "list"}],
             "validation": {"jsonSchema": {"type": "object", "properties": {"title": {"maxLength": 40}}}}}
            """;

    private final House house;

    DocumentTemplateTest(House house) {
        this.house = house;
    }

    private static String at(Answer answer, String pointer) {
        JsonValue value = JsonPointer.parse(pointer)
                .find(answer.object())
                .orElseThrow(() -> new AssertionError("nothing at " + pointer + " in " + answer.text()));
        return value instanceof JsonString(String text) ? text : CanonicalJson.exactText(value);
    }

    private static String quoted(String text) {
        return CanonicalJson.exactText(new JsonString(text));
    }

    private static String template(String body, String fields) {
        return "{\"displayName\": \"Mobile app\", \"format\": \"html\", \"help\": \"Fill it in.\", \"body\": "
                + quoted(body) + ", \"fields\": " + fields + "}";
    }

    private void set(String id) throws Exception {
        house.post("/templates/sets", "{\"id\": \"" + id + "\", \"displayName\": \"Briefs\", \"team\": \"" + id + "\"}")
                .expect(201);
    }

    private String made(String set, String id) throws Exception {
        set(set);
        String path = "/templates/" + set + "/" + id;
        house.post(path + "/versions", template(BODY, FIELDS)).expect(201);
        return path;
    }

    @Test
    void aSetIsMadeShownAndChanged() throws Exception {
        set("set-life");
        String path = "/templates/sets/set-life";

        Answer shown = house.get(path).expect(200);
        assertEquals("Briefs", at(shown, "/displayName"));
        assertEquals("set-life", at(shown, "/team"));
        assertEquals("true", at(shown, "/isEnabled"));
        assertEquals("false", at(shown, "/shared"));
        assertFalse(at(shown, "/createdAt").isEmpty());
        String change = "{\"displayName\": \"Papers\", \"isEnabled\": false}";
        assertEquals(
                "PRECONDITION_FAILED",
                at(house.put(path, change, "If-Match", "\"r2\"").expect(412), "/code"));
        Answer changed = house.put(path, change, "If-Match", "\"r1\"").expect(200);
        assertEquals("Papers", at(changed, "/displayName"));
        assertEquals("set-life", at(changed, "/team"), "what isn't said stays");
        assertEquals("false", at(changed, "/isEnabled"));
        Answer taken = house.post(
                        "/templates/sets", "{\"id\": \"set-life\", \"displayName\": \"Briefs\", \"team\": \"t\"}")
                .expect(409);
        assertEquals("INVALID_STATE", at(taken, "/code"));
        for (String bad : List.of("sets", "workflows", "a/b", "-a", "x".repeat(101))) {
            Answer refused = house.post(
                            "/templates/sets", "{\"id\": \"" + bad + "\", \"displayName\": \"B\", \"team\": \"t\"}")
                    .expect(400);
            assertEquals("/id", at(refused, "/faults/0/pointer"));
        }
    }

    @Test
    void versionsStandSideBySideAndNeverChange() throws Exception {
        String path = made("side-by-side", "brief-a");
        Answer again = house.post(path + "/versions", template(BODY, FIELDS)).expect(200);
        assertEquals("1", at(again, "/version"), "it says the same already");
        house.post(path + "/versions", template("<p>{{ answers.title }}</p>", FIELDS))
                .expect(201);

        Answer newest = house.get(path).expect(200);
        assertEquals("2", at(newest, "/version"));
        Answer first = house.get(path + "?version=1").expect(200);
        assertEquals(BODY, at(first, "/body"));
        assertEquals("Fill it in.", at(first, "/help"));
        assertEquals("Title", at(first, "/fields/fields/0/label"));
        assertEquals("Mobile app", at(first, "/displayName"));
        assertEquals("brief-a", at(house.get("/templates/brief-a?version=1").expect(200), "/id"));

        String answers = "{\"answers\": {\"title\": \"Gears & Cogs\"}}";
        assertEquals(
                "<p>Gears &amp; Cogs</p>",
                at(house.post(path + "/render", answers).expect(200), "/renderedBody"));
        house.post(path + "/versions/2/disable", "").expect(200);
        assertEquals("1", at(house.get(path).expect(200), "/version"), "the newest that isn't off");
        assertEquals(
                "INVALID_STATE",
                at(house.post(path + "/render?version=2", answers).expect(409), "/code"));
        Answer page = house.get(path + "/versions?limit=1").expect(200);
        assertEquals("false", at(page, "/items/0/isEnabled"));
        assertFalse(at(page, "/items/0/disabledAt").equals("null"), page::text);
        assertFalse(at(page, "/items/0/disabledBy").equals("null"), page::text);
        Answer rest = house.get(path + "/versions?limit=1&cursor=" + at(page, "/next"))
                .expect(200);
        assertEquals("1", at(rest, "/items/0/version"));
        house.post(path + "/versions/1/disable", "").expect(200);
        assertEquals("WFENG004", at(house.get(path).expect(404), "/code"));
        house.post(path + "/versions/2/enable", "").expect(200);
        assertEquals("2", at(house.get(path).expect(200), "/version"));
    }

    @Test
    void aPageOfVersionsIsSmallHoweverLargeTheyAre() throws Exception {
        set("large");
        for (int i = 0; i < 3; i++) {
            house.post("/templates/large/one/versions", template("x".repeat(250_000) + i, FIELDS))
                    .expect(201);
        }
        Answer page = house.get("/templates/large/one/versions").expect(200);
        assertEquals("1", at(page, "/items/2/version"));
        assertTrue(page.text().length() < 3_000, page::text);
    }

    @Test
    void whoOverwritesAnothersVersionIsTold() throws Exception {
        String path = made("edited", "by-two");
        String[] tag = {"If-Match", "\"r1\""};
        house.post(path + "/versions", template("ann's", FIELDS), tag).expect(201);
        Answer overtaken =
                house.post(path + "/versions", template("bob's", FIELDS), tag).expect(412);
        assertTrue(at(overtaken, "/detail").contains("the newest version of template 'edited/by-two' is 2"));
        house.post(path + "/versions", template("ann's", FIELDS), tag).expect(200);
    }

    @Test
    void aSharedSetIsHiddenOnPurposeOnlyAndSeenAgain() throws Exception {
        String shared = "{\"id\": \"hidden\", \"displayName\": \"All\", \"team\": \"all\", \"shared\": true}";
        house.post("/templates/sets", shared).expect(201);
        house.post("/templates/hidden/of-all/versions", template(BODY, FIELDS)).expect(201);
        House other = house.as("templates-hiding");
        String own = "{\"id\": \"hidden\", \"displayName\": \"Own\", \"team\": \"own\"";

        Answer refused = other.post("/templates/sets", own + "}").expect(409);
        assertTrue(at(refused, "/detail").contains("\"hides\": true"), refused::text);
        other.get("/templates/hidden/of-all").expect(200);
        other.post("/templates/sets", own + ", \"hides\": true}").expect(201);
        other.get("/templates/hidden/of-all").expect(404);
        assertEquals(204, other.delete("/templates/sets/hidden").status());
        assertEquals("true", at(other.get("/templates/hidden/of-all").expect(200), "/shared"));
        other.post("/templates/sets", own + ", \"hides\": true}").expect(201);
        other.post("/templates/hidden/mine/versions", template(BODY, FIELDS)).expect(201);
        assertEquals("INVALID_STATE", at(other.delete("/templates/sets/hidden").expect(409), "/code"));
    }

    @Test
    void listsAreFilteredByTeamAndSet() throws Exception {
        made("list-a", "one");
        house.post("/templates/list-a/two/versions", template(BODY, FIELDS)).expect(201);
        made("list-b", "one");

        Answer ofTeam = house.get("/templates?team=list-a&limit=1").expect(200);
        assertEquals("one", at(ofTeam, "/items/0/id"));
        assertEquals("list-a", at(ofTeam, "/items/0/templateSetId"));
        Answer next = house.get("/templates?team=list-a&limit=1&cursor=" + at(ofTeam, "/next"))
                .expect(200);
        assertEquals("two", at(next, "/items/0/id"));
        assertEquals("null", at(next, "/next"));
        Answer ofSet = house.get("/templates?set=list-b").expect(200);
        assertEquals(
                1,
                ((JsonArray) JsonPointer.parse("/items").find(ofSet.object()).orElseThrow())
                        .items()
                        .size());
        assertEquals("1", at(ofSet, "/items/0/currentVersion"));
        Answer ambiguous = house.get("/templates/one").expect(409);
        assertEquals("TEMPLATE_AMBIGUOUS", at(ambiguous, "/code"));
        assertTrue(at(ambiguous, "/detail").contains("/api/v1/templates/list-a/one, /api/v1/templates/list-b/one"));
        house.post(
                        "/templates/sets",
                        "{\"id\": \"list-all\", \"displayName\": \"All\", \"team\": \"all\", \"shared\": true}")
                .expect(201);
        house.post("/templates/list-all/two/versions", template(BODY, FIELDS)).expect(201);
        assertEquals(
                "list-a",
                at(house.get("/templates/two").expect(200), "/templateSetId"),
                "one's own is meant, whatever is everybody's since");
        String formless = "{\"displayName\": \"A\", \"body\": \"b\"}";
        Answer silent = house.post("/templates/list-a/three/versions", formless).expect(400);
        assertTrue(silent.text().contains("'format'"), silent::text);
        assertEquals("400", Integer.toString(house.get("/templates?cursor=YQ").status()));
    }

    @Test
    void whatIsWrittenWrongIsRefusedWithItsPlace() throws Exception {
        set("written-wrong");
        Answer refused = house.post(
                        "/templates/written-wrong/x/versions",
                        template("{{ answers.title\n", "{\"validation\": {\"jsonSchema\": {\"type\": \"text\"}}}"))
                .expect(400);
        assertEquals("WFENG005", at(refused, "/code"));
        assertEquals("/fields/validation/jsonSchema/type", at(refused, "/faults/0/pointer"));
        assertEquals("/body", at(refused, "/faults/1/pointer"));
        assertTrue(at(refused, "/faults/1/message").startsWith("line 1, column 1: a {{ is not closed"), refused::text);
        house.post("/templates/written-wrong/x/versions", template("a\u0000b", "{}"))
                .expect(400);
        assertEquals(
                "INVALID_REQUEST",
                at(
                        house.post("/templates/written-wrong/sets/versions", template("b", "{}"))
                                .expect(400),
                        "/code"));
        assertEquals("WFENG004", at(house.get("/templates/written-wrong/x").expect(404), "/code"));
    }

    @Test
    void aRenderingTellsWhatIsWrongWithItsAnswers() throws Exception {
        String render = made("rendered", "brief-r") + "/render";

        Answer wrong = house.post(
                        render, "{\"answers\": {\"title\": \"" + "x".repeat(41) + "\",\n \"stakeholders\": [1]}}")
                .expect(400);
        assertEquals("WFENG005", at(wrong, "/code"));
        assertEquals("/answers/stakeholders/0", at(wrong, "/faults/0/pointer"));
        assertEquals("2", at(wrong, "/faults/0/line"));
        assertEquals("/answers/title", at(wrong, "/faults/1/pointer"));
        Answer rendered = house.post(
                        "/templates/brief-r/render?version=1",
                        "{\"answers\": {\"title\": \"T\", \"stakeholders\": [\"@doug\", \"<b>\"]},"
                                + " \"extras\": {\"note\": \"n\"}}")
                .expect(200);
        assertEquals("<h1>T</h1>\n<li>@doug</li>\n<li>&lt;b&gt;</li>\nn\n", at(rendered, "/renderedBody"));
        assertEquals("1", at(rendered, "/metadata/version"));
        house.post("/templates/rendered/strict/versions", template("a\n{{ answers.nope }}", "{}"))
                .expect(201);
        Answer failed = house.post("/templates/rendered/strict/render", "{}").expect(400);
        assertEquals("UNKNOWN_NAME", at(failed, "/faults/0/code"));
        assertTrue(at(failed, "/faults/0/message").contains("line 2, column 3: 'answers.nope'"), failed::text);
    }

    private Answer ran(String workflow, String parameters, String input) throws Exception {
        house.publish("""
                {"id": "%s", "displayName": "W", "startNode": "r", "nodes": [
                  {"id": "r", "actionType": "core.template.render", "parameters": %s}]}""".formatted(workflow, parameters));
        RunId run = house.start(workflow, input);
        house.await(run);
        return house.get("/executions/" + run + "?include=actions").expect(200);
    }

    @Test
    void aRunRendersADocument() throws Exception {
        made("by-runs", "brief");

        Answer run = ran(
                "renders",
                "{\"templateSetId\": \"{{ spec.set }}\", \"templateId\": \"brief\", \"version\": \"{{ spec.version }}\","
                        + " \"answers\": \"{{ spec.answers }}\", \"extras\": {\"note\": \"for {{ trigger.who }}\"}}",
                "{\"trigger\": {\"who\": \"Eve\"}, \"spec\": {\"set\": \"by-runs\", \"version\": 1,"
                        + " \"answers\": {\"title\": \"T\", \"stakeholders\": [\"@doug\"]}}}");

        assertEquals("Succeeded", at(run, "/status"), run::text);
        assertEquals("<h1>T</h1>\n<li>@doug</li>\nfor Eve\n", at(run, "/output/body"));
        assertEquals("by-runs", at(run, "/output/metadata/templateSetId"));
        assertEquals("1", at(run, "/output/metadata/version"));
    }

    @Test
    void aRunThatCannotRenderFailsForGood() throws Exception {
        String path = made("by-failing-runs", "failing");
        String named = "{\"templateSetId\": \"by-failing-runs\", \"templateId\": \"failing\", ";
        String[][] wrong = {
            {"{\"templateSetId\": \"none\", \"templateId\": \"failing\"}", "TEMPLATE_NOT_FOUND"},
            {named + "\"version\": 7}", "TEMPLATE_NOT_FOUND"},
            {named + "\"answers\": {}}", "ANSWERS_INVALID"},
            {named + "\"version\": \"{{ 'newest' }}\"}", "INVALID_PARAMETERS"},
        };
        for (int i = 0; i < wrong.length; i++) {
            Answer run = ran("render-fails-" + i, wrong[i][0], "{}");
            assertEquals("Failed", at(run, "/status"), run::text);
            assertTrue(run.text().contains("\"code\":\"" + wrong[i][1] + "\""), run::text);
            assertFalse(run.text().contains("RetriableFailure"), run::text);
        }
        house.post(path + "/versions/1/disable", "").expect(200);
        Answer off = ran("render-fails-off", named + "\"version\": 1, \"answers\": {\"title\": \"T\"}}", "{}");
        assertTrue(off.text().contains("\"code\":\"TEMPLATE_DISABLED\""), off::text);
    }

    @Test
    void aTenantSeesItsOwnAndEverybodysAndChangesItsOwn() throws Exception {
        made("own", "mine");
        house.post(
                        "/templates/sets",
                        "{\"id\": \"everybodys\", \"displayName\": \"All\", \"team\": \"all\", \"shared\": true}")
                .expect(201);
        house.post("/templates/everybodys/ours/versions", template(BODY, FIELDS))
                .expect(201);
        House other = house.as("templates-other");

        assertEquals("WFENG004", at(other.get("/templates/own/mine").expect(404), "/code"));
        assertEquals(
                "TEMPLATE_SET_NOT_FOUND", at(other.get("/templates/sets/own").expect(404), "/code"));
        assertEquals("true", at(other.get("/templates/ours").expect(200), "/shared"));
        String body = "{\"answers\": {\"title\": \"T\"}}";
        assertEquals(
                "<h1>T</h1>\n\n", at(other.post("/templates/ours/render", body).expect(200), "/renderedBody"));
    }
}
