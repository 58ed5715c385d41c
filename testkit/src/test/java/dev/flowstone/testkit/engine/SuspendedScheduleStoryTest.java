package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.shard.ShardConfig;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.TimerEvent.TickPlanned;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Due.Missed;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.SteppedNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * cases.md 19: a schedule that starts a run at noon, every day, and is suspended for a week. What it does about the noons that it
 * missed is what its own policy says, and the noons after that are noons; no tick ever starts two runs.
 */
final class SuspendedScheduleStoryTest {
    private static final Duration LONG = Duration.ofDays(36_500);
    private static final ScopeId ROOT = new ScopeId("root");
    private static final Actor ANN = new Actor("user", "ann");
    private static final SettingScope SCOPE = new SettingScope.Workflow(World.TENANT, new WorkflowId("daily"));

    private final World world = new World();
    private final Instant birth = world.clock.now();

    /** A run of {@code child} at every tick, round and round. */
    private static Program daily(Missed missed) {
        Due noon = new Due.Cron(new JsonString("0 12 * * *"), new JsonString("UTC"), missed);
        List<Node> nodes = List.of(
                new Node.Start(new NodeId("start"), ROOT, Routing.FIRST, Origin.COMPILER),
                new Node.Timer(new NodeId("tick"), ROOT, noon, Routing.FIRST, false, Origin.COMPILER),
                new Node.Call(
                        new NodeId("work"),
                        ROOT,
                        new WorkflowId("child"),
                        Optional.empty(),
                        Map.of(),
                        true,
                        Optional.empty(),
                        ChildPolicies.CASCADE,
                        Routing.FIRST,
                        false,
                        Origin.COMPILER));
        return new Program(
                "test",
                1,
                new WorkflowId("daily"),
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

    private SteppedNode node() {
        EngineConfig config = EngineConfig.of("one")
                .withLease(new LeaseConfig(LONG, Duration.ZERO))
                .withShard(ShardConfig.DEFAULT.withInboxPoll(LONG).withTimers(LONG, 1_000, 200_000));
        return world.node(config, BuiltInActions.registry());
    }

    private RunId start(SteppedNode node, Missed missed) {
        world.publish(ProgramBuilder.dag("child")
                .task("t", "core.echo")
                .edge("start", "t")
                .build());
        RunId run = World.start(node, world.publish(daily(missed)));
        node.settle();
        return run;
    }

    /** Leaps from one instant at which something happens to the next. */
    private void until(SteppedNode node, int day, LocalTime time) {
        Instant end = day(day).atTime(time).toInstant(ZoneOffset.UTC);
        node.settle();
        while (!node.nextWake().isAfter(end)) {
            world.clock.set(node.nextWake());
            node.settle();
        }
        world.clock.set(end);
        node.settle();
    }

    private LocalDate day(int day) {
        return LocalDate.ofInstant(birth, ZoneOffset.UTC).plusDays(day);
    }

    /** How the schedule is stopped and goes on again: by itself, or as a whole workflow. */
    private void change(SteppedNode node, RunId run, boolean itself, boolean suspend, HoldPolicy policy) {
        if (itself) {
            Command command = suspend
                    ? new ControlCommand.SuspendRun(policy, "holidays", "run")
                    : new ControlCommand.ResumeRun("back");
            CompletableFuture<CallAnswer> answer = node.node()
                    .call(new CallRequest(
                            new RunKey(World.TENANT, run),
                            command,
                            List.of(),
                            ANN,
                            Optional.empty(),
                            Optional.empty(),
                            Sha256.digest(command.toString().getBytes(StandardCharsets.UTF_8)),
                            "outside"));
            node.settle();
            assertInstanceOf(CallAnswer.Done.class, answer.getNow(null));
        } else {
            try {
                node.node()
                        .control()
                        .change(
                                suspend
                                        ? SettingRequest.suspend(SCOPE, policy, "holidays", ANN)
                                        : SettingRequest.resume(SCOPE, "back", ANN));
            } catch (JournalException e) {
                throw new AssertionError(e);
            }
            node.settle();
        }
    }

    private List<Instant> fired(RunId run) {
        List<Instant> fired = new ArrayList<>();
        for (Event event : world.history(run).events()) {
            if (event.body() instanceof EventBody.TimerFired) {
                fired.add(event.header().eventTime());
            }
        }
        return fired;
    }

    private List<RunRow> children() {
        try {
            return world.ports
                    .runs()
                    .runs(
                            World.TENANT,
                            new RunFilter(Optional.of(new WorkflowId("child")), Set.of()),
                            Optional.empty(),
                            1_000);
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true, FREEZE, ONCE, 1, 6", "true, FREEZE, ALL, 7, 0", "true, FREEZE, SKIP, 0, 7",
        "true, CATCH_UP, ONCE, 1, 6", "true, CATCH_UP, ALL, 7, 0", "true, CATCH_UP, SKIP, 0, 7",
        "false, FREEZE, ONCE, 1, 6", "false, FREEZE, ALL, 7, 0", "false, FREEZE, SKIP, 0, 7",
        "false, CATCH_UP, ONCE, 1, 6", "false, CATCH_UP, ALL, 7, 0", "false, CATCH_UP, SKIP, 0, 7",
    })
    void aSuspendedWeekIsNoBacklogUnlessAskedFor(
            boolean itself, HoldPolicy.TimerRule timers, Missed missed, int atOnce, int told) {
        HoldPolicy policy = new HoldPolicy(timers, HoldPolicy.InputRule.BUFFER);
        SteppedNode node = node();
        RunId run = start(node, missed);
        until(node, 1, LocalTime.of(13, 0));
        int before = fired(run).size();
        change(node, run, itself, true, policy);
        until(node, 8, LocalTime.of(13, 0));
        assertEquals(before, fired(run).size(), "nothing while it is suspended");

        change(node, run, itself, false, policy);

        until(node, 8, LocalTime.of(13, 5));
        assertEquals(before + atOnce, fired(run).size(), "what was missed, as its policy says");
        until(node, 11, LocalTime.of(13, 0));
        List<Instant> after = fired(run).subList(before + atOnce, fired(run).size());
        assertEquals(
                List.of(day(9), day(10), day(11)).stream()
                        .map(day -> day.atTime(12, 0).toInstant(ZoneOffset.UTC))
                        .toList(),
                after,
                "and noon is noon again");
        assertEquals(
                told,
                world.history(run).all(TickPlanned.class).stream()
                        .mapToInt(TickPlanned::missed)
                        .max()
                        .orElse(0));
        assertEquals(fired(run).size(), children().size(), "one run for each");
    }

    @Test
    void aSuspensionThatMissesNoTickLeavesNoonWhereItIs() {
        SteppedNode node = node();
        RunId run = start(node, Missed.ONCE);
        until(node, 1, LocalTime.of(13, 0));
        change(node, run, true, true, HoldPolicy.DEFAULT);
        until(node, 2, LocalTime.of(11, 0));
        change(node, run, true, false, HoldPolicy.DEFAULT);

        until(node, 2, LocalTime.of(23, 0));

        assertEquals(day(2).atTime(12, 0).toInstant(ZoneOffset.UTC), fired(run).getLast());
    }

    /** Suspended and let go again and again, the process dying in between, before and after what it commits. */
    @ParameterizedTest
    @CsvSource({"ONCE", "ALL", "SKIP"})
    void noTickEverStartsTwoRuns(Missed missed) {
        SteppedNode node = node();
        RunId run = start(node, missed);
        for (int day = 1; day < 30; day += 3) {
            until(node, day, LocalTime.of(11, 59));
            change(node, run, day % 2 == 0, true, HoldPolicy.DEFAULT);
            World.crash(node);
            node = node();
            until(node, day + 1, LocalTime.of(12, 0));
            change(node, run, day % 2 == 0, false, HoldPolicy.DEFAULT);
            World.crash(node);
            node = node();
        }
        until(node, 31, LocalTime.of(13, 0));

        TreeMap<Instant, Integer> ticks = new TreeMap<>();
        Optional<TickPlanned> planned = Optional.empty();
        for (Event event : world.history(run).events()) {
            if (event.body() instanceof TickPlanned tick) {
                planned = Optional.of(tick);
            } else if (event.body() instanceof EventBody.TimerFired) {
                ticks.merge(planned.orElseThrow().dueAt(), 1, Integer::sum);
            }
        }
        assertEquals(
                List.of(),
                ticks.entrySet().stream().filter(tick -> tick.getValue() > 1).toList());
        assertEquals(ticks.size(), children().size());
        if (missed == Missed.ALL) {
            assertEquals(ticks.firstKey().plus(Duration.ofDays(ticks.size() - 1L)), ticks.lastKey(), "none is lost");
        }
    }
}
