package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.RestFixture.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Starting executions, and looking at them. */
final class ExecutionTest {
    private static final String WORKFLOWS = "/api/v1/workflows/";
    private static final String EXECUTIONS = "/api/v1/executions";
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
        rest.publish(Samples.FAN);
        rest.publish(Samples.echo("echo"));
        rest.publish(Samples.echo("another"));
        rest.publish(Samples.waiting("waiting"));
        rest.publish(Samples.retried("retried"));
        rest.publish(Samples.failing("failing"));
        rest.publish(Samples.guarded("guarded"));
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static List<String> texts(Answer answer, String list, String member) {
        List<String> texts = new ArrayList<>();
        for (JsonValue item : ((JsonArray) answer.at(list)).items()) {
            texts.add(((JsonObject) item).get(member) instanceof JsonString(String text) ? text : "");
        }
        return texts;
    }

    @Test
    void aStartIsAcceptedAndItsRunToldInTheSpecificationsWords() throws Exception {
        Answer started = rest.post(WORKFLOWS + "fan/execute", "{\"requestId\":\"fan-1\"}");
        assertEquals(202, started.status(), started::toString);
        assertEquals("Pending", started.text("/status"));
        String id = started.text("/executionId");
        assertEquals(EXECUTIONS + "/" + id, started.text("/statusUrl"));

        Answer done = rest.finished(id, "?include=actions,events");

        assertEquals("Succeeded", done.text("/status"));
        assertEquals("Join", done.text("/output/msg"));
        assertEquals("fan-1", done.text("/requestId"));
        assertEquals(
                List.of("A", "B", "C", "D"),
                texts(done, "/actions/items", "nodeId").stream().sorted().toList());
        List<String> nodes = texts(done, "/actions/items", "nodeId");
        List<String> statuses = texts(done, "/actions/items", "status");
        assertEquals("Skipped", statuses.get(nodes.indexOf("C")));
        assertEquals("Succeeded", statuses.get(nodes.indexOf("D")));
        assertEquals("\"s" + done.at("/lastSeq") + "\"", done.header("ETag").orElseThrow());
        assertEquals(
                done.at("/lastSeq").toString(),
                done.header("Flowstone-Last-Seq").orElseThrow());
    }

    @Test
    void aDocumentHasOneLiveExecutionIfItMust() throws Exception {
        String body = "{\"requestId\":\"%s\",\"subject\":{\"kind\":\"invoice\",\"id\":\"7\",\"version\":3}}";
        Answer first = rest.post(WORKFLOWS + "waiting/execute", body.formatted("doc-1"));
        assertEquals(202, first.status(), first::toString);

        Answer again = rest.post(WORKFLOWS + "waiting/execute", body.formatted("doc-1"));
        Answer second = rest.post(WORKFLOWS + "waiting/execute", body.formatted("doc-2"));
        Answer wrong = rest.post(WORKFLOWS + "waiting/execute", "{\"subject\":{\"kind\":\"invoice\"}}");

        assertEquals(200, again.status(), again::toString);
        assertEquals(409, second.status(), second::toString);
        assertEquals("SUBJECT_BUSY", second.text("/code"));
        assertTrue(second.toString().contains(first.text("/executionId")), second::toString);
        assertEquals(400, wrong.status(), wrong::toString);
    }

    @Test
    void whatAnExecutionIsAboutStandsInTheListAndInTheOne() throws Exception {
        String about = "{\"subject\":{\"kind\":\"contract\",\"id\":\"c/9\",\"version\":5,\"exclusive\":false}}";
        String bound = rest.post(WORKFLOWS + "waiting/execute", about).text("/executionId");
        String free = rest.post(WORKFLOWS + "waiting/execute", "{}").text("/executionId");

        Answer list = rest.get(EXECUTIONS + "?workflowId=waiting&limit=2");
        Answer one = rest.get(EXECUTIONS + "/" + bound);

        assertEquals(List.of(free, bound), texts(list, "/items", "executionId"));
        assertEquals(JsonNull.NULL, list.at("/items/0/subject"));
        String subject = "{\"exclusive\":false,\"id\":\"c/9\",\"kind\":\"contract\",%s\"version\":5}";
        assertEquals(subject.formatted(""), CanonicalJson.exactText(list.at("/items/1/subject")));
        assertEquals(subject.formatted("\"knownVersion\":5,"), CanonicalJson.exactText(one.at("/subject")));
        assertEquals(JsonNull.NULL, rest.get(EXECUTIONS + "/" + free).at("/subject"));
    }

