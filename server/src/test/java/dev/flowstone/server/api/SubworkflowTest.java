package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Subworkflows of JSON DAGs over REST (dataflow.md §9.5, §10.5, §13.2). */
final class SubworkflowTest {
    private static final String ROOT = "/api/v1/executions/";
    private static final String WORKFLOWS = "/api/v1/workflows";
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static String workflow(String id, String... nodes) {
        return "{\"id\":\"" + id + "\",\"displayName\":\"W\",\"startNode\":\"a\",\"nodes\":[" + String.join(",", nodes)
                + "]}";
    }

    /** A node {@code a} that calls; {@code more} are further members. */
    private static String call(String workflow, String more) {
        return "{\"id\":\"a\",\"nodeType\":\"subworkflow\",\"workflowId\":\"" + workflow + "\"" + more + "}";
    }

    private static String echo(String id, String parameters) {
        return "{\"id\":\"" + id + "\",\"actionType\":\"core.echo\",\"parameters\":" + parameters + "}";
    }

    private static String delay(String id) {
        return "{\"id\":\"" + id + "\",\"actionType\":\"core.delay\",\"parameters\":{\"duration\":\"PT30M\"}}";
    }

    private static String start(String workflow, String trigger, String... headers) throws Exception {
        Answer answer = rest.post(WORKFLOWS + "/" + workflow + "/execute", "{\"trigger\":" + trigger + "}", headers);
        assertEquals(202, answer.status(), answer::toString);
        return answer.text("/executionId");
    }

    private static List<String> texts(Answer answer, String list, String member) {
        List<String> texts = new ArrayList<>();
        int size = ((JsonArray) answer.at(list)).items().size();
        for (int i = 0; i < size; i++) {
            texts.add(CanonicalJson.exactText(answer.at(list + "/" + i + member)));
        }
        return texts;
    }

    /** Waits until a run has called so many. */
    private static Answer children(String run, int count) throws Exception {
        return rest.until(
                ROOT + run + "?include=children",
                answer -> ((JsonArray) answer.at("/children/items")).items().size() == count
                        && texts(answer, "/children/items", "/status").stream()
                                .noneMatch(it -> it.equals("null") || it.contains("Pending")));
    }

    private static String child(String run) throws Exception {
        return children(run, 1).text("/children/items/0/executionId");
    }

    /** Three levels, the deepest of which waits. */
    private static void threeLevels(String name) throws Exception {
        rest.publish(workflow(name + "-leaf", delay("a")));
        rest.publish(workflow(name + "-middle", call(name + "-leaf", "")));
        rest.publish(workflow(name + "-top", call(name + "-middle", "")));
    }

    @Test
    void theParentReadsWhatTheChildGaveAndTheChildInheritsWhatItShould() throws Exception {
        rest.publish(
                workflow("reads-child", echo("a", "{\"result\":\"{{ trigger.input }} {{ spec.x ?? 'no spec' }}\"}")));
        rest.publish(workflow(
                "reads",
                call(
                        "reads-child",
                        ",\"parameters\":{\"input\":\"{{ trigger.data }}\"},\"edges\":[{\"targetNode\":\"b\"}]"),
                echo("b", "{\"text\":\"got {{ context.data.a.outputs.result }}\"}")));

        String run = start("reads", "{\"data\":\"seven\"}", "Correlation-Id", "corr-7");
        Answer parent = rest.finished(run, "?include=actions,children");

        assertEquals("Succeeded", parent.text("/status"), parent::toString);
        assertEquals("got seven no spec", parent.text("/output/text"));
        assertEquals(JsonNull.NULL, parent.at("/parentExecutionId"));
        assertEquals("subworkflow", parent.text("/actions/items/0/actionType"));
        assertEquals("Succeeded", parent.text("/actions/items/0/status"));
        assertEquals("seven", parent.text("/actions/items/0/parameters/input"));
        assertEquals("seven no spec", parent.text("/actions/items/0/outputs/result"));
        String child = parent.text("/children/items/0/executionId");
        assertEquals(child, parent.text("/actions/items/0/childExecutionId"));
        assertEquals("a", parent.text("/children/items/0/nodeId"));
        assertEquals("Succeeded", parent.text("/children/items/0/status"));
        Answer read = rest.get(ROOT + child);
        assertEquals(run, read.text("/parentExecutionId"));
        assertEquals(parent.text("/correlationId"), read.text("/correlationId"));
        Answer list = rest.get("/api/v1/executions?workflowId=reads-child");
        assertEquals(run, list.text("/items/0/parentExecutionId"), list::toString);
        assertEquals(
                JsonNull.NULL, rest.get("/api/v1/executions?workflowId=reads").at("/items/0/parentExecutionId"));
    }

