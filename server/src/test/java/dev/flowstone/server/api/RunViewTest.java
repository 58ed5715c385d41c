package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an execution holds, signals to it, and what is written into it from outside. */
final class RunViewTest {
    private static final String ROOT = "/api/v1/executions/";
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static String[] tenant(String name) {
        return new String[] {"Flowstone-Tenant", name};
    }

    private static int count(Answer list) {
        return ((JsonArray) list.at("/items")).items().size();
    }

    private static Answer signal(String tenant, String body) throws Exception {
        return rest.post("/api/v1/signals", body, tenant(tenant));
    }

    @Test
    void aSignalReachesWhoeverWaitsAndIsKeptForWhoeverComes() throws Exception {
        String waiting = rest.start(HumanPrograms.await("first", "paid", "order-7"), "signals");
        rest.until(
                ROOT + waiting + "?include=events",
                answer -> answer.response().body().contains("AwaitOpened"),
                tenant("signals"));

        Answer delivered =
                rest.until(ROOT + waiting, answer -> answer.text("/status").equals("Running"), tenant("signals"));
        assertEquals(200, delivered.status());
        Answer sent = sendUntilDelivered("signals", "{\"type\":\"paid\",\"key\":\"order-7\",\"payload\":{\"n\":1}}");
        assertEquals(202, sent.status(), sent::toString);
        rest.until(ROOT + waiting, answer -> answer.text("/status").equals("Succeeded"), tenant("signals"));

        Answer kept = signal("signals", "{\"type\":\"paid\",\"key\":\"order-8\",\"payload\":7,\"dedupe\":\"d\"}");
        assertEquals("kept", kept.text("/fate"), kept::toString);
        assertEquals(
                "duplicate",
                signal("signals", "{\"type\":\"paid\",\"key\":\"order-8\",\"dedupe\":\"d\"}")
                        .text("/fate"));
        assertEquals(
                "unheard",
                signal("signals", "{\"type\":\"paid\",\"key\":\"order-9\",\"broadcast\":true}")
                        .text("/fate"));
        String late = rest.start(HumanPrograms.await("second", "paid", "order-8"), "signals");
        rest.until(ROOT + late, answer -> answer.text("/status").equals("Succeeded"), tenant("signals"));
    }

    /** The run's subscription travels to the channel on its own; the first signals may be kept for it. */
    private static Answer sendUntilDelivered(String tenant, String body) throws Exception {
        Answer sent = signal(tenant, body);
        assertTrue(sent.text("/fate").matches("delivered|kept"), sent::toString);
        return sent;
    }

    @Test
    void aSignalUnderAnIdempotencyKeyIsSentOnce() throws Exception {
        String body = "{\"type\":\"t\",\"key\":\"k\"}";
        Answer first = rest.post("/api/v1/signals", body, "Flowstone-Tenant", "once", "Idempotency-Key", "one");
        Answer again = rest.post("/api/v1/signals", body, "Flowstone-Tenant", "once", "Idempotency-Key", "one");

        assertEquals("kept", first.text("/fate"));
        assertEquals("repeated", again.text("/fate"));
    }

    /** dataflow.md §3.3, for whole timelines and for pages that begin in the midst of an attempt. */
    @Test
    void everyEventHasATimeALevelAndACategory() throws Exception {
        rest.publish(Samples.retried("levels-retried"));
        rest.publish(Samples.failing("levels-failing"));
        Set<String> seen = new HashSet<>();
        for (String workflow : List.of("levels-retried", "levels-failing")) {
            String run = rest.post("/api/v1/workflows/" + workflow + "/execute", "{}")
                    .text("/executionId");
            rest.finished(run, "");
            Answer whole = rest.get(ROOT + run + "/timeline?limit=200");
            for (int i = 0; i < count(whole); i++) {
                String item = "/items/" + i;
                Instant.parse(whole.text(item + "/event_time"));
                whole.at(item + "/body");
                String kind = whole.text(item + "/kind");
                String category = whole.text(item + "/annotations/category");
                seen.add(kind + " " + whole.text(item + "/annotations/level") + " " + category);
                if (kind.equals("TaskFailed") || kind.equals("TaskCompleted")) {
                    Answer page = rest.get(ROOT + run + "/timeline?limit=1&from=" + (i + 1));
                    assertEquals(category, page.text("/items/0/annotations/category"), page::toString);
                }
            }
        }

        for (String line : List.of(
                "RunStarted Info Orchestrator",
                "ActivationOpened Debug Orchestrator",
                "TaskScheduled Info Action:core.sometimes-fails",
                "TaskFailed Warn Action:core.sometimes-fails",
                "TaskCompleted Info Action:core.sometimes-fails",
                "RunCompleted Info Orchestrator",
                "TaskFailed Error Action:core.fail",
                "RunFailed Error Orchestrator")) {
            assertTrue(seen.contains(line), () -> line + " is not among " + seen);
        }
    }