    @Test
    void everyEventCarriesTheWholeEnvelope() throws Exception {
        String id = rest.post(WORKFLOWS + "echo/execute", "{}", "Correlation-Id", "corr-7")
                .text("/executionId");

        Answer done = rest.finished(id, "?include=events");

        Set<String> envelope = Set.of(
                "tenant_id",
                "workflow_type",
                "type_version",
                "workflow_id",
                "run_id",
                "event_id",
                "sequence_number",
                "prev_hash",
                "hash",
                "event_time",
                "effective_time",
                "actor",
                "auth_context_ref",
                "idempotency_key",
                "causation_id",
                "correlation_id",
                "schema_version");
        for (JsonValue event : ((JsonArray) done.at("/events/items")).items()) {
            Set<String> missing = new HashSet<>(envelope);
            missing.removeAll(((JsonObject) event).members().keySet());
            assertEquals(Set.of(), missing);
        }
        assertEquals("corr-7", done.text("/events/items/0/correlation_id"));
        assertEquals("RunStarted", done.text("/events/items/0/kind"));
    }

    @Test
    void eachAttemptIsAnAction() throws Exception {
        String id = rest.post(WORKFLOWS + "retried/execute", "{}").text("/executionId");

        Answer done = rest.finished(id, "?include=actions");

        assertEquals(
                List.of("RetriableFailure", "RetriableFailure", "Succeeded"), texts(done, "/actions/items", "status"));
        assertEquals("3", done.at("/actions/items/2/attempt").toString());
        assertEquals("2", done.at("/actions/items/2/retryCount").toString());
        assertEquals(done.at("/actions/items/0/parameters"), done.at("/actions/items/2/parameters"));
        assertEquals("SOMETIMES", done.text("/actions/items/0/error/code"));
    }

    @Test
    void aFailureSaysWhatAndWhere() throws Exception {
        String id = rest.post(WORKFLOWS + "failing/execute", "{}").text("/executionId");

        Answer done = rest.finished(id, "?include=actions");

        assertEquals("Failed", done.text("/status"));
        assertEquals("NO", done.text("/error/code"));
        assertEquals("no", done.text("/errorNode"));
        assertEquals(List.of("Failed"), texts(done, "/actions/items", "status"));
    }

    @Test
    void listsInsideAnExecutionGoOnByTheirCursors() throws Exception {
        String id = rest.post(WORKFLOWS + "fan/execute", "{}").text("/executionId");
        Answer whole = rest.finished(id, "?include=actions,events&limit=200");

        List<JsonValue> events = new ArrayList<>();
        String next = "";
        while (true) {
            Answer page = rest.get(
                    EXECUTIONS + "/" + id + "?include=events&limit=3" + (next.isEmpty() ? "" : "&eventsAfter=" + next));
            events.addAll(((JsonArray) page.at("/events/items")).items());
            if (page.at("/events/next") == JsonNull.NULL) {
                break;
            }
            next = page.text("/events/next");
        }
        assertEquals(((JsonArray) whole.at("/events/items")).items(), events);

        Answer first = rest.get(EXECUTIONS + "/" + id + "?include=actions&limit=3");
        Answer rest4 = rest.get(
                EXECUTIONS + "/" + id + "?include=actions&limit=3&actionsAfter=" + first.text("/actions/next"));
        assertEquals(texts(whole, "/actions/items", "nodeId").subList(3, 4), texts(rest4, "/actions/items", "nodeId"));
    }

    @Test
    void whatWasReadBeforeIsNotSentAgain() throws Exception {
        String id = rest.post(WORKFLOWS + "echo/execute", "{}").text("/executionId");
        String etag = rest.finished(id, "").header("ETag").orElseThrow();

        Answer again = rest.get(EXECUTIONS + "/" + id, "If-None-Match", etag);

        assertEquals(304, again.status());
        assertEquals("", again.response().body());
    }

