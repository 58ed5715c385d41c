package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.server.api.RestFixture.Answer;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Settings of bounds are felt by whoever calls: each small value here refuses what its default lets pass. */
final class SmallBoundsTest {
    private static final String ROOT = "/api/v1/executions/";
    private static final String PEOPLE = """
            {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "%s", "name": "Ask", "start": "ask",
             "variables": {"note": {"type": "string"}},
             "states": {"ask": {"human": {"assignees": [%s]},
                                "transitions": [{"on": "approve", "to": "done"}, {"on": "reject", "to": "done"}]},
                        "done": {"end": {}}}}""";
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture(Map.of(
                "engine.variableBytes", "64",
                "engine.signalBuffer", "1",
                "engine.bufferedInputs", "1",
                "engine.taskAssignees", "2",
                "states.maxStates", "2"));
        rest.publish(PEOPLE.formatted("two", "\"ann\", \"bob\""));
        rest.publish(PEOPLE.formatted("three", "\"ann\", \"bob\", \"cem\""));
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static String started(String workflow) throws Exception {
        Answer started = rest.post("/api/v1/workflows/" + workflow + "/execute", "{}");
        assertEquals(202, started.status(), started::toString);
        return started.text("/executionId");
    }

    private static String asking() throws Exception {
        String run = started("two");
        rest.until(ROOT + run + "/tasks", tasks -> tasks.toString().contains("ask#1"));
        return run;
    }

    private static Answer write(String run, String note) throws Exception {
        return rest.call(
                "PATCH",
                ROOT + run + "/variables",
                Optional.of("{\"variables\": {\"note\": \"" + note + "\"}, \"reason\": \"x\"}"));
    }

    private static void beyond(Answer answer) {
        assertEquals("LIMIT_EXCEEDED", answer.text("/code"), answer::toString);
    }

    @Test
    void variablesBeyondTheirBytesAreRefused() throws Exception {
        String run = asking();

        assertEquals(200, write(run, "short").status());
        beyond(write(run, "x".repeat(100)));
    }

    @Test
    void aChannelKeepsNoMoreSignalsThanItsBuffer() throws Exception {
        String signal = "{\"type\": \"paid\", \"key\": \"nobody\"}";

        assertEquals("kept", rest.post("/api/v1/signals", signal).text("/fate"));
        assertEquals("SIGNAL_BUFFER_FULL", rest.post("/api/v1/signals", signal).text("/code"));
    }

    @Test
    void aSuspendedRunHoldsNoMoreInputsThanItMay() throws Exception {
        String run = asking();
        assertTrue(rest.post(ROOT + run + "/suspend", "{\"reason\": \"audit\"}").status() < 300);

        assertEquals(JsonBoolean.TRUE, write(run, "a").at("/buffered"));
        Answer over = write(run, "b");
        assertEquals(409, over.status(), over::toString);
        assertEquals("SUSPENDED", over.text("/code"), over::toString);
    }

    @Test
    void moreAssigneesThanMayBeAskedFailTheTask() throws Exception {
        Answer over = rest.finished(started("three"), "");

        assertTrue(over.toString().contains("TOO_MANY_ASSIGNEES"), over::toString);
    }

    @Test
    void aWorkflowOfMoreStatesThanAllowedIsRefusedWithItsPath() throws Exception {
        String source = PEOPLE.formatted("long", "\"ann\"")
                .replace("\"done\": {\"end\": {}}", "\"done\": {\"next\": \"out\"}, \"out\": {\"end\": {}}");

        Answer refused = rest.post("/api/v1/workflows", source);

        assertEquals("STATES-TOO-MANY", refused.text("/faults/0/code"), refused::toString);
        assertEquals("/states", refused.text("/faults/0/pointer"));
    }

    @Test
    void aScheduleThatIsNoneIsRefusedWithItsPath() throws Exception {
        Answer refused = rest.post("/api/v1/workflows", """
                {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "late", "name": "Late", "start": "wait",
                 "states": {"wait": {"timer": {"cron": "0 25 * * *"}, "next": "done"}, "done": {"end": {}}}}""");

        assertEquals("STATES-BAD-TIME", refused.text("/faults/0/code"), refused::toString);
        assertEquals("/states/wait/timer/cron", refused.text("/faults/0/pointer"));
    }
}
