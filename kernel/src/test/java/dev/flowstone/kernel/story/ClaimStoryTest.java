package dev.flowstone.kernel.story;

import static dev.flowstone.kernel.story.Asks.APPROVED;
import static dev.flowstone.kernel.story.Asks.ASK;
import static dev.flowstone.kernel.story.Asks.asked;
import static dev.flowstone.kernel.story.Asks.claim;
import static dev.flowstone.kernel.story.Asks.decide;
import static dev.flowstone.kernel.story.Asks.task;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.decision.RejectionCode;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** R13: a claim keeps others out of its place, for as long as its lease lasts. */
final class ClaimStoryTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void aClaimKeepsOthersOutOfItsPlaceUntilItEnds() {
        Story story = asked(Asks.of("ask", "role:cfo", "zoe").quorum(new Quorum.Count(2)))
                .by("ann")
                .accepted(claim("ask#1", HOUR, "cfo"));
        assertEquals(List.of("TaskClaimed", "TimerSet"), story.lastKinds());

        story.by("bob")
                .rejected(RejectionCode.CONFLICT, claim("ask#1", HOUR, "cfo"))
                .rejected(RejectionCode.CONFLICT, decide("ask#1", APPROVED, "cfo"))
                .by("zoe")
                .accepted(decide("ask#1", APPROVED))
                .later(HOUR)
                .fire("ask#1/claim", 1);

        assertNull(task(story).claim());
        assertEquals(
                HumanEvent.Release.EXPIRED,
                story.all(HumanEvent.ClaimReleased.class).getFirst().reason());
        story.by("bob").accepted(decide("ask#1", APPROVED, "cfo"));
        assertEquals(RunStatus.SUCCEEDED, story.status());
    }

    @Test
    void aHeartbeatVoidsTheOldEndOfTheLease() {
        Story story = asked(Asks.of("ask", "ann"))
                .by("ann")
                .accepted(claim("ask#1", HOUR))
                .later(Duration.ofMinutes(50))
                .accepted(new HumanCommand.Heartbeat(ASK, HOUR));

        story.rejected(RejectionCode.INVALID_STATE, new Command.FireTimer(new TimerId("ask#1/claim"), 1));
        assertEquals(
                Story.BIRTH.plus(Duration.ofMinutes(110)),
                Optional.ofNullable(task(story).claim()).orElseThrow().expiresAt());
        story.by("bob").rejected(RejectionCode.CONFLICT, new HumanCommand.Heartbeat(ASK, HOUR));
    }

    @Test
    void aClaimIsGivenBack() {
        Story story = asked(Asks.of("ask", "ann"))
                .by("ann")
                .rejected(RejectionCode.INVALID_STATE, new HumanCommand.Heartbeat(ASK, HOUR))
                .ignored(new HumanCommand.Release(ASK, false))
                .accepted(claim("ask#1", HOUR))
                .by("bob")
                .rejected(RejectionCode.CONFLICT, new HumanCommand.Release(ASK, false))
                .by("ann")
                .accepted(new HumanCommand.Release(ASK, false));
        assertEquals(List.of("ClaimReleased", "TimerCanceled"), story.lastKinds());

        story.accepted(claim("ask#1", HOUR)).by("boss").accepted(new HumanCommand.Release(ASK, true));
        assertEquals(List.of(), story.state().timers());
    }

    @Test
    void aLeaseLastsMoreThanNothingAndLessThanForEver() {
        asked(Asks.of("ask", "ann"))
                .by("ann")
                .rejected(RejectionCode.INVALID_COMMAND, claim("ask#1", Duration.ZERO))
                .rejected(RejectionCode.INVALID_COMMAND, claim("ask#1", Duration.ofDays(367)))
                .by("eve")
                .rejected(RejectionCode.NOT_ASSIGNED, claim("ask#1", HOUR));
    }

    @Test
    void whoeverDecidesGivesTheClaimBack() {
        Story story = asked(Asks.of("ask", "ann", "bob").quorum(new Quorum.All()))
                .by("ann")
                .accepted(claim("ask#1", HOUR))
                .accepted(decide("ask#1", APPROVED));

        assertEquals(List.of("HumanDecided", "ClaimReleased", "TimerCanceled"), story.lastKinds());
        story.rejected(RejectionCode.CONFLICT, claim("ask#1", HOUR));
    }
}