    @Test
    void numbersComeBackExactly() throws Exception {
        String body = "{\"trigger\":{\"id\":7615917337495251231,\"rate\":0.1000000000000000055}}";
        String id = rest.post(WORKFLOWS + "echo/execute", body).text("/executionId");

        String done = rest.finished(id, "?include=actions").response().body();

        assertTrue(
                done.contains("\"output\":{\"said\":{\"id\":7615917337495251231,\"rate\":0.1000000000000000055}}"),
                done);
    }

    @Test
    void whatAStartWasAskedWithIsShown() throws Exception {
        String body = """
                {"principal": {"userId": "U123", "displayName": "Doug", "email": "doug@example.com"}, "priority": 5}
                """;
        String id = rest.post(WORKFLOWS + "echo/execute", body).text("/executionId");

        Answer done = rest.finished(id, "?include=events");

        assertEquals("U123", done.text("/principal/userId"));
        assertEquals("Doug", done.text("/principal/displayName"));
        assertEquals("doug@example.com", done.text("/principal/email"));
        assertEquals("5", done.at("/priority").toString());
        assertEquals("user:U123", done.text("/startedBy"));
        assertEquals("2", done.at("/events/items/0/kind_version").toString());
        assertEquals("Doug", done.text("/events/items/0/body/principal/displayName"));
    }

    @Test
    void aStartThatSaidNothingIsTheSystems() throws Exception {
        String id = rest.post(WORKFLOWS + "echo/execute", "{}").text("/executionId");

        Answer done = rest.finished(id, "?include=events");

        assertEquals("system", done.text("/principal/userId"));
        assertEquals("System", done.text("/principal/displayName"));
        assertEquals(JsonNull.NULL, done.at("/principal/email"));
        assertEquals(JsonNull.NULL, done.at("/priority"));
        assertEquals("1", done.at("/events/items/0/kind_version").toString());
    }

    /** The queue's message is the execution's first event: it has all that a runner needs (dataflow.md §3.1, §11.1). */
    @Test
    void allThatIsKnownOfAnExecutionIsTold() throws Exception {
        String body = """
                {"requestId": "told-1", "priority": 5, "trigger": {"n": 1.50},
                 "principal": {"userId": "U123", "displayName": "Doug", "email": "doug@example.com"}}""";
        String id = rest.post(WORKFLOWS + "echo/execute", body, "Correlation-Id", "corr-told")
                .text("/executionId");

        Answer done = rest.finished(id, "?include=events");

        assertEquals(id, done.text("/executionId"));
        assertEquals("echo", done.text("/workflowId"));
        assertEquals("1", done.at("/workflowVersion").toString());
        assertEquals("told-1", done.text("/requestId"));
        assertEquals("Succeeded", done.text("/status"));
        assertEquals("5", done.at("/priority").toString());
        assertEquals("{\"n\":1.5}", CanonicalJson.exactText(done.at("/trigger")));
        assertFalse(Instant.parse(done.text("/endTime")).isBefore(Instant.parse(done.text("/startTime"))));
        assertEquals("default", done.text("/tenantId"));
        assertEquals("corr-told", done.text("/correlationId"));
        assertEquals(JsonNull.NULL, done.at("/parentExecutionId"));
        assertEquals("U123", done.text("/principal/userId"));
        assertEquals("Doug", done.text("/principal/displayName"));
        assertEquals("doug@example.com", done.text("/principal/email"));

        assertEquals("RunStarted", done.text("/events/items/0/kind"));
        assertEquals(id, done.text("/events/items/0/run_id"));
        assertEquals("echo", done.text("/events/items/0/workflow_id"));
        assertEquals("1", done.at("/events/items/0/type_version").toString());
        assertEquals("told-1", done.text("/events/items/0/body/requestId"));
        String input = CanonicalJson.exactText(done.at("/events/items/0/body/input/trigger"));
        assertTrue(input.contains("{\"n\":1.5}"), input);
    }

