package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.event.EventBody.TimerSet;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** R19, for durations. */
final class TimerTest {
    private static Story waiting(String duration) {
        return Story.of(Programs.dag().timer("wait", duration).edge("start", "wait"))
                .start();
    }

    @Test
    void aTimerWaitsAndTellsWhen() {
        Story story = waiting("PT72H");
        Instant due = Story.BIRTH.plus(Duration.ofDays(3));
        assertEquals(due, story.state().timers().getFirst().dueAt());

        story.later(Duration.ofHours(73)).fire("wait#1", 1);

        assertEquals(
                JsonObject.builder()
                        .put("dueAt", "2026-11-30T12:00:00.000000Z")
                        .put("firedAt", "2026-11-30T13:00:00.000000Z")
                        .build(),
                story.output());
    }

    @Test
    void aNumberCountsMilliseconds() {
        Story story = Story.of(Programs.dag().timer("wait", "{{trigger}}").edge("start", "wait"))
                .start(Map.of("trigger", Payload.of(JsonNumber.of(1500))));

        assertEquals(
                Story.BIRTH.plusMillis(1500), story.state().timers().getFirst().dueAt());
    }

    /** cases.md 20 */
    @Test
    void aPastDueTimeFiresAtOnce() {
        for (String duration : List.of("PT0S", "-PT1H", "-PT1000000000H")) {
            Story story = waiting(duration);
            assertEquals(RunStatus.SUCCEEDED, story.status(), duration);
        }
    }

    /** cases.md 20 */
    @Test
    void aDueTimeBeyondTheYear9999IsRefusedWithoutOverflow() {
        for (String duration : List.of("P4000000D", "PT2562047788015215H", "three days", "P1M", "{{vars}}")) {
            Story story = waiting(duration);
            assertEquals(
                    "INVALID_DURATION",
                    story.all(TaskFailed.class).getFirst().error().code(),
                    duration);
            assertEquals(RunStatus.FAILED, story.status());
        }
    }

    @Test
    void aStaleGenerationIsVoid() {
        Retry patient = new Retry(5, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), false);
        Story story =
                Story.of(Programs.dag().task("a", patient).edge("start", "a")).start();
        story.fail("a").fire("a#1/retry", 1).fail("a");
        assertEquals(2, story.all(TimerSet.class).getLast().generation());

        story.rejected(RejectionCode.INVALID_STATE, new Command.FireTimer(new TimerId("a#1/retry"), 1));
        story.fire("a#1/retry", 2);
        story.rejected(RejectionCode.NOT_FOUND, new Command.FireTimer(new TimerId("a#1/retry"), 2));
    }

    /** R2 */
    @Test
    void timeNeverRunsBackwards() {
        Story story = waiting("PT1H").later(Duration.ofHours(2)).fire("wait#1", 1);
        assertEquals(Story.BIRTH.plus(Duration.ofHours(2)), story.state().lastEventTime());

        Story back = Story.of(Programs.dag().tasks("a", "b").chain("start", "a", "b"))
                .start()
                .later(Duration.ofHours(-5))
                .ok("a");
        assertEquals(Story.BIRTH, back.state().lastEventTime());
    }
}
