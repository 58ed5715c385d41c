package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.event.EventBody.RunFailed;
import dev.flowstone.kernel.event.ForkEvent.JoinFired;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.state.RunStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Forks and joins: R6, R7, R10. */
final class ForkTest {
    private static Programs two() {
        return Programs.flow()
                .fork("fork", "join", "left", "right")
                .join("join")
                .strictTask("next")
                .end("end")
                .edge("start", "fork")
                .chain("join", "next", "end")
                .branch("left", "fork", "l")
                .strictTask("l")
                .edge("l", "join")
                .branch("right", "fork", "r")
                .strictTask("r")
                .edge("r", "join");
    }

    @Test
    void branchesRunAtOnceAndTheJoinWaitsForAll() {
        assertEquals(List.of(), ProgramCheck.faults(two().build()));
        Story story = Story.of(two()).start();
        assertEquals(List.of("l", "r"), story.open());
        story.ok("r", 2).restored();
        assertEquals(List.of("l"), story.open());
        story.ok("l", 1);

        assertEquals(List.of("next"), story.open());
        story.ok("next", "{{context.data.join}}".length());
        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertEquals(1, story.all(JoinFired.class).size());
        assertEquals(Outcome.SUCCESS, story.all(JoinFired.class).getFirst().outcome());
        assertEquals(List.of(), story.all(RunFailed.class));
        String state = CanonicalJson.exactText(story.state().toJson());
        assertEquals(
                true,
                state.contains("[{\"branch\":\"left\",\"outcome\":\"success\",\"output\":1},"
                        + "{\"branch\":\"right\",\"outcome\":\"success\",\"output\":2}]"),
                state);
    }
}
