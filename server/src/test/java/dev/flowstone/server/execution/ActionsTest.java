package dev.flowstone.server.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.program.Programs;
import dev.flowstone.server.execution.Action.Status;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of a run's events in the list of its actions. */
final class ActionsTest {
    private static final RunId FIRST = Logs.run(1);
    private static final RunId SECOND = Logs.run(2);

    private static Actions actions(int skip, int limit, EventBody... bodies) {
        Actions actions = new Actions(Programs.NONE, new Window(0, skip, limit));
        for (int i = 0; i < bodies.length; i++) {
            actions.add(Logs.event(i + 1, bodies[i]));
        }
        return actions;
    }

    private static EventBody waits(String node) {
        return new EventBody.TimerSet(
                new TimerId("wait/" + node),
                1,
                Instant.parse("2026-11-27T13:00:00Z"),
                TimerPurpose.WAIT,
                Optional.of(Logs.activation(node)));
    }

    private static EventBody renames(String from, String to) {
        return new ControlEvent.Migrated(
                Sha256.ZERO, Sha256.ZERO, 2, Map.of(new NodeId(from), new NodeId(to)), Map.of());
    }

    private static List<String> nodes(Actions actions) {
        return actions.all().stream().map(Action::nodeId).toList();
    }

    @Test
    void eachCallOfOneVisitIsAnAttemptWithItsOwnChild() {
        Actions actions = actions(
                0,
                10,
                Logs.calls("a", FIRST),
                Logs.ended("a", FIRST, Message.Ended.FAILED),
                Logs.calls("a", SECOND),
                Logs.ended("a", SECOND, Message.Ended.SUCCEEDED));

        assertEquals(List.of(1, 2), actions.all().stream().map(Action::attempt).toList());
        assertEquals(
                List.of(Status.FAILED, Status.SUCCEEDED),
                actions.all().stream().map(Action::status).toList());
        assertEquals(
                List.of(Optional.of(FIRST), Optional.of(SECOND)),
                actions.all().stream().map(Action::child).toList());
    }

    @Test
    void whatWasPassedOverOnceTakesNoPlaceLater() {
        Actions skipped = actions(1, 1, waits("a"), waits("a"), waits("b"));
        assertEquals(List.of("b"), nodes(skipped));

        Actions full = actions(0, 1, waits("a"), waits("a"));
        assertEquals(List.of("a"), nodes(full));
        assertFalse(full.more());
    }

    @Test
    void whatWasPassedOverIsKnownUnderItsNewNameToo() {
        Actions actions = actions(1, 1, waits("a"), renames("a", "z"), waits("z"), waits("b"));

        assertEquals(List.of("b"), nodes(actions));
    }

    @Test
    void whatIsOpenIsShownUnderItsNewNameAndWhatIsOverUnderItsOwn() {
        Actions actions = actions(
                0,
                10,
                Logs.calls("a", FIRST),
                Logs.ended("a", FIRST, Message.Ended.FAILED),
                waits("b"),
                new ControlEvent.Migrated(
                        Sha256.ZERO,
                        Sha256.ZERO,
                        2,
                        Map.of(new NodeId("a"), new NodeId("b"), new NodeId("b"), new NodeId("a")),
                        Map.of()),
                Logs.calls("b", SECOND));

        assertEquals(List.of("a", "a", "b"), nodes(actions));
        assertEquals(2, actions.all().getLast().attempt(), "the call is the same visit");
        assertEquals(Optional.of(SECOND), actions.all().getLast().child());
    }
}
