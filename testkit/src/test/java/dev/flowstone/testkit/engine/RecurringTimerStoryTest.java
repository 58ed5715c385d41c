package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.TimerEvent.TickPlanned;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Due.Missed;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** cases.md 17, 18, 19: a timer that comes again, in the production engine, in virtual time. */
final class RecurringTimerStoryTest {
    private static final Duration LONG = Duration.ofDays(36_500);
    private static final ScopeId ROOT = new ScopeId("root");

    private World world = new World();

    /** Work at every tick, round and round. */
    private static Program loop(Due due) {
        List<Node> nodes = List.of(
                new Node.Start(new NodeId("start"), ROOT, Routing.FIRST, Origin.COMPILER),
                new Node.Timer(new NodeId("tick"), ROOT, due, Routing.FIRST, false, Origin.COMPILER),
                new Node.Task(
                        new NodeId("work"),
                        ROOT,
                        new HandlerName("core.echo"),
                        JsonObject.EMPTY,
                        Retry.NONE,
                        Duration.ofMinutes(1),
                        false,
                        Routing.FIRST,
                        false,
                        Origin.COMPILER));
        return new Program(
                "test",
                1,
                new WorkflowId("loop"),
                List.of(new Scope(
                        ROOT,
                        Optional.empty(),
                        Scope.Kind.FLOW,
                        Scope.FailurePolicy.FAIL,
                        new NodeId("start"),
                        Optional.empty(),
                        Optional.empty())),
                nodes,
                List.of(edge("start", "tick"), edge("tick", "work"), edge("work", "tick")),
                Output.TERMINALS,
                Optional.empty(),
                JsonObject.EMPTY);
    }

    private static Edge edge(String from, String to) {
        return new Edge(
                new EdgeId(from + "->" + to),
                new NodeId(from),
                new NodeId(to),
                Outcome.SUCCESS,
                Optional.empty(),
                false,
                0,
                Origin.COMPILER);
    }

    private static Due cron(String schedule, ZoneId zone, Missed missed) {
        return new Due.Cron(new JsonString(schedule), new JsonString(zone.getId()), missed);
    }

    private SteppedNode node() {
        EngineConfig config = EngineConfig.of("one")
                .withLease(new LeaseConfig(LONG, Duration.ZERO))
                .withShard(ShardConfig.DEFAULT.withInboxPoll(LONG).withTimers(LONG, 1_000, 200_000));
        return world.node(config, BuiltInActions.registry());
    }

    private RunId start(SteppedNode node, Due due) {
        CompletableFuture<StartAnswer> answer =
                node.node().start(world.publish(loop(due)).start());
        node.settle();
        return World.started(answer);
    }

    /** Leaps from one instant at which something happens to the next. */
    private void until(SteppedNode node, Instant end) {
        node.settle();
        while (!node.nextWake().isAfter(end)) {
            world.clock.set(node.nextWake());
            node.settle();
        }
        world.clock.set(end);
        node.settle();
    }

    private List<ZonedDateTime> fired(RunId run, ZoneId zone) {
        List<ZonedDateTime> fired = new ArrayList<>();
        for (Event event : world.history(run).events()) {
            if (event.body() instanceof EventBody.TimerFired) {
                fired.add(event.header().eventTime().atZone(zone));
            }
        }
        return fired;
    }

    /** cases.md 17 */
    @ParameterizedTest
    @CsvSource({
        "Europe/Berlin, 1", "Europe/Berlin, 2",
        "America/New_York, 1", "America/New_York, 2",
        "Australia/Lord_Howe, 1", "Australia/Lord_Howe, 2",
    })
    void aDailyScheduleFiresOnceADayAcrossEveryChangeOfTheClocks(String name, int hour) {
        ZoneId zone = ZoneId.of(name);
        Instant change = world.clock.now();
        for (int i = 0; i < 2; i++) {
            change = zone.getRules().nextTransition(change).getInstant();
            LocalDate first = change.atZone(zone).toLocalDate().minusDays(3);
            world = new World();
            world.clock.set(first.atStartOfDay(zone).toInstant());
            SteppedNode node = node();
            RunId run = start(node, cron("30 " + hour + " * * *", zone, Missed.ONCE));

            until(node, first.plusDays(7).atStartOfDay(zone).toInstant());

            List<LocalDate> days =
                    fired(run, zone).stream().map(ZonedDateTime::toLocalDate).toList();
            assertEquals(first.datesUntil(first.plusDays(7)).toList(), days, change::toString);
        }
    }

    /** cases.md 18: a day that a month doesn't have is skipped; nothing drifts. */
    @ParameterizedTest
    @CsvSource({"29, 23", "30, 22", "31, 14", "L, 24"})
    void aMonthlyScheduleKeepsItsDayForTwoYears(String day, int times) {
        ZoneId zone = ZoneId.of("Europe/Berlin");
        world.clock.set(LocalDate.of(2027, 1, 1).atStartOfDay(zone).toInstant());
        SteppedNode node = node();
        RunId run = start(node, cron("0 9 " + day + " * *", zone, Missed.ONCE));

        until(node, LocalDate.of(2029, 1, 1).atStartOfDay(zone).toInstant());

        List<ZonedDateTime> fired = fired(run, zone);
        assertEquals(times, fired.size());
        for (ZonedDateTime at : fired) {
            int expected = day.equals("L") ? at.toLocalDate().lengthOfMonth() : Integer.parseInt(day);
            assertEquals(expected, at.getDayOfMonth());
            assertEquals(LocalTime.of(9, 0), at.toLocalTime());
        }
    }

    /** cases.md 19 */
    @ParameterizedTest
    @CsvSource({"ONCE, 2, 6", "ALL, 8, 0", "SKIP, 1, 7"})
    void aWeekWithoutAnEngineIsNoBacklogUnlessAskedFor(Missed missed, int firings, int told) {
        ZoneId utc = ZoneId.of("UTC");
        Instant birth = world.clock.now();
        SteppedNode before = node();
        RunId run = start(before, cron("0 12 * * *", utc, missed));
        until(before, birth.plus(Duration.ofDays(1)));
        assertEquals(1, fired(run, utc).size());
        before.node().loops().forEach(loop -> loop.end("crashed"));
        world.clock.set(birth.plus(Duration.ofDays(8)));

        SteppedNode after = node();
        until(after, birth.plus(Duration.ofDays(8)));

        assertEquals(firings, fired(run, utc).size());
        assertEquals(
                told,
                world.history(run).all(TickPlanned.class).stream()
                        .mapToInt(TickPlanned::missed)
                        .sum());
        until(after, birth.plus(Duration.ofDays(9)));
        assertEquals(firings + 1, fired(run, utc).size());
    }

    @Test
    void aPeriodDoesNotDriftHoweverLateTheEngineIs() {
        Instant birth = world.clock.now();
        SteppedNode node = node();
        RunId run = start(node, new Due.Every(new JsonString("PT1H"), Missed.ONCE));
        for (int hour = 1; hour <= 24; hour++) {
            world.clock.set(birth.plus(Duration.ofHours(hour)).plusSeconds(hour));
            node.settle();
        }
        List<TickPlanned> ticks = world.history(run).all(TickPlanned.class);
        assertEquals(25, ticks.size());
        for (int hour = 1; hour <= 25; hour++) {
            assertEquals(birth.plus(Duration.ofHours(hour)), ticks.get(hour - 1).dueAt());
        }
    }
}
