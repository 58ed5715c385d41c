package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.WideHolds.drain;
import static dev.flowstone.kernel.story.WideHolds.go;
import static dev.flowstone.kernel.story.WideHolds.heed;
import static dev.flowstone.kernel.story.WideHolds.minute;
import static dev.flowstone.kernel.story.WideHolds.suspend;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** R25: what a drain of a whole scope does to its runs, asleep or awake. */
final class WideDrainStoryTest {
    @Test
    void aRunThatIsBornInADrainedScopeStartsNothing() {
        Story story = Story.of(Programs.dag().tasks("a").edge("start", "a"));

        WideHoldStoryTest.born(story, drain(3, -20)).start();

        assertEquals(Hold.SUSPENDED, story.state().hold());
        assertEquals(List.of(), story.open());
        story.accepted(heed(go(4, 1)));
        assertEquals(List.of("a"), story.open());
    }

    @Test
    void aDrainedScopesRunsFinishTheirWorkStartNothingAndAreSuspended() {
        Story story = WideHoldStoryTest.working().accepted(heed(drain(1, 0)));
        assertEquals(Hold.DRAINING, story.state().hold());
        assertEquals(minute(10), WideHoldStoryTest.timer(story, "drain").dueAt());

        story.ok("a");

        assertTrue(story.lastKinds().contains("ActivationParked"), story.tale());
        assertEquals(Hold.SUSPENDED, story.state().hold());
        assertEquals(1, story.state().heeded());
        assertEquals(List.of("hold"), WideHoldStoryTest.timers(story));
        story.restored().ignored(heed(drain(1, 0)));
        story.accepted(heed(go(2, 5)));
        assertEquals(List.of("b"), story.open());
        story.ok("b");
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aDrainOfTheScopeIsOverAtItsTimeToLive() {
        Story story = WideHoldStoryTest.working().accepted(heed(drain(1, 0))).later(Duration.ofMinutes(10));

        story.fire("drain", WideHoldStoryTest.timer(story, "drain").generation());

        assertEquals(Hold.SUSPENDED, story.state().hold());
        assertEquals(List.of("TimerFired", "HoldImposed"), story.lastKinds());
        story.ok("a").accepted(heed(go(2, 11)));
        assertEquals(List.of("b"), story.open());
    }

    /** It would have been suspended at once: nothing was at work. */
    @Test
    void aRunThatSleptThroughADrainStoodStillFromItsBeginning() {
        Story story = WideHoldStoryTest.waiting().later(Duration.ofMinutes(60)).accepted(heed(drain(1, 20), go(2, 50)));
        assertEquals(minute(90), WideHoldStoryTest.timer(story, "t#1").dueAt());
    }

    @Test
    void aRunThatWorkedThroughADrainStoodStillFromItsEnd() {
        Story story = Story.of(Programs.dag()
                        .timer("t", "PT1H")
                        .tasks("a")
                        .edge("start", "t")
                        .edge("start", "a"))
                .start()
                .later(Duration.ofMinutes(60))
                .accepted(heed(drain(1, 20), go(2, 50)));
        assertEquals(minute(80), WideHoldStoryTest.timer(story, "t#1").dueAt());
    }

    @Test
    void aRunMayEndWhileItsScopeDrains() {
        Story story = WideHoldStoryTest.working().accepted(heed(drain(1, 0)));
        story.accepted(SuspendStoryTest.RESUME).ok("a").accepted(heed(drain(2, 1)));
        assertEquals(Hold.DRAINING, story.state().hold());

        story.ok("b");

        assertEquals(RunStatus.SUCCEEDED, story.status());
        assertFalse(story.state().heeds());
        story.ignored(heed(suspend(3, 2)));
    }

    /** The narrowest setting counts, and a drain is one; it is a suspension of the run's own when it is over. */
    @Test
    void aRunOfItsOwnDrainDrainsOnInASuspendedScope() {
        Story story =
                WideHoldStoryTest.working().accepted(SuspendStoryTest.DRAIN).accepted(heed(suspend(1, 0)));
        assertEquals(Hold.DRAINING, story.state().hold());

        story.restored().ok("a");

        assertTrue(story.lastKinds().contains("ActivationParked"), story.tale());
        assertEquals(Hold.SUSPENDED, story.state().hold());
        story.accepted(heed(go(2, 5)));
        assertEquals(Hold.SUSPENDED, story.state().hold());
        story.accepted(SuspendStoryTest.RESUME);
        assertEquals(List.of("b"), story.open());
    }
}