    @Test
    void aGraphThatIsCalledFromStatesReadsAnEmptySpec() throws Exception {
        rest.publish(
                workflow("called-by-states", echo("a", "{\"text\":\"{{ trigger.n }} {{ spec.x ?? 'no spec' }}\"}")));
        rest.publish("""
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "states-call", "name": "States",
                 "subworkflows": {"c": {"workflow": "called-by-states"}}, "start": "ask", "states": {
                   "ask": {"call": {"subworkflow": "c", "input": {"n": 7}}, "next": "done",
                     "transitions": [{"on": "failure", "to": "lost"}, {"on": "canceled", "to": "lost"}]},
                   "done": {"end": {}}, "lost": {"end": {"outcome": "lost"}}}}""");

        String run = start("states-call", "{}");
        rest.finished(run, "");

        Answer child = rest.get(ROOT + child(run));
        assertEquals("Succeeded", child.text("/status"), child::toString);
        assertEquals("7 no spec", child.text("/output/text"));
    }

    /** Above 32 KiB an output stands in the payload store, where nothing can be wrapped. */
    @Test
    void largeOutputsAreReadInTheSameWay() throws Exception {
        rest.publish(workflow("large-child", echo("a", "{\"text\":\"{{ trigger.text }}\"}")));
        rest.publish(workflow(
                "large",
                call(
                        "large-child",
                        ",\"parameters\":{\"text\":\"{{ trigger.text }}\"},\"edges\":[{\"targetNode\":\"b\"}]"),
                echo("b", "{\"length\":\"{{ context.data.a.outputs.text.length }}\"}")));
        rest.publish(workflow("large-last", call("large-child", ",\"parameters\":{\"text\":\"{{ trigger.text }}\"}")));
        String trigger = "{\"text\":\"" + "x".repeat(40_000) + "\"}";

        Answer parent = rest.finished(start("large", trigger), "");
        assertEquals("40000", parent.at("/output/length").toString(), parent::toString);
        assertEquals(
                40_000,
                rest.finished(start("large-last", trigger), "")
                        .text("/output/text")
                        .length(),
                "a run that ends with a call gives what the child gave");
    }

    @Test
    void aChildThatIsNotWaitedForIsNamedAndGoesOnByItself() throws Exception {
        rest.publish(workflow("spawned", delay("a")));
        rest.publish(
                workflow(
                        "spawns",
                        call("spawned", ",\"waitForCompletion\":false,\"edges\":[{\"targetNode\":\"b\"}]"),
                        echo(
                                "b",
                                "{\"child\":\"{{ context.data.a.executionId }}\",\"outputs\":\"{{ context.data.a.outputs }}\"}")));

        String run = start("spawns", "{}");
        Answer parent = rest.finished(run, "?include=actions");

        assertEquals("Succeeded", parent.text("/status"), parent::toString);
        assertEquals(child(run), parent.text("/output/child"));
        assertEquals(JsonNull.NULL, parent.at("/output/outputs"));
        assertEquals("Succeeded", parent.text("/actions/items/0/status"));
        assertEquals("Running", rest.get(ROOT + parent.text("/output/child")).text("/status"));
    }

