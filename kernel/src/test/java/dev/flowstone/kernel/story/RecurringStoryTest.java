package dev.flowstone.kernel.story;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.decision.Bounds;
import dev.flowstone.kernel.decision.Env;
import dev.flowstone.kernel.event.EventBody.IncidentRaised;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.event.EventBody.TimerFired;
import dev.flowstone.kernel.event.TimerEvent.TickPlanned;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Due.Missed;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R19 and cases.md 19, 20: instants, schedules, periods. A story begins on 2026-11-27 at noon. */
final class RecurringStoryTest {
    private static JsonValue text(String text) {
        return new JsonString(text);
    }

    static Due every(String period, Missed missed) {
        return new Due.Every(text(period), missed);
    }

    static Due cron(String schedule, String zone, Missed missed) {
        return new Due.Cron(text(schedule), text(zone), missed);
    }

    static Programs timer(Programs program, String id, Due due) {
        return program.node((scope, routing) ->
                new Node.Timer(new NodeId(id), scope, due, routing, true, new Origin("/nodes/" + id)));
    }

    /** Work at every tick, round and round. */
    static Programs loop(Due due) {
        return timer(Programs.flow(), "tick", due).task("work").chain("start", "tick", "work", "tick");
    }

    private static Story once(Due due) {
        return Story.of(timer(Programs.dag(), "at", due).edge("start", "at")).start();
    }

    private static Instant due(Story story) {
        return story.state().timers().getFirst().dueAt();
    }

    private static String error(Story story) {
        return story.all(TaskFailed.class).getFirst().error().code();
    }

    private static JsonObject output() {
        return JsonObject.builder()
                .put("dueAt", "2026-11-27T13:00:00.000000Z")
                .put("firedAt", "2026-11-27T13:00:02.000000Z")
                .build();
    }

    @Test
    void anInstantIsWaitedForWhateverItsOffset() {
        Story story = once(new Due.At(text("2026-11-27T14:00:00+01:00")));
        assertEquals(Instant.parse("2026-11-27T13:00:00Z"), due(story));

        story.later(Duration.ofSeconds(3_602)).fire("at#1", 1);

        assertEquals(output(), story.output());
    }

    /** cases.md 20 */
    @ParameterizedTest
    @CsvSource({
        "2026-11-27T12:00:00Z",
        "1970-01-01T00:00:00Z",
        "0000-01-01T00:00:00Z",
    })
    void aPastInstantFiresAtOnce(String instant) {
        assertEquals(RunStatus.SUCCEEDED, once(new Due.At(text(instant))).status());
    }

    /** cases.md 20 */
    @Test
    void theLastInstantThatCanBeStoredIsWaitedFor() {
        Story story = once(new Due.At(text("9999-12-31T23:59:59.999999Z")));
        assertEquals(Instant.parse("9999-12-31T23:59:59.999999Z"), due(story));
    }

    /** cases.md 20 */
    @ParameterizedTest
    @CsvSource({"+10000-01-01T00:00:00Z", "tomorrow", "2026-11-27T12:00:00", "9999-12-31T23:59:59-01:00"})
    void anInstantThatCannotBeStoredOrReadFailsTheNode(String instant) {
        Story story = once(new Due.At(text(instant)));
        assertEquals("INVALID_INSTANT", error(story));
        assertEquals(RunStatus.FAILED, story.status());
    }

    @Test
    void aPeriodKeepsItsGridHoweverLongTheWorkTakes() {
        Story story = Story.of(loop(every("PT1H", Missed.ONCE))).start();
        for (int hour = 1; hour <= 5; hour++) {
            assertEquals(Story.BIRTH.plus(Duration.ofHours(hour)), due(story));
            // Every firing is late, and the work takes a while.
            story.later(Duration.ofMinutes(hour == 1 ? 75 : 60)).fire("tick#" + hour, 1);
            story.later(Duration.ofMinutes(hour == 1 ? 5 : 0)).ok("work");
        }
        assertTrue(story.all(TickPlanned.class).stream().allMatch(tick -> tick.missed() == 0));
    }

    @Test
    void aScheduleIsFollowedInItsZone() {
        Story story =
                Story.of(loop(cron("01:30", "Europe/Berlin", Missed.ONCE))).start();
        assertEquals(Instant.parse("2026-11-28T00:30:00Z"), due(story));
        story.later(Duration.ofHours(13)).fire("tick#1", 1).ok("work");
        assertEquals(Instant.parse("2026-11-29T00:30:00Z"), due(story));
    }

    /** The shard's clock said that it is due; the decision's own may lie a little behind. */
    @Test
    void aTickThatIsFiredBeforeItsTimeIsNotFiredTwice() {
        Story story = Story.of(loop(cron("13:00", "UTC", Missed.ONCE))).start();
        story.later(Duration.ofMinutes(59)).fire("tick#1", 1).ok("work");
        assertEquals(Instant.parse("2026-11-28T13:00:00Z"), due(story));
    }

