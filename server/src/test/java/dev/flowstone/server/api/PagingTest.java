package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.RestFixture.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists go on by {@code limit} and {@code cursor}; those inside an execution by an offset, too (dataflow.md §13.2). */
final class PagingTest {
    private static final String EXECUTIONS = "/api/v1/executions/";
    private static RestFixture rest;
    private static String run;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture(Map.of("worker.actions", "remote.work"));
        rest.publish(Samples.FAN);
        run = rest.post("/api/v1/workflows/fan/execute", "{}").text("/executionId");
        rest.finished(run, "");
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static List<JsonValue> items(Answer answer, String pointer) {
        assertEquals(200, answer.status(), answer::toString);
        return ((JsonArray) answer.at(pointer)).items();
    }

    private static String text(JsonValue object, String member) {
        return ((JsonObject) object).get(member) instanceof JsonString(String text) ? text : "";
    }

    /** Asked with a parameter that none has, a route tells those that it takes. */
    @Test
    void everyRouteWithALimitTakesACursor() throws Exception {
        List<String> without = new ArrayList<>();
        int lists = 0;
        for (JsonValue route : items(rest.get("/api/v1"), "/routes")) {
            if (text(route, "method").equals("GET")) {
                String path = text(route, "path");
                String known = rest.get(path.replaceAll("\\{[^}]*}", "x") + "?no-such=1")
                        .text("/detail");
                boolean limited = known.contains("limit");
                lists += limited ? 1 : 0;
                if (limited != known.contains("cursor")) {
                    without.add(path);
                }
            }
        }
        assertEquals(List.of(), without);
        assertTrue(lists >= 14, "lists found: " + lists);
    }