    @Test
    void aChildThatTakesTooLongIsCanceledAndFailsItsNode() throws Exception {
        rest.publish(workflow("slow", delay("a")));
        rest.publish(workflow("hasty", call("slow", ",\"policies\":{\"timeoutMs\":200}")));

        String run = start("hasty", "{}");
        Answer parent = rest.finished(run, "?include=actions");

        assertEquals("Failed", parent.text("/status"));
        assertEquals("TIMEOUT", parent.text("/error/code"), parent::toString);
        assertEquals("Failed", parent.text("/actions/items/0/status"));
        assertEquals("TIMEOUT", parent.text("/actions/items/0/error/code"));
        assertEquals("Cancelled", rest.finished(child(run), "").text("/status"));
    }

    @Test
    void aChildThatIsCancelledFailsItsParent() throws Exception {
        rest.publish(workflow("left-alone", delay("a")));
        rest.publish(workflow("abandoned", call("left-alone", "")));
        String run = start("abandoned", "{}");
        String child = child(run);

        assertEquals(
                200,
                rest.post(ROOT + child + "/cancel", "{\"reason\":\"enough\"}").status());
        Answer parent = rest.finished(run, "?include=actions");

        assertEquals("Failed", parent.text("/status"), parent::toString);
        assertEquals("a", parent.text("/errorNode"));
        assertEquals("Failed", parent.text("/actions/items/0/status"));
    }

    @Test
    void whatIsNotActiveStartsNothingHoweverItIsPinned() throws Exception {
        rest.publish(workflow("retired", echo("a", "{}")));
        rest.publish(workflow("pins", call("retired", ",\"workflowVersion\":1")));
        rest.publish(workflow("pins-wrongly", call("retired", ",\"workflowVersion\":9")));
        assertEquals("Succeeded", rest.finished(start("pins", "{}"), "").text("/status"));
        assertEquals(
                "UNKNOWN_WORKFLOW",
                rest.finished(start("pins-wrongly", "{}"), "").text("/error/code"));

        assertEquals(200, rest.post(WORKFLOWS + "/retired/archive", "").status());

        Answer refused = rest.finished(start("pins", "{}"), "?include=actions");
        assertEquals("UNKNOWN_WORKFLOW", refused.text("/error/code"), refused::toString);
        assertEquals("subworkflow", refused.text("/actions/items/0/actionType"));
        assertEquals(200, rest.post(WORKFLOWS + "/retired/reactivate", "").status());
        assertEquals("Succeeded", rest.finished(start("pins", "{}"), "").text("/status"));
    }

    @Test
    void depthAndRecursionAreBounded() throws Exception {
        rest.publish(workflow("itself", call("itself", "")));
        assertEquals(
                "RECURSION_REFUSED", rest.finished(start("itself", "{}"), "").text("/error/code"));

        rest.publish(workflow("level-6", echo("a", "{}")));
        for (int level = 5; level >= 0; level--) {
            rest.publish(workflow("level-" + level, call("level-" + (level + 1), "")));
        }
        assertEquals("Succeeded", rest.finished(start("level-1", "{}"), "").text("/status"), "five below the first");
        assertEquals(
                "NESTING_TOO_DEEP", rest.finished(start("level-0", "{}"), "").text("/error/code"));
    }

    @Test
    void publishingWarnsOfCallsThatWouldFail() throws Exception {
        assertEquals(
                201,
                rest.post(WORKFLOWS, workflow("calls-nobody", call("nobody-at-all", "")))
                        .status());
        Answer published = rest.post(WORKFLOWS + "/calls-nobody/publish", "");

        assertEquals(200, published.status());
        assertEquals("UNKNOWN_WORKFLOW", published.text("/warnings/0/code"), published::toString);
        assertEquals("/nodes/0/workflowId", published.text("/warnings/0/pointer"));
        assertTrue(published.text("/warnings/0/message").contains("no workflow 'nobody-at-all'"));

        rest.publish(workflow("ring-a", call("ring-b", "")));
        assertEquals(
                201,
                rest.post(WORKFLOWS, workflow("ring-b", call("ring-a", ""))).status());
        Answer ring = rest.post(WORKFLOWS + "/ring-b/publish", "");
        assertEquals("RECURSIVE_CALL", ring.text("/warnings/0/code"), ring::toString);
        assertTrue(ring.text("/warnings/0/message").contains("'ring-b' → 'ring-a' → 'ring-b'"), ring::toString);
    }