    /** cases.md 19 */
    @Test
    void workThatTakesAWeekGetsOneCatchUp() {
        Story story = Story.of(loop(every("P1D", Missed.ONCE))).start();
        story.later(Duration.ofDays(1)).fire("tick#1", 1);

        story.later(Duration.ofDays(7).plusHours(1)).ok("work");

        TickPlanned late = story.all(TickPlanned.class).getLast();
        assertEquals(Story.BIRTH.plus(Duration.ofDays(8)), late.dueAt());
        assertEquals(6, late.missed());
        assertEquals(List.of("work"), story.open());
        story.ok("work");
        assertEquals(Story.BIRTH.plus(Duration.ofDays(9)), due(story));
    }

    /** cases.md 19 */
    @Test
    void anEngineThatWasDownForAWeekFiresOnce() {
        Story story = Story.of(loop(cron("13:00", "UTC", Missed.ONCE))).start();

        story.later(Duration.ofDays(7).plusHours(2)).fire("tick#1", 1);

        TickPlanned late = story.all(TickPlanned.class).getLast();
        assertEquals(Instant.parse("2026-12-04T13:00:00Z"), late.dueAt());
        assertEquals(7, late.missed());
        story.ok("work");
        assertEquals(Instant.parse("2026-12-05T13:00:00Z"), due(story));
        assertEquals(1, story.all(TimerFired.class).size());
    }

    @Test
    void theOutputTellsHowManyWereMissed() {
        Story story = once(every("PT1H", Missed.ONCE));
        story.later(Duration.ofMinutes(150)).fire("at#1", 1);
        assertEquals(
                JsonObject.builder()
                        .put("dueAt", "2026-11-27T14:00:00.000000Z")
                        .put("firedAt", "2026-11-27T14:30:00.000000Z")
                        .put("missed", 1)
                        .build(),
                story.output());
    }

    /** cases.md 19 */
    @Test
    void aBacklogThatIsAskedForIsFiredTickByTick() {
        Story story = Story.of(loop(every("P1D", Missed.ALL))).start();
        story.later(Duration.ofDays(3).plusHours(1));

        for (int day = 1; day <= 3; day++) {
            assertEquals(Story.BIRTH.plus(Duration.ofDays(day)), due(story));
            story.fire("tick#" + day, 1).ok("work");
        }

        assertEquals(Story.BIRTH.plus(Duration.ofDays(4)), due(story));
    }

    /** A backlog is no runaway loop, and doesn't keep others waiting: the shard fires each. */
    @Test
    void aBacklogWithoutWorkBetweenIsNoRunawayLoop() {
        Story story = Story.of(timer(Programs.flow(), "tick", every("PT1M", Missed.ALL))
                        .node((scope, routing) ->
                                new Node.Choice(new NodeId("again"), scope, routing, true, new Origin("/nodes/again")))
                        .chain("start", "tick", "again", "tick"))
                .with(new Bounds(100, 10, 1 << 20, 1 << 15, 5_000_000))
                .start();
        story.later(Duration.ofDays(1));
        for (int minute = 1; minute <= 30; minute++) {
            story.fire("tick#" + minute, 1);
        }
        assertEquals(List.of(), story.all(IncidentRaised.class));
    }

    /** It was waited for, though the tick that fires isn't the one that it was set for. */
    @Test
    void aTimerThatIsAlwaysLateIsNoRunawayLoop() {
        Story story = Story.of(timer(Programs.flow(), "tick", every("PT1M", Missed.ONCE))
                        .node((scope, routing) ->
                                new Node.Choice(new NodeId("again"), scope, routing, true, new Origin("/nodes/again")))
                        .chain("start", "tick", "again", "tick"))
                .with(new Bounds(100, 10, 1 << 20, 1 << 15, 5_000_000))
                .start();
        for (int visit = 1; visit <= 30; visit++) {
            story.later(Duration.ofSeconds(150)).fire("tick#" + visit, 1);
        }
        assertEquals(List.of(), story.all(IncidentRaised.class));
    }

    /** cases.md 19 */
    @Test
    void missedTicksThatNobodyWantsAreSkipped() {
        Story story = Story.of(loop(every("P1D", Missed.SKIP))).start();
        story.later(Duration.ofDays(1)).fire("tick#1", 1);

        story.later(Duration.ofDays(7).plusHours(1)).ok("work");

        assertEquals(List.of(), story.open());
        assertEquals(Story.BIRTH.plus(Duration.ofDays(9)), due(story));
        assertEquals(7, story.all(TickPlanned.class).getLast().missed());
    }