    @Test
    void channelsAreNoExecutions() throws Exception {
        signal("channels", "{\"type\":\"t\",\"key\":\"k\"}");
        String channel = Aggregates.channel(new TenantId("channels"), "t", "k").toString();

        assertEquals(0, count(rest.get("/api/v1/executions", tenant("channels"))));
        assertEquals(0, count(rest.get("/api/v1/aggregates", tenant("channels"))));
        for (String path : new String[] {"", "/timeline", "/timers", "/graph", "/children", "/tasks"}) {
            Answer answer = rest.get(ROOT + channel + path, tenant("channels"));
            assertEquals("EXECUTION_NOT_FOUND", answer.text("/code"), answer::toString);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"key": "k"}                                            | ``
            {"type": "t"}                                           | ``
            {"type": "", "key": "k"}                                | /type
            {"type": "t", "key": ["k"]}                             | /key
            {"type": "t", "key": "k", "broadcast": 1}               | /broadcast
            {"type": "t", "key": "k", "timeToLiveSeconds": -1}      | /timeToLiveSeconds
            {"type": "t", "key": "k", "dedupe": "a\\u0000"}         | /dedupe
            {"type": "t", "key": "k", "ttl": 5}                     | /ttl
            """)
    void aSignalThatIsNotUnderstood(String body, String pointer) throws Exception {
        Answer answer = signal("bad", body);

        assertEquals(400, answer.status(), answer::toString);
        assertEquals("INVALID_REQUEST", answer.text("/code"));
        assertEquals(pointer, answer.text("/faults/0/pointer"), answer::toString);
    }

    @Test
    void variablesAreWrittenWithWhoAndWhy() throws Exception {
        String run = rest.start(HumanPrograms.review("vars", new Quorum.One(), "user:anna"), "vars");
        String path = ROOT + run + "/variables";

        Answer set = rest.call(
                "PATCH",
                path,
                Optional.of("{\"variables\":{\"limit\":5,\"note\":{\"a\":[1.50]}},\"reason\":\"as agreed\"}"),
                "Flowstone-Tenant",
                "vars",
                "Flowstone-Principal",
                "user:otto");

        assertEquals(200, set.status(), set::toString);
        assertEquals("VariablesSet", set.text("/events/0"));
        Answer read = rest.get(path, tenant("vars"));
        assertEquals("5", read.at("/variables/limit").toString());
        Answer timeline = rest.get(ROOT + run + "/timeline?limit=200", tenant("vars"));
        assertTrue(timeline.response().body().contains("\"actor\":\"user:otto\""), timeline::toString);
        assertTrue(timeline.response().body().contains("as agreed"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"variables": {"a": 1}}                       | ``
            {"reason": "x"}                               | ``
            {"variables": {}, "reason": "x"}              | /variables
            {"variables": [1], "reason": "x"}             | /variables
            {"variables": {"1a": 1}, "reason": "x"}       | /variables/1a
            {"variables": {"a/b": 1}, "reason": "x"}      | /variables/a~1b
            {"variables": {"a": 1}, "reason": ""}         | /reason
            """)
    void variablesThatAreNotUnderstood(String body, String pointer) throws Exception {
        String run = rest.start(HumanPrograms.review("badvars", new Quorum.One(), "user:anna"), "badvars");

        Answer answer = rest.call("PATCH", ROOT + run + "/variables", Optional.of(body), tenant("badvars"));

        assertEquals(400, answer.status(), answer::toString);
        assertEquals(pointer, answer.text("/faults/0/pointer"), answer::toString);
    }

    @Test
    void timersOfARunAreShown() throws Exception {
        String run = rest.start(
                ProgramBuilder.dag("timed")
                        .timer("pause", Duration.ofHours(2))
                        .edge("start", "pause")
                        .build(),
                "timed");
        Answer timers = rest.until(ROOT + run + "/timers", answer -> count(answer) == 1, tenant("timed"));

        assertEquals("WAIT", timers.text("/items/0/purpose"));
        assertEquals("pause#1", timers.text("/items/0/activation"));
        assertEquals(JsonNull.NULL, timers.at("/next"));
    }

    private static Answer control(String run, String verb, String body) throws Exception {
        return rest.post(ROOT + run + "/" + verb, body, tenant("controlled"));
    }