    @Test
    void aStartWithoutARequestIdHasOneAllTheSame() throws Exception {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            String id = rest.post(WORKFLOWS + "echo/execute", "{}").text("/executionId");
            assertEquals(id, rest.finished(id, "").text("/requestId"));
            ids.add(id);
        }
        assertEquals(2, ids.size());
    }

    @Test
    void aWorkflowThatIsTurnedOffStartsNothing() throws Exception {
        rest.publish(Samples.echo("off"));
        rest.rewrite("off", false, Optional.empty());

        Answer refused = rest.post(WORKFLOWS + "off/execute", "{}");

        assertEquals(409, refused.status(), refused::toString);
        assertEquals("NOT_EXECUTABLE", refused.text("/code"));
        assertTrue(refused.text("/detail").contains("it is disabled"), refused::toString);
        assertEquals(List.of(), texts(rest.get(EXECUTIONS + "?workflowId=off"), "/items", "executionId"));
    }

    @Test
    void theSameRequestIdMeetsTheSameExecution() throws Exception {
        Answer first = rest.post(WORKFLOWS + "echo/execute", "{\"requestId\":\"same\"}");
        Answer second = rest.post(WORKFLOWS + "echo/execute", "{\"requestId\":\"same\"}");
        Answer byHeader = rest.post(WORKFLOWS + "echo/execute", "", "Idempotency-Key", "same");
        Answer other = rest.post(WORKFLOWS + "another/execute", "{\"requestId\":\"same\"}");
        Answer differ = rest.post(WORKFLOWS + "echo/execute", "{\"requestId\":\"same\"}", "Idempotency-Key", "else");

        assertEquals(202, first.status());
        assertEquals(200, second.status());
        assertEquals(first.text("/executionId"), second.text("/executionId"));
        assertEquals(first.text("/executionId"), byHeader.text("/executionId"));
        assertEquals(409, other.status());
        assertEquals("WFENG001", other.text("/code"));
        assertEquals(400, differ.status());
        assertEquals("IDEMPOTENCY_KEY_DIFFERS", differ.text("/code"));
    }

    @Test
    void aRepetitionIsAnsweredEvenWhenTheWorkflowIsArchived() throws Exception {
        rest.publish(Samples.echo("retired"));
        String id = rest.post(WORKFLOWS + "retired/execute", "{\"requestId\":\"r\"}")
                .text("/executionId");
        rest.post(WORKFLOWS + "retired/archive", "");

        Answer again = rest.post(WORKFLOWS + "retired/execute", "{\"requestId\":\"r\"}");

        assertEquals(200, again.status(), again::toString);
        assertEquals(id, again.text("/executionId"));
        assertEquals(
                "NOT_EXECUTABLE",
                rest.post(WORKFLOWS + "retired/execute", "{\"requestId\":\"s\"}")
                        .text("/code"));
    }

    @Test
    void aRepetitionIsAnsweredEvenWhenTheNextVersionAsksForMore() throws Exception {
        rest.publish(Samples.echo("stricter"));
        String id = rest.post(WORKFLOWS + "stricter/execute", "{\"requestId\":\"before\"}")
                .text("/executionId");
        rest.post(WORKFLOWS + "stricter/draft", Samples.guarded("stricter"));
        rest.post(WORKFLOWS + "stricter/publish", "");

        Answer again = rest.post(WORKFLOWS + "stricter/execute", "{\"requestId\":\"before\"}");

        assertEquals(200, again.status(), again::toString);
        assertEquals(id, again.text("/executionId"));
        assertEquals(
                "WFENG005",
                rest.post(WORKFLOWS + "stricter/execute", "{\"requestId\":\"after\"}")
                        .text("/code"));
    }

    @Test
    void concurrentStartsWithOneRequestIdMakeOneExecution() throws Exception {
        Callable<Answer> start = () -> rest.post(WORKFLOWS + "echo/execute", "{\"requestId\":\"crowd\"}");
        List<Callable<Answer>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(start);
        }
        Set<String> executions = new HashSet<>();
        int accepted = 0;
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Answer> answer : executor.invokeAll(all)) {
                executions.add(answer.get().text("/executionId"));
                accepted += answer.get().status() == 202 ? 1 : 0;
            }
        }

        assertEquals(1, executions.size());
        assertEquals(1, accepted);
    }

    @Test
    void aTriggerThatDoesNotFitIsRefusedWithItsFaults() throws Exception {
        Answer refused = rest.post(WORKFLOWS + "guarded/execute", "{\n  \"trigger\": {\"amount\": 0}\n}");

        assertEquals(400, refused.status());
        assertEquals("WFENG005", refused.text("/code"));
        assertEquals("/trigger/amount", refused.text("/faults/0/pointer"));
        assertEquals("2", refused.at("/faults/0/line").toString());
        assertEquals(
                202,
                rest.post(WORKFLOWS + "guarded/execute", "{\"trigger\": {\"amount\": 1}}")
                        .status());
    }

    @Test
    void thePrincipalIsRecorded() throws Exception {
        String body = "{\"principal\":{\"userId\":\"U123\",\"displayName\":\"Doug\",\"email\":\"doug@example.com\"}}";
        String id = rest.post(WORKFLOWS + "echo/execute", body).text("/executionId");

        assertEquals("user:U123", rest.finished(id, "").text("/startedBy"));
    }

    @Test
    void executionsAreListedNewestFirst() throws Exception {
        rest.publish(Samples.echo("listed"));
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(rest.post(WORKFLOWS + "listed/execute", "{}").text("/executionId"));
            rest.finished(ids.get(i), "");
        }

        Answer first = rest.get(EXECUTIONS + "?workflowId=listed&status=Succeeded&limit=2");
        Answer second =
                rest.get(EXECUTIONS + "?workflowId=listed&status=Succeeded&limit=2&after=" + first.text("/next"));

        List<String> all = new ArrayList<>(texts(first, "/items", "executionId"));
        all.addAll(texts(second, "/items", "executionId"));
        assertEquals(ids.reversed(), all);
        assertEquals(JsonNull.NULL, second.at("/next"));
        assertEquals(List.of(), texts(rest.get(EXECUTIONS + "?status=Pending"), "/items", "executionId"));
        assertEquals(List.of(), texts(rest.get(EXECUTIONS + "?status=Cancelled"), "/items", "executionId"));
    }

    @Test
    void anExecutionIsDrawnWithThePathItTook() throws Exception {
        String id = rest.post(WORKFLOWS + "fan/execute", "{}").text("/executionId");
        rest.finished(id, "");

        Answer svg = rest.get(EXECUTIONS + "/" + id + "/graph");
        Answer mermaid = rest.get(EXECUTIONS + "/" + id + "/graph?format=mermaid");

        assertEquals("image/svg+xml", svg.header("Content-Type").orElseThrow());
        assertTrue(svg.response().body().startsWith("<svg"), svg::toString);
        assertTrue(mermaid.response().body().contains("skipped"), mermaid::toString);
    }

    /** The same for who draws it: every node with what became of it, every edge with whether it was taken. */
    @Test
    void thePathThatAnExecutionTookIsToldAsData() throws Exception {
        String id = rest.post(WORKFLOWS + "fan/execute", "{}").text("/executionId");
        rest.finished(id, "");
        Answer graph = rest.get(EXECUTIONS + "/" + id + "/graph?format=json");
        Map<String, String> statuses = new TreeMap<>();
        Map<String, Boolean> taken = new TreeMap<>();
        for (JsonValue node : ((JsonArray) graph.at("/nodes")).items()) {
            statuses.put(text(node, "id"), text(node, "status"));
        }
        for (JsonValue edge : ((JsonArray) graph.at("/edges")).items()) {
            boolean was = ((JsonObject) edge).find("taken").orElseThrow().equals(JsonBoolean.of(true));
            taken.put(text(edge, "from") + " " + text(edge, "to"), was);
        }

        assertEquals(id, graph.text("/executionId"));
        assertEquals("Succeeded", graph.text("/status"));
        assertTrue(statuses.containsValue("succeeded") && statuses.containsValue("skipped"), statuses::toString);
        assertTrue(taken.containsValue(true) && taken.containsValue(false), taken::toString);
        taken.forEach((edge, was) -> {
            String[] ends = edge.split(" ", -1);
            if (was) {
                assertEquals("succeeded", statuses.get(ends[0]), edge);
            }
        });
        assertEquals(
                304,
                rest.get(
                                EXECUTIONS + "/" + id + "/graph?format=json",
                                "If-None-Match",
                                graph.header("ETag").orElseThrow())
                        .status());
        assertEquals(400, rest.get(EXECUTIONS + "/" + id + "/graph?format=png").status());
    }

    private static String text(JsonValue object, String member) {
        return ((JsonObject) object).find(member).orElseThrow() instanceof JsonString(String text) ? text : "";
    }

    @Test
    void anotherTenantsExecutionIsNotThere() throws Exception {
        String id = rest.post(WORKFLOWS + "echo/execute", "{}").text("/executionId");

        assertEquals(
                404,
                rest.get(EXECUTIONS + "/" + id, "Flowstone-Tenant", "other").status());
    }
}