    @Test
    void theHierarchyIsTheWholeTreeFromAnyOfItsExecutions() throws Exception {
        rest.publish(workflow("tree-leaf", echo("a", "{}")));
        rest.publish(workflow(
                "tree-middle",
                call("tree-leaf", ",\"edges\":[{\"targetNode\":\"b\"}]"),
                call("tree-leaf", "").replace("\"id\":\"a\"", "\"id\":\"b\"")));
        rest.publish(workflow(
                "tree-top",
                call("tree-middle", ",\"edges\":[{\"targetNode\":\"b\"}]"),
                call("tree-leaf", "").replace("\"id\":\"a\"", "\"id\":\"b\"")));
        String top = start("tree-top", "{}");
        assertEquals("Succeeded", rest.finished(top, "").text("/status"));

        Answer whole = rest.get(ROOT + top + "/hierarchy");

        assertEquals(200, whole.status());
        assertEquals(top, whole.text("/rootExecutionId"));
        assertEquals(
                List.of("\"tree-top\"", "\"tree-middle\"", "\"tree-leaf\"", "\"tree-leaf\"", "\"tree-leaf\""),
                texts(whole, "/items", "/workflowId"));
        assertEquals(List.of("0", "1", "2", "2", "1"), texts(whole, "/items", "/depth"));
        assertEquals(List.of("null", "\"a\"", "\"a\"", "\"b\"", "\"b\""), texts(whole, "/items", "/nodeId"));
        assertEquals(
                List.of("\"Succeeded\"", "\"Succeeded\"", "\"Succeeded\"", "\"Succeeded\"", "\"Succeeded\""),
                texts(whole, "/items", "/status"));
        assertEquals(JsonNull.NULL, whole.at("/next"));
        String middle = whole.text("/items/1/executionId");
        assertEquals(middle, whole.text("/items/3/parentExecutionId"));
        Answer fromBelow = rest.get(ROOT + whole.text("/items/3/executionId") + "/hierarchy");
        assertEquals(whole.at("/items"), fromBelow.at("/items"));

        List<String> paged = new ArrayList<>();
        String after = "";
        while (paged.size() < 10) {
            Answer page = rest.get(ROOT + middle + "/hierarchy?limit=1" + after);
            assertEquals(200, page.status(), page::toString);
            paged.addAll(texts(page, "/items", "/executionId"));
            if (page.at("/next") == JsonNull.NULL) {
                break;
            }
            after = "&after=" + page.text("/next");
        }
        assertEquals(texts(whole, "/items", "/executionId"), paged);
    }

    @Test
    void theHierarchyOfAnotherTenantIsNotThere() throws Exception {
        rest.publish(workflow("secret", echo("a", "{}")));
        rest.publish(workflow("other-tree", echo("a", "{}")));
        String run = start("secret", "{}");
        String other = start("other-tree", "{}");
        rest.finished(run, "");
        rest.finished(other, "");
        String[] elsewhere = {"Flowstone-Tenant", "elsewhere"};
        assertEquals(
                201,
                rest.post(WORKFLOWS, workflow("abroad", echo("a", "{}")), elsewhere)
                        .status());
        assertEquals(
                200, rest.post(WORKFLOWS + "/abroad/publish", "", elsewhere).status());
        String abroad = start("abroad", "{}", elsewhere);

        Answer foreign = rest.get(ROOT + run + "/hierarchy", "Flowstone-Tenant", "elsewhere");
        assertEquals(404, foreign.status());
        assertEquals("EXECUTION_NOT_FOUND", foreign.text("/code"));
        Answer bad = rest.get(ROOT + run + "/hierarchy?after=%21");
        assertEquals("INVALID_REQUEST", bad.text("/code"), bad::toString);
        for (String top : List.of(other, abroad)) {
            Answer strange = rest.get(ROOT + run + "/hierarchy?after=" + Page.cursor(top + " 1"));
            assertEquals(400, strange.status(), "a cursor of another tree: " + strange);
            assertEquals("INVALID_REQUEST", strange.text("/code"));
        }
        assertEquals(
                200,
                rest.get(ROOT + run + "/hierarchy?after=" + Page.cursor(run + " 1"))
                        .status());
        assertEquals(404, rest.get(ROOT + "no-id/hierarchy").status());
        assertEquals(400, rest.get(ROOT + run + "?include=parents").status());
    }

