package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.program.ProgramText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What operators do to executions, over HTTP: drain, roll back, deal with incidents, look before they resume. */
final class ControlTest {
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
        return new String[] {LoopbackCallers.TENANT, name};
    }

    private static Answer act(String tenant, String run, String verb, String body) throws Exception {
        return rest.post(ROOT + run + "/" + verb, body, tenant(tenant));
    }

    private static Answer done(String tenant, String run, String verb, String body) throws Exception {
        Answer answer = act(tenant, run, verb, body);
        assertEquals(200, answer.status(), answer::toString);
        return answer;
    }

    private static void untilTimer(String tenant, String run) throws Exception {
        rest.until(
                ROOT + run + "/timers",
                answer -> ((JsonArray) answer.at("/items")).items().size() == 1,
                tenant(tenant));
    }

    private static Answer finished(String tenant, String run) throws Exception {
        return rest.until(ROOT + run, answer -> !answer.text("/status").equals("Running"), tenant(tenant));
    }

    private static History history(String tenant, String run) {
        return History.of(rest.ports().runs(), new TenantId(tenant), RunId.parse(run));
    }

    /** The number of the event that raised the incident; asked for until it is there. */
    private static long incident(String tenant, String run) throws Exception {
        rest.until(
                ROOT + run + "/timeline?limit=200",
                answer -> answer.response().body().contains("IncidentRaised"),
                tenant(tenant));
        return history(tenant, run).events().stream()
                .filter(event -> event.body() instanceof EventBody.IncidentRaised)
                .map(Event::sequence)
                .findFirst()
                .orElseThrow();
    }

    private static String failing(String tenant) throws Exception {
        return rest.start(ProgramText.program("""
                id: failing
                flow:
                  work: {task: core.sometimes-fails, input: {failures: 1}, to: done}
                  done: {end: success}
                onFailure: park
                output: '{{ context.data.work }}'
                """), tenant);
    }

    @Test
    void aDrainedExecutionStartsNothingNewUntilItIsResumed() throws Exception {
        String run = rest.start(ProgramText.program("""
                id: drained
                flow:
                  wait: {timer: 2h, to: next}
                  next: {task: core.echo, to: done}
                  done: {end: success}
                """), "drained");
        untilTimer("drained", run);

        Answer drained = done("drained", run, "drain", "{\"reason\": \"update\", \"timeToLiveSeconds\": 600}");
        assertEquals("RunDraining", drained.text("/events/0"));
        Answer preview = done("drained", run, "resume", "{\"dryRun\": true}");
        assertEquals(drained.at("/lastSeq").toString(), preview.at("/lastSeq").toString(), "nothing is done");
        done("drained", run, "resume", "{\"reason\": \"done\"}");
        assertEquals(200, act("drained", run, "timers/wait%231/fire", "").status());

        assertEquals("Succeeded", finished("drained", run).text("/status"));
        assertEquals(
                400,
                act("drained", run, "drain", "{\"reason\": \"x\", \"timeToLiveSeconds\": 0}")
                        .status());
        assertEquals(409, act("drained", run, "drain", "{\"reason\": \"late\"}").status());
    }

    @Test
    void whatTheOperatorDoesNotSayIsWhatTheWorkflowDeclares() throws Exception {
        String text = """
                id: declared
                metadata: {suspend: {timers: catchUp, inbox: reject}}
                flow:
                  wait: {timer: 2h, to: done}
                  done: {end: success}
                """;
        String run = rest.start(ProgramText.program(text), "declared");
        untilTimer("declared", run);
        done("declared", run, "suspend", "{\"reason\": \"one\"}");
        done("declared", run, "resume", "{\"reason\": \"on\"}");
        done("declared", run, "suspend", "{\"reason\": \"two\", \"timers\": \"freeze\"}");
        done("declared", run, "resume", "{\"reason\": \"on\"}");
        done("declared", run, "suspend", "{\"reason\": \"three\", \"timers\": \"freeze\", \"input\": \"buffer\"}");
        done("declared", run, "resume", "{\"reason\": \"on\"}");
        done("declared", run, "drain", "{\"reason\": \"four\"}");

        assertEquals(
                List.of(
                        new HoldPolicy(HoldPolicy.TimerRule.CATCH_UP, HoldPolicy.InputRule.REJECT),
                        new HoldPolicy(HoldPolicy.TimerRule.FREEZE, HoldPolicy.InputRule.REJECT),
                        HoldPolicy.DEFAULT),
                history("declared", run).all(ControlEvent.RunSuspended.class).stream()
                        .limit(3)
                        .map(ControlEvent.RunSuspended::policy)
                        .toList());
        assertEquals(
                new HoldPolicy(HoldPolicy.TimerRule.CATCH_UP, HoldPolicy.InputRule.REJECT),
                history("declared", run)
                        .all(ControlEvent.RunDraining.class)
                        .getFirst()
                        .policy());
    }

    @Test
    void aResumeIsPreviewedByWhatItWouldSetGoing() throws Exception {
        String run = rest.start(ProgramText.program("""
                id: held
                flow:
                  wait: {timer: 2h, to: done}
                  done: {end: success}
                """), "held");
        untilTimer("held", run);
        done("held", run, "suspend", "{\"reason\": \"audit\"}");
        for (int i = 0; i < 2; i++) {
            Answer buffered = rest.call(
                    "PATCH",
                    ROOT + run + "/variables",
                    Optional.of("{\"variables\": {\"n\": " + i + "}, \"reason\": \"x\"}"),
                    tenant("held"));
            assertEquals("TRUE", buffered.at("/buffered").toString(), buffered::toString);
        }

        Answer preview = done("held", run, "resume", "{\"dryRun\": true}");

        assertTrue(preview.response().body().contains("\"SetVariables\":2"), preview::toString);
        assertEquals("1", preview.at("/timers").toString());
        assertEquals("0", preview.at("/released").toString());
        assertEquals(400, act("held", run, "resume", "{}").status(), "a resume itself needs a reason");
        done("held", run, "resume", "{\"reason\": \"on\"}");
        assertEquals(
                "1",
                rest.get(ROOT + run + "/variables", tenant("held"))
                        .at("/variables/n")
                        .toString());
    }

    @Test
    void aRollbackUndoesAndEntersTheNodeAgain() throws Exception {
        String run = rest.start(ProgramText.program("""
                id: undone
                flow:
                  a: {task: core.echo, compensate: core.echo, to: wait}
                  wait: {timer: 2h, to: done}
                  done: {end: success}
                """), "undone");
        untilTimer("undone", run);

        assertEquals(
                "NOT_FOUND",
                act("undone", run, "rollback", "{\"nodeId\": \"nowhere\", \"reason\": \"x\"}")
                        .text("/code"));
        assertEquals(400, act("undone", run, "rollback", "{\"reason\": \"x\"}").status());
        Answer back = done("undone", run, "rollback", "{\"nodeId\": \"a\", \"reason\": \"wrong data\"}");
        assertTrue(back.response().body().contains("RollbackBegan"), back::toString);
        rest.until(ROOT + run + "/timers", answer -> answer.response().body().contains("wait#2"), tenant("undone"));

        assertTrue(history("undone", run).kinds().containsAll(List.of("CompensationApplied", "RolledBack")));
        assertEquals(200, act("undone", run, "timers/wait%232/fire", "").status());
        assertEquals("Succeeded", finished("undone", run).text("/status"));
    }

    @Test
    void anIncidentIsTriedAgain() throws Exception {
        String run = failing("retried");
        long incident = incident("retried", run);

        Answer again = done(
                "retried", run, "incidents/" + incident + "/retry", "{\"input\": {\"failures\": 1, \"by\": \"hand\"}}");

        assertEquals("IncidentResolved", again.text("/events/0"));
        assertEquals("hand", finished("retried", run).text("/output/by"));
        assertEquals(
                409,
                act("retried", run, "incidents/" + incident + "/retry", "{}").status());
    }

    @Test
    void anIncidentCountsAsDone() throws Exception {
        String run = failing("skipped");

        done("skipped", run, "incidents/" + incident("skipped", run) + "/skip", "{\"output\": {\"by\": \"phone\"}}");

        Answer over = finished("skipped", run);
        assertEquals("Succeeded", over.text("/status"));
        assertEquals("phone", over.text("/output/by"));
    }

    @Test
    void anIncidentCountsAsFailed() throws Exception {
        String run = failing("failed");
        long incident = incident("failed", run);

        assertEquals(
                400,
                act("failed", run, "incidents/" + incident + "/fail", "{\"code\": \"X\"}")
                        .status());
        done("failed", run, "incidents/" + incident + "/fail", "{\"code\": \"HOPELESS\", \"message\": \"given up\"}");

        Answer over = finished("failed", run);
        assertEquals("Failed", over.text("/status"));
        assertEquals("HOPELESS", over.text("/error/code"));
    }
}