    /** cases.md 19 */
    @Test
    void aTickThatNobodyCouldFireInTimeIsSkippedToo() {
        Story story = Story.of(loop(cron("13:00", "UTC", Missed.SKIP))).start();

        story.later(Duration.ofDays(2).plusHours(3)).fire("tick#1", 1);

        assertEquals(List.of(), story.all(TimerFired.class));
        assertEquals(Instant.parse("2026-11-30T13:00:00Z"), due(story));
        assertEquals(2, story.state().timers().getFirst().generation());
        assertEquals(3, story.all(TickPlanned.class).getLast().missed());

        story.restored().later(Duration.ofHours(22).plusSeconds(30)).fire("tick#1", 2);

        assertEquals(List.of("work"), story.open());
    }

    @Test
    void aTickThatIsAMomentLateIsNotMissed() {
        Story story = Story.of(loop(cron("13:00", "UTC", Missed.SKIP))).start();
        story.later(Duration.ofMinutes(61)).fire("tick#1", 1);
        assertEquals(List.of("work"), story.open());
    }

    /** A grid belongs to a scope instance: another instance begins its own, and forgets the old one. */
    @Test
    void aScopeThatIsEnteredAgainBeginsAnewGrid() {
        Programs program = Programs.flow().task("between").settlingScope("slot", "tick", "tick", "between");
        Story story = Story.of(timer(program, "tick", every("PT1H", Missed.ONCE))
                        .edge("start", "tick")
                        .edge("tick", "between")
                        .edge("between", "tick"))
                .start();
        story.later(Duration.ofHours(1)).fire("tick#1", 1);
        assertEquals("[]", ticks(story));

        story.later(Duration.ofMinutes(20)).ok("between");

        assertEquals(Story.BIRTH.plus(Duration.ofMinutes(140)), due(story));
    }

    private static String ticks(Story story) {
        JsonValue ticks = story.state().toJson().get("ticks");
        return ticks == null ? "[]" : ticks.toString();
    }

    @Test
    void templatesMayGiveSchedulesAndPeriods() {
        Due due = new Due.Cron(text("{{trigger.at}}"), text("{{trigger.zone}}"), Missed.ONCE);
        Story story = Story.of(timer(Programs.dag(), "at", due).edge("start", "at"))
                .start(Map.of(
                        "trigger",
                        Payload.of(JsonObject.builder()
                                .put("at", "08:15")
                                .put("zone", "Asia/Kolkata")
                                .build())));
        assertEquals(Instant.parse("2026-11-28T02:45:00Z"), due(story));
        assertEquals(Story.BIRTH.plusMillis(1500), due(once(new Due.Every(JsonNumber.of(1500), Missed.ONCE))));
    }

    @ParameterizedTest
    @CsvSource({
        "25:00, UTC, INVALID_SCHEDULE",
        "01:30, Mars/Olympus, INVALID_SCHEDULE",
        "01:30, '', INVALID_SCHEDULE",
        "{{trigger}}, UTC, INVALID_SCHEDULE",
        "{{nothing}}, UTC, TEMPLATE_ERROR",
        "never, UTC, NEVER_DUE",
    })
    void aScheduleThatIsNoneFailsTheNode(String schedule, String zone, String code) {
        Story story = once(cron(schedule, zone, Missed.ONCE));
        assertEquals(code, error(story));
        assertEquals(RunStatus.FAILED, story.status());
    }

    /** cases.md 20 */
    @ParameterizedTest
    @CsvSource({
        "PT0S, INVALID_DURATION",
        "-PT1H, INVALID_DURATION",
        "PT0.0000001S, INVALID_DURATION",
        "often, INVALID_DURATION",
        "P3000000D, NEVER_DUE",
        "PT2562047788015215H, NEVER_DUE",
    })
    void aPeriodThatIsNoneFailsTheNode(String period, String code) {
        assertEquals(code, error(once(every(period, Missed.ALL))));
    }

    /** Bounded, however long the timer was away. */
    @Test
    void aCatchUpOverManyTicksIsCheapAndExact() {
        Story story = Story.of(loop(every("PT0.001S", Missed.ONCE))).start();

        story.later(Duration.ofDays(3_650).plusNanos(7_500_000)).fire("tick#1", 1);

        TickPlanned late = story.all(TickPlanned.class).getLast();
        assertEquals(Story.BIRTH.plus(Duration.ofDays(3_650)).plusMillis(7), late.dueAt());
        assertEquals(1_000, late.missed());
    }

    @Test
    void anEngineWithoutSchedulesSaysSo() {
        Story story = Story.of(
                timer(Programs.dag(), "at", cron("01:30", "UTC", Missed.ONCE)).edge("start", "at"));
        story.with(new Env(
                        new PathExpressions(),
                        Map.of(),
                        JsonObject.EMPTY,
                        story.env().bounds()))
                .start();
        assertEquals("INVALID_SCHEDULE", error(story));
    }
}
