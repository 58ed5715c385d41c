package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.APPROVED;
import static dev.flowstone.kernel.story.Asks.asked;
import static dev.flowstone.kernel.story.Asks.claim;
import static dev.flowstone.kernel.story.Asks.decide;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R13, R14: what opens with a human task is gone when it ends, and the cases of cases.md about people hold. */
final class HumanTaskStoryTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void nothingIsLeftBehindWhenItIsDecided() {
        Story story = asked(Asks.of("ask", "ann").remind("soon", "PT1H", new Reminder.Action.Remind()))
                .by("ann")
                .accepted(claim("ask#1", HOUR))
                .accepted(decide("ask#1", APPROVED));

        assertEquals(List.of(), story.state().timers());
        assertEquals(List.of(), story.state().humanTasks());
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void nothingIsLeftBehindWhenItIsCanceled() {
        Story story = Story.of(Programs.dag()
                        .node(Asks.of("ask", "ann").remind("soon", "PT1H", new Reminder.Action.Remind()))
                        .task("other")
                        .edge("start", "ask")
                        .edge("start", "other"))
                .start()
                .by("ann")
                .accepted(claim("ask#1", HOUR))
                .failForGood("other");

        assertEquals(List.of(), story.state().timers());
        assertEquals(List.of(), story.state().humanTasks());
        assertEquals(RunStatus.FAILED, story.status());
        story.rejected(RejectionCode.CONFLICT, decide("ask#1", APPROVED));
    }

    /** cases.md 10 */
    @Test
    void case10AHumanStepThatIsSkippedByItsConditionLeavesNoWaitBehind() {
        Story story = Story.of(Programs.dag()
                        .node(Asks.of("ask", "ann").remind("soon", "PT1H", new Reminder.Action.Remind()))
                        .task("after")
                        .edge("start", "ask", "false")
                        .edge("start", "after")
                        .on(APPROVED, "ask", "after"))
                .start();

        assertEquals(List.of(), story.state().humanTasks());
        assertEquals(List.of(), story.state().timers());
        story.ok("after");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    /** cases.md 11 */
    @Test
    void case11ApprovalsInParallelArmsKeepTheRunOpenUntilEachIsDecided() {
        Story story = Story.of(Programs.dag()
                        .node(Asks.of("left", "ann"))
                        .node(Asks.of("right", "bob"))
                        .task("after")
                        .edge("start", "left")
                        .edge("start", "right")
                        .on(APPROVED, "left", "after")
                        .on(APPROVED, "right", "after"))
                .start()
                .by("ann")
                .accepted(decide("left#1", APPROVED));

        assertEquals(RunStatus.RUNNING, story.status());
        assertEquals(List.of(), story.open());
        assertEquals(1, story.state().humanTasks().size());
        story.by("bob").accepted(decide("right#1", APPROVED));
        assertEquals(List.of("after"), story.open());
    }

    /** cases.md 7 */
    @Test
    void case7TwoHundredParallelApprovalsOfOneRunAllSucceed() {
        Programs program = Programs.dag().task("after");
        for (int i = 0; i < 200; i++) {
            program.node(Asks.of("ask" + i, "u" + i)).edge("start", "ask" + i).on(APPROVED, "ask" + i, "after");
        }
        Story story = Story.unchecked(program.build(), Bounds.DEFAULT).start();
        for (int i = 199; i >= 0; i--) {
            story.by("u" + i).accepted(decide("ask" + i + "#1", APPROVED)).ignored(decide("ask" + i + "#1", APPROVED));
        }

        assertEquals(List.of("after"), story.open());
    }
}