    @Test
    void cancelAndTerminateReachThreeLevels() throws Exception {
        threeLevels("stopped");
        for (String verb : List.of("cancel", "terminate")) {
            String top = start("stopped-top", "{}");
            String middle = child(top);
            String leaf = child(middle);

            Answer done = rest.post(ROOT + top + "/" + verb, "{\"reason\":\"enough\"}");

            assertEquals(200, done.status(), done::toString);
            for (String run : List.of(top, middle, leaf)) {
                assertEquals("Cancelled", rest.finished(run, "").text("/status"), verb);
            }
            Answer tree = rest.get(ROOT + leaf + "/hierarchy");
            assertEquals(List.of("\"Cancelled\"", "\"Cancelled\"", "\"Cancelled\""), texts(tree, "/items", "/status"));
        }
    }

    @Test
    void aDefinitionsOwnTimeoutEndsItsRuns() throws Exception {
        rest.publish(workflow("bounded", delay("a")).replaceFirst("\\{", "{\"settings\":{\"timeoutMs\":200},"));

        Answer run = rest.finished(start("bounded", "{}"), "");

        assertEquals("Failed", run.text("/status"));
        assertEquals("RUN_DEADLINE", run.text("/error/code"), run::toString);
    }

    @Test
    void settingsThatMeanNothingAreRefused() throws Exception {
        Answer refused = rest.post(
                WORKFLOWS,
                workflow("eager", echo("a", "{}"))
                        .replaceFirst(
                                "\\{", "{\"settings\":{\"maxParallelActions\":0,\"context\":{\"snapshot\":\"All\"}},"));

        assertEquals("WFENG005", refused.text("/code"));
        assertEquals("OUT_OF_RANGE", refused.text("/faults/0/code"), refused::toString);
        assertEquals("/settings/maxParallelActions", refused.text("/faults/0/pointer"));
        assertEquals("/settings/context/snapshot", refused.text("/faults/1/pointer"));
    }

    @Test
    void allMissingActionsAreListed() throws Exception {
        Answer refused = rest.post(
                WORKFLOWS,
                workflow(
                        "lacking",
                        "{\"id\":\"a\",\"actionType\":\"acme.one\",\"edges\":[{\"targetNode\":\"b\"},{\"targetNode\":\"c\"}]}",
                        "{\"id\":\"b\",\"actionType\":\"acme.two\"}",
                        "{\"id\":\"c\",\"actionType\":\"acme.one\"}"));

        assertEquals(400, refused.status());
        assertEquals("WFENG005", refused.text("/code"));
        assertEquals("[\"acme.one\",\"acme.two\"]", CanonicalJson.exactText(refused.at("/missingActions")));
        Answer other = rest.post(WORKFLOWS, workflow("lacking", "{\"id\":\"a\"}"));
        assertTrue(other.json().find("missingActions").isEmpty(), other::toString);
    }

    @Test
    void parametersAreRenderedWithoutDataWhereThatIsSet() throws Exception {
        String fails = workflow("fails-always", echo("a", "{\"x\":\"{{ 'a'.b.c }}\",\"y\":\"{{ trigger.x }}\"}"));
        assertEquals(201, rest.post(WORKFLOWS, fails).status(), "false by default");
        try (RestFixture strict = new RestFixture(Map.of("publish.validateParameterTemplates", "true"))) {
            Answer refused = strict.post(WORKFLOWS, fails);
            assertEquals("TEMPLATE_FAILS", refused.text("/faults/0/code"), refused::toString);
            assertEquals("/nodes/0/parameters/x", refused.text("/faults/0/pointer"));
            strict.publish(workflow("reads-data", echo("a", "{\"y\":\"{{ trigger.x }}\"}")));
            Answer warned = strict.post(WORKFLOWS + "/reads-data/publish", "");
            assertEquals("TEMPLATE_NEEDS_DATA", warned.text("/warnings/0/code"), warned::toString);
        }
    }
}
