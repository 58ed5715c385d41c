package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.server.api.RestFixture.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How far an execution has come, from the milestones of a definition that was saved, published and started over HTTP. */
final class ProgressTest {
    private static final Path EXAMPLE = Path.of("..", "examples", "states", "approval-escalation.json");
    private static final String ROOT = "/api/v1/executions/";
    private static final String[] APPROVER = {"Flowstone-Principal", "user:ann", "Flowstone-Roles", "approver"};

    @Test
    void aDefinitionsMilestonesAreCountedByTheirWeights() throws Exception {
        try (RestFixture rest = new RestFixture()) {
            rest.publish(Files.readString(EXAMPLE));
            Answer started = rest.post(
                    "/api/v1/workflows/purchase-approval/execute",
                    "{\"trigger\": {\"amount\": 500, \"requester\": \"rita\", \"currency\": \"EUR\"}}");
            String run = ROOT + started.text("/executionId");

            rest.until(run + "/tasks", answer -> answer.response().body().contains("review#1"));
            Answer asked = rest.get(run);
            assertEquals("0", number(asked, "percent"));
            assertEquals("decided", asked.text("/progress/milestones/0/name"));
            assertEquals("review", asked.text("/progress/milestones/0/nodeId"));
            assertEquals("60", number(asked, "milestones/0/weight"));
            assertEquals("told", asked.text("/progress/milestones/1/name"));
            assertEquals("40", number(asked, "milestones/1/weight"));

            // What is decided while the execution drains counts; what would be told then is kept ready.
            done(rest.post(run + "/drain", "{\"reason\": \"look\", \"timeToLiveSeconds\": 600}"));
            done(rest.post(run + "/tasks/review%231/decide", "{\"outcome\": \"approve\"}", APPROVER));
            Answer decided = rest.get(run);
            assertEquals("60", number(decided, "percent"), decided::toString);
            assertEquals("TRUE", number(decided, "milestones/0/reached"));
            assertEquals("FALSE", number(decided, "milestones/1/reached"));

            done(rest.post(run + "/resume", "{\"reason\": \"seen\"}"));
            Answer over = rest.until(run, answer -> answer.text("/status").equals("Succeeded"));
            assertEquals("100", number(over, "percent"));
        }
    }

    private static void done(Answer answer) {
        assertEquals(200, answer.status(), answer::toString);
    }

    private static String number(Answer answer, String at) {
        return answer.at("/progress/" + at).toString();
    }
}