    @Test
    void aListGoesOnByEitherWord() throws Exception {
        for (int i = 0; i < 3; i++) {
            rest.post("/api/v1/workflows", Samples.echo("paged-" + i));
        }
        String list = "/api/v1/workflows?search=paged-&limit=2";
        Answer first = rest.get(list);

        Answer byCursor = rest.get(list + "&cursor=" + first.text("/next"));

        assertEquals("paged-2", byCursor.text("/items/0/id"));
        assertEquals(
                byCursor.response().body(),
                rest.get(list + "&after=" + first.text("/next")).response().body());
        Answer timeline = rest.get(EXECUTIONS + run + "/timeline?limit=4");
        assertEquals(
                rest.get(EXECUTIONS + run + "/timeline?from=5").response().body(),
                rest.get(EXECUTIONS + run + "/timeline?cursor=" + timeline.at("/next"))
                        .response()
                        .body());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /workflows?cursor=%21%21                               | 'cursor' is no cursor of this list
            /workflows?after=%21%21                                | 'cursor' is no cursor of this list
            /workflows?after=YQ&cursor=YQ                          | 'after' and 'cursor' are the same
            /workflows?cursor=YQ&after=YQ                          | 'after' and 'cursor' are the same
            /workflows?offset=1                                    | unknown query parameter 'offset'
            /executions?cursor=MQ                                  | 'cursor' is no cursor of this list
            /executions/RUN/timeline?from=1&cursor=1               | 'from' and 'cursor' mean the same
            /executions/RUN?include=parents                        | 'include' takes actions, children, resources, events, context
            /executions/RUN?include=children&childrenAfter=YQ      | 'childrenAfter' is no cursor of this list
            /executions/RUN?include=children&offset=1&childrenAfter=MQ | exclude each other
            /executions/RUN?include=children&actionsAfter=MQ       | 'actionsAfter' takes actions in 'include'
            /executions/RUN?eventsAfter=MQ                         | 'eventsAfter' takes events in 'include'
            /executions/RUN?offset=5                               | 'offset' takes a list in 'include'
            /executions/RUN?include=actions&offset=10001           | from 0 to 10000
            /executions/RUN?include=actions&offset=-1              | from 0 to 10000
            /executions/RUN?include=actions&offset=1&cursor=MQ     | exclude each other
            /executions/RUN?include=actions&offset=1&actionsAfter=MQ | exclude each other
            /executions/RUN?include=actions&cursor=MQ&actionsAfter=MQ | mean the same here
            /executions/RUN?include=actions,events&cursor=MQ       | 'cursor' takes one list
            /executions/RUN?cursor=MQ                              | 'cursor' takes one list
            /executions/RUN?include=events&cursor=YQ               | 'cursor' is no cursor of this list
            /executions/RUN?include=resources&resourcesAfter=YQ    | 'resourcesAfter' is no cursor of this list
            """)
    void whatCannotBeMeantIsRefused(String path, String why) throws Exception {
        Answer refused = rest.get("/api/v1" + path.replace("RUN", run));

        assertEquals(400, refused.status(), refused::toString);
        assertEquals("INVALID_REQUEST", refused.text("/code"));
        assertTrue(refused.text("/detail").contains(why), refused::toString);
    }

    @Test
    void aBatchGoesOnByEitherWordToo() throws Exception {
        String path = "/api/v1/workflows/fan/migrate";
        for (String word : List.of("after", "cursor")) {
            Answer page = rest.post(path, "{\"version\": 1, \"dryRun\": true, \"" + word + "\": \"" + run + "\"}");
            assertEquals(200, page.status(), page::toString);
        }

        Answer both = rest.post(path, "{\"after\": \"" + run + "\", \"cursor\": \"" + run + "\"}");

        assertEquals(400, both.status(), both::toString);
        assertTrue(both.text("/detail").contains("'after' and 'cursor' mean the same"), both::toString);
    }

    @ParameterizedTest
    @CsvSource({"actions, 3, fan", "events, 8, fan", "children, 3, calls"})
    void aListInsideAnExecutionIsPagedByOffsetAndByCursor(String list, int least, String of) throws Exception {
        String path = EXECUTIONS + (of.equals("fan") ? run : caller()) + "?include=" + list;
        List<JsonValue> whole = items(rest.get(path + "&limit=200"), "/" + list + "/items");
        assertTrue(whole.size() >= least, whole::toString);

        for (int offset = 0; offset <= whole.size(); offset++) {
            Answer page = rest.get(path + "&limit=2&offset=" + offset);
            int end = Math.min(offset + 2, whole.size());
            assertEquals(whole.subList(offset, end), items(page, "/" + list + "/items"), "offset " + offset);
            assertEquals(end == whole.size(), page.at("/" + list + "/next") == JsonNull.NULL, "offset " + offset);
            if (end < whole.size()) {
                Answer next = rest.get(path + "&limit=200&cursor=" + page.text("/" + list + "/next"));
                assertEquals(whole.subList(end, whole.size()), items(next, "/" + list + "/items"));
            }
        }
        assertEquals(List.of(), items(rest.get(path + "&offset=10000"), "/" + list + "/items"));
    }

    /** An execution that has called three others, and is over. */
    private static String caller() throws Exception {
        rest.publish(Samples.echo("called"));
        rest.publish("""
                {"id": "calls", "displayName": "W", "startNode": "a", "nodes": [
                  {"id": "a", "nodeType": "subworkflow", "workflowId": "called", "edges": [{"targetNode": "b"}]},
                  {"id": "b", "nodeType": "subworkflow", "workflowId": "called", "edges": [{"targetNode": "c"}]},
                  {"id": "c", "nodeType": "subworkflow", "workflowId": "called"}]}""");
        String id = rest.post("/api/v1/workflows/calls/execute", "{}").text("/executionId");
        assertEquals("Succeeded", rest.finished(id, "").text("/status"));
        return id;
    }

    @Test
    void allListsComeTogetherEachWithItsOwnPage() throws Exception {
        Answer all = rest.get(EXECUTIONS + run + "?include=actions,children,resources,events&limit=2&offset=1");

        assertEquals(2, items(all, "/actions/items").size());
        assertEquals(0, items(all, "/children/items").size());
        assertEquals(0, items(all, "/resources/items").size());
        assertEquals(2, items(all, "/events/items").size());
        assertEquals("2", all.at("/events/items/0/sequence_number").toString());
    }

    @Test
    void whatAnExecutionHasLinkedIsToldWithWhoseItIs() throws Exception {
        rest.publish("""
                {"id": "links", "displayName": "W", "startNode": "a", "nodes": [{"id": "a", "actionType": "remote.work"}]}""");
        String first = linked(
                "[{\"type\":\"crm/Order\",\"key\":\"7\",\"content\":{\"n\":1,\"url\":\"https://crm.example/7\"}},{\"type\":\"Mail\",\"key\":\"m\"}]");
        rest.until("/api/v1/links?type=crm/Order&key=7", answer -> answer.status() == 200);
        String second = linked("[{\"type\":\"crm/Order\",\"key\":\"7\",\"content\":{\"n\":2}}]");

        Answer own = settled(first);
        assertEquals("crm/Order", own.text("/resources/items/0/type"));
        assertEquals("7", own.text("/resources/items/0/key"));
        assertEquals("a#1", own.text("/resources/items/0/activation"));
        assertEquals("1", own.at("/resources/items/0/attempt").toString());
        assertEquals("https://crm.example/7", own.text("/resources/items/0/content/url"));
        assertFalse(
                Instant.parse(own.text("/resources/items/0/linkedAt")).isBefore(Instant.parse(own.text("/startTime"))));
        assertEquals(JsonBoolean.of(true), own.at("/resources/items/0/owned"));
        assertEquals(first, own.text("/resources/items/0/executionId"));
        assertEquals("Mail", own.text("/resources/items/1/type"));
        Answer found = settled(second);
        assertEquals(JsonBoolean.of(false), found.at("/resources/items/0/owned"));
        assertEquals(first, found.text("/resources/items/0/executionId"));
        assertEquals("1", found.at("/resources/items/0/content/n").toString());

        Answer page = rest.get(EXECUTIONS + first + "?include=resources&limit=1");
        assertEquals(1, items(page, "/resources/items").size());
        String next = "?include=resources&cursor=" + page.text("/resources/next");
        assertEquals("Mail", rest.get(EXECUTIONS + first + next).text("/resources/items/0/type"));
        assertEquals(
                "Mail",
                rest.get(EXECUTIONS + first + "?include=resources&offset=1").text("/resources/items/0/type"));
    }

    /** An execution that has linked these, and is over. */
    private static String linked(String links) throws Exception {
        String id = rest.post("/api/v1/workflows/links/execute", "{}").text("/executionId");
        rest.until(
                EXECUTIONS + id + "?include=actions",
                answer -> answer.response().body().contains("remote.work"));
        Answer done = rest.post(
                EXECUTIONS + id + "/tasks/a%231/complete", "{\"attempt\":1,\"output\":1,\"links\":" + links + "}");
        assertEquals(200, done.status(), done::toString);
        return id;
    }

    private static Answer settled(String id) throws Exception {
        return rest.until(
                EXECUTIONS + id + "?include=resources",
                answer -> !answer.response().body().contains("\"owned\":null"));
    }
}
