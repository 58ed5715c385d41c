package dev.flowstone.kernel.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Due.Missed;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.kernel.story.DailySchedules;
import dev.flowstone.kernel.story.Programs;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** cases.md 20: what can never be right is refused when it is published. */
final class TimerCheckTest {
    private static List<ProgramFault> faults(Due due) {
        return TimerCheck.faults(
                Programs.dag()
                        .node((scope, routing) ->
                                new Node.Timer(new NodeId("at"), scope, due, routing, true, new Origin("/nodes/at")))
                        .edge("start", "at")
                        .build(),
                new DailySchedules());
    }

    private static JsonValue text(String text) {
        return new JsonString(text);
    }

    private static void refused(Due due, String why) {
        List<ProgramFault> faults = faults(due);
        assertEquals(1, faults.size(), faults::toString);
        assertEquals(ProgramFault.Code.INVALID_TIMER, faults.getFirst().code());
        assertTrue(faults.getFirst().message().contains(why), faults::toString);
    }

    @Test
    void timersThatCanBeRightPass() {
        for (Due due : List.of(
                new Due.After(text("PT1H")),
                new Due.After(JsonNumber.of(-5)),
                new Due.After(text("in {{vars.x}}")),
                new Due.At(text("1970-01-01T00:00:00Z")),
                new Due.At(text("{{vars.when}}")),
                new Due.Every(text("PT0.001S"), Missed.ALL),
                new Due.Every(text("{{vars.x}}"), Missed.ALL),
                new Due.Cron(text("01:30"), text("Europe/Berlin"), Missed.ONCE),
                new Due.Cron(text("{{vars.x}}"), text("{{vars.y}}"), Missed.ONCE))) {
            assertEquals(List.of(), faults(due), due::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"P4000000D", "three days", "P1M", "PT2562047788015216H"})
    void aWaitThatNoEventCanHoldIsRefused(String duration) {
        refused(new Due.After(text(duration)), duration);
        refused(new Due.Every(text(duration), Missed.ONCE), duration);
    }

    @Test
    void aPeriodOfNothingIsRefused() {
        refused(new Due.Every(text("PT0S"), Missed.ONCE), "at least a millisecond");
        refused(new Due.Every(text("-PT5S"), Missed.ONCE), "at least a millisecond");
    }

    @Test
    void anInstantWithoutAnOffsetOrBeyondTheYear9999IsRefused() {
        refused(new Due.At(text("2026-11-27T12:00:00")), "with an offset");
        refused(new Due.At(text("+10000-01-01T00:00:00Z")), "before the year 10000");
        refused(new Due.At(JsonNumber.of(7)), "with an offset");
    }

    @Test
    void aScheduleIsRefusedInItsReadersWords() {
        refused(new Due.Cron(text("25:00"), text("UTC"), Missed.ONCE), "'25:00' is no time; allowed: such as 01:30");
        refused(new Due.Cron(text("never"), text("UTC"), Missed.ONCE), "no such day");
        refused(new Due.Cron(text("01:30"), text("Mars/Olympus"), Missed.ONCE), "a time zone is a name");
        refused(new Due.Cron(JsonNumber.of(5), text("UTC"), Missed.ONCE), "a schedule is a text");
    }
}