    @Test
    void operatorsHoldRunsLetThemGoOnAndEndThem() throws Exception {
        String run = rest.start(
                ProgramBuilder.dag("controlled")
                        .timer("pause", Duration.ofHours(2))
                        .edge("start", "pause")
                        .build(),
                "controlled");
        rest.until(ROOT + run + "/timers", answer -> count(answer) == 1, tenant("controlled"));

        assertEquals(
                200,
                control(run, "suspend", "{\"reason\":\"audit\",\"input\":\"reject\"}")
                        .status());
        Answer refused = rest.call(
                "PATCH",
                ROOT + run + "/variables",
                Optional.of("{\"variables\":{\"a\":1},\"reason\":\"x\"}"),
                tenant("controlled"));
        assertEquals("SUSPENDED", refused.text("/code"), refused::toString);
        assertEquals("suspended", refused.text("/category"));
        assertEquals(200, control(run, "resume", "{\"reason\":\"done\"}").status());
        assertEquals("NOT_FOUND", control(run, "timers/nothing/fire", "").text("/code"));
        assertEquals("NOT_FOUND", control(run, "incidents/7/retry", "").text("/code"));
        assertEquals("NOT_FOUND", control(run, "incidents/x/skip", "").text("/code"));
        assertEquals(
                "/timers",
                control(run, "suspend", "{\"reason\":\"x\",\"timers\":\"stop\"}")
                        .text("/faults/0/pointer"));
        assertEquals(400, control(run, "terminate", "{}").status());
        Answer fired = control(run, "timers/pause%231/fire", "");
        assertEquals(200, fired.status(), fired::toString);
        rest.until(ROOT + run, answer -> answer.text("/status").equals("Succeeded"), tenant("controlled"));
        assertEquals(409, control(run, "terminate", "{\"reason\":\"late\"}").status());

        String other = rest.post("/api/v1/workflows/controlled/execute", "", tenant("controlled"))
                .text("/executionId");
        assertEquals(
                200, control(other, "terminate", "{\"reason\":\"runaway\"}").status());
        assertEquals("Cancelled", rest.get(ROOT + other, tenant("controlled")).text("/status"));
    }

    @Test
    void childrenAreShownWithHowTheyEnded() throws Exception {
        rest.start(HumanPrograms.review("child", new Quorum.One(), "user:anna"), "family");
        String parent = rest.start(HumanPrograms.call("parent", "child"), "family");
        Answer running = rest.until(ROOT + parent + "/children", answer -> count(answer) == 1, tenant("family"));
        String child = running.text("/items/0/executionId");
        assertEquals("child", running.text("/items/0/workflowId"));
        assertEquals(JsonNull.NULL, running.at("/items/0/ended"));
        rest.until(ROOT + child + "/tasks", answer -> answer.status() == 200 && count(answer) == 1, tenant("family"));

        rest.post(
                ROOT + child + "/tasks/review%231/resolve",
                "{\"outcome\":\"approved\",\"reason\":\"x\"}",
                tenant("family"));

        rest.until(
                ROOT + parent + "/children",
                answer -> answer.response().body().contains("\"ended\":\"SUCCEEDED\""),
                tenant("family"));
    }

    @Test
    void progressGrowsWithTheRun() throws Exception {
        String run = rest.start(HumanPrograms.review("progress", new Quorum.One(), "user:anna"), "progress");
        rest.until(ROOT + run + "/tasks", answer -> count(answer) == 1, tenant("progress"));
        assertEquals(
                "0",
                rest.get(ROOT + run, tenant("progress")).at("/progress/percent").toString());
        assertTrue(rest.get(ROOT + run, tenant("progress")).response().body().contains("\"nodeId\":\"review\""));

        rest.post(
                ROOT + run + "/tasks/review%231/resolve",
                "{\"outcome\":\"approved\",\"reason\":\"x\"}",
                tenant("progress"));

        Answer done = rest.until(ROOT + run, answer -> answer.text("/status").equals("Succeeded"), tenant("progress"));
        assertEquals("100", done.at("/progress/percent").toString());
    }

    @Test
    void aTimelineGoesOnByNumbersAndExplainsItself() throws Exception {
        rest.publish(Samples.FAN);
        String run = rest.post("/api/v1/workflows/fan/execute", "").text("/executionId");
        rest.finished(run, "");

        Answer first = rest.get(ROOT + run + "/timeline?limit=5");
        assertEquals(5, count(first));
        assertEquals("6", first.at("/next").toString());
        Answer rest1 = rest.get(ROOT + run + "/timeline?from=6&limit=200");
        assertEquals("6", rest1.at("/items/0/sequence_number").toString());
        assertEquals(JsonNull.NULL, rest1.at("/next"));
        String whole = first.response().body() + rest1.response().body();
        assertTrue(whole.contains("\"expression\":\"false\""), whole);
        assertTrue(whole.contains("\"result\":false"), whole);
        assertTrue(whole.contains("\"outcome\":\"success\""), whole);
        assertEquals(400, rest.get(ROOT + run + "/timeline?from=0").status());
        assertEquals(0, count(rest.get(ROOT + run + "/timeline?from=9999")));
    }

    @Test
    void executionsAreCounted() throws Exception {
        rest.start(HumanPrograms.review("counted", new Quorum.One(), "user:anna"), "counted");
        rest.start(HumanPrograms.review("counted", new Quorum.One(), "user:anna"), "counted");

        Answer counts = rest.get("/api/v1/aggregates", tenant("counted"));

        assertEquals("counted", counts.text("/items/0/workflowId"));
        assertEquals("2", counts.at("/items/0/byStatus/Running").toString());
        assertEquals("2", counts.at("/counted").toString());
        assertFalse(counts.response().body().contains("\"complete\":false"));
        assertEquals(0, count(rest.get("/api/v1/aggregates?startedSince=2100-01-01T00:00:00Z", tenant("counted"))));
        assertEquals(400, rest.get("/api/v1/aggregates?startedSince=yesterday").status());
    }
}
