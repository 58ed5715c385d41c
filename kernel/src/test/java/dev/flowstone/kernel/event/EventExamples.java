package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.program.Grid;
import dev.flowstone.kernel.program.Outcome;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** At least one event of each kind, with what is hard to store in it. */
final class EventExamples {
    static final ActivationId A = ActivationId.parse("knoten-é#3");
    static final Sha256 HASH = Sha256.digest(new byte[] {1});
    private static final TaskError ERROR = new TaskError(
            "CODE",
            "it said \"no\"\n",
            JsonObject.builder().put("z", 1).put("a", true).build());
    private static final Payload EXACT = Payload.of(JsonObject.builder()
            .put("big", JsonNumber.of(new BigDecimal("7615917337495251231")))
            .put("small", JsonNumber.of(new BigDecimal("0.1000000000000000055")))
            .build());

    private static final RunId RUN = RunId.of(Instant.EPOCH, new Slot(9), 77);
    private static final WorkflowId WF = new WorkflowId("called");

    private static final List<EventBody> BASE = List.of(
            new EventBody.RunStarted(
                    HASH, Optional.of("r-1"), Map.of("trigger", EXACT, "spec", Payload.of(JsonNull.NULL))),
            new EventBody.RunStarted(HASH, Optional.empty(), Map.of()),
            new EventBody.RunStarted(
                    HASH,
                    Optional.of("r-1"),
                    Map.of("spec", EXACT),
                    new Requested(Optional.of("Dög"), Optional.of("dog@example.com"), Optional.of(5))),
            new EventBody.RunStarted(
                    HASH,
                    Optional.empty(),
                    Map.of(),
                    new Requested(Optional.empty(), Optional.of("x@example.com"), Optional.empty())),
            new EventBody.RunStarted(
                    HASH,
                    Optional.empty(),
                    Map.of(),
                    new Requested(Optional.empty(), Optional.empty(), Optional.of(0))),
            new EventBody.RunStarted(
                    HASH,
                    Optional.of("r-1"),
                    Map.of("trigger", EXACT),
                    new Requested(Optional.of("Dög"), Optional.empty(), Optional.of(5)),
                    Optional.of(new SubjectBinding(new Subject("invoice", "ä/7"), 3, true))),
            new EventBody.RunStarted(
                    HASH,
                    Optional.empty(),
                    Map.of(),
                    Requested.NOTHING,
                    Optional.of(new SubjectBinding(new Subject("a", "b"), 0, false))),
            new EventBody.ActivationOpened(A, HASH, List.of(new EdgeId("e1"), new EdgeId("e\"2"))),
            new EventBody.ActivationOpened(A, HASH, List.of()),
            new EventBody.TaskScheduled(
                    A, 1, new HandlerName("core.echo"), Optional.of(EXACT), Duration.ofMillis(1_500)),
            new EventBody.TaskScheduled(A, 12, new HandlerName("core.echo"), Optional.empty(), Duration.ofHours(1)),
            new EventBody.TaskCompleted(A, 1, EXACT),
            new EventBody.TaskCompleted(A, 1, new Payload.Stored(HASH, 1_234_567)),
            new EventBody.TaskSkipped(A, 1, "nothing"),
            new EventBody.TaskFailed(A, 2, FailureClass.EXTERNAL_LIMIT, ERROR, false),
            new EventBody.TaskTimedOut(A, 2, true),
            new EventBody.TaskReturned(A, 2),
            new EventBody.TaskHandedOut(A, 2),
            new EventBody.EffectObserved(A, 2, EXACT, 0),
            new EventBody.EffectObserved(A, 2, EXACT, 3),
            new EventBody.ActivationCanceled(A, "RUN_FAILING"),
            new EventBody.ActivationSkipped(A),
            new EventBody.Transitioned(A, Outcome.SUCCESS, List.of(new EdgeId("e1")), List.of()),
            new EventBody.Transitioned(
                    A,
                    new Outcome("approved"),
                    List.of(),
                    List.of(
                            new EventBody.EvaluatedCondition(
                                    new EdgeId("e1"),
                                    "a > 1",
                                    JsonObject.builder().put("a", 1).build(),
                                    false,
                                    Optional.empty()),
                            new EventBody.EvaluatedCondition(
                                    new EdgeId("e2"),
                                    "b()",
                                    JsonObject.EMPTY,
                                    false,
                                    Optional.of(new ExpressionError("FORBIDDEN", "no calls", 1))))),
            new EventBody.Transitioned(
                    A,
                    Outcome.SUCCESS,
                    List.of(),
                    List.of(new EventBody.EvaluatedCondition(
                            new EdgeId("e3"),
                            "",
                            JsonObject.builder().put("a", 1).build(),
                            false,
                            Optional.empty(),
                            Optional.of(new PolicyDecision(
                                    new PolicyName("release"), 2, Sha256.ZERO, false, Optional.of("frozen"), "why"))))),
            new EventBody.TimerSet(
                    new TimerId("t"),
                    1,
                    Instant.parse("2026-11-27T12:00:00.000001Z"),
                    EventBody.TimerPurpose.WAIT,
                    Optional.of(A)),
            new EventBody.TimerSet(new TimerId("t"), 2, Times.LAST, EventBody.TimerPurpose.DEADLINE, Optional.empty()),
            new EventBody.TimerFired(new TimerId("t"), 1),
            new EventBody.TimerCanceled(new TimerId("t"), 1),
            new EventBody.ContinueScheduled(),
            new EventBody.WaitDiscounted(),
            new EventBody.IncidentRaised("NO_EDGE_TAKEN", Optional.of(A), "stuck"),
            new EventBody.IncidentRaised("RUNAWAY_LOOP", Optional.empty(), "spins"),
            new EventBody.ScopeOpened(new ScopeId("slot"), 1),
            new EventBody.ScopeClosed(new ScopeId("slot"), 1, Optional.of(new EdgeId("e"))),
            new EventBody.ScopeClosed(new ScopeId("slot"), 2, Optional.empty()),
            new EventBody.TokenDiscarded(new ScopeId("slot"), 1, new NodeId("n")),
            new EventBody.RunFailing(ERROR, Optional.of(new NodeId("n"))),
            new EventBody.RunCompleted(EXACT),
            new EventBody.RunFailed(ERROR, Optional.empty()),
            new ControlEvent.RunSuspended(HoldPolicy.DEFAULT, "audit", "tenant/acme"),
            new ControlEvent.RunDraining(
                    new HoldPolicy(HoldPolicy.TimerRule.CATCH_UP, HoldPolicy.InputRule.REJECT), "upgrade", "run"),
            new ControlEvent.RunResumed("done"),
            new ControlEvent.HoldImposed(
                    3,
                    Setting.Mode.SUSPEND,
                    HoldPolicy.DEFAULT,
                    "audit",
                    "tenant/acme",
                    Instant.parse("2026-11-27T12:00:00.000001Z"),
                    Optional.empty()),
            new ControlEvent.HoldImposed(
                    4,
                    Setting.Mode.DRAIN,
                    new HoldPolicy(HoldPolicy.TimerRule.CATCH_UP, HoldPolicy.InputRule.REJECT),
                    "upgrade",
                    "system",
                    Instant.parse("2026-11-27T12:00:00Z"),
                    Optional.of(Times.LAST)),
            new ControlEvent.HoldLifted(5, Instant.parse("2026-11-27T12:00:00Z")),
            new ControlEvent.HoldWaived(5, "go on"),
            new ControlEvent.InputBuffered(
                    7, JsonObject.builder().put("b", 1).put("a", 2).build()),
            new ControlEvent.BufferedInputTaken(7),
            new ControlEvent.BufferedInputRefused(7, "CONFLICT", "too late"),
            new ControlEvent.TimerFrozen(new TimerId("t"), 2, Duration.ofSeconds(3, 1_000)),
            new ControlEvent.TimerForced(new TimerId("t"), 2),
            new ControlEvent.ActivationParked(A),
            new ControlEvent.ActivationReleased(A, HASH),
            new ControlEvent.RunCanceling("no need", true, Optional.of(RUN)),
            new ControlEvent.RunCanceling("no need", false, Optional.empty()),
            new ControlEvent.RunCanceled("no need", Optional.of(RUN)),
            new ControlEvent.RunCanceled("no need", Optional.empty()),
            new ControlEvent.RunTerminating("now"),
            new ControlEvent.RunTerminated("now"),
            new ControlEvent.RollbackBegan(new NodeId("n"), "once more"),
            new ControlEvent.RolledBack(new NodeId("n")),
            new ControlEvent.IncidentResolved(4, ControlEvent.Resolution.RETRIED, Optional.of(EXACT), Optional.empty()),
            new ControlEvent.IncidentResolved(4, ControlEvent.Resolution.FAILED, Optional.empty(), Optional.of(ERROR)),
            new ControlEvent.Migrated(
                    HASH, HASH, 4, Map.of(new NodeId("b"), new NodeId("c"), new NodeId("a"), new NodeId("b"))),
            new ControlEvent.Migrated(
                    HASH, HASH, 4, Map.of(new NodeId("a"), new NodeId("b")), Map.of(new NodeId("a"), 7)),
            new ControlEvent.RunReset(
                    HASH, RUN, 9, JsonObject.builder().put("format", 1).build()),
            new CompensationEvent.CompensationDue(0),
            new CompensationEvent.CompensationBegan(2, 3),
            new CompensationEvent.CompensationScheduled(A.opposite(), HASH),
            new CompensationEvent.CompensationApplied(A.opposite(), 2, EXACT),
            new CompensationEvent.CompensationFailed(A.opposite(), ERROR),
            new ForkEvent.ForkOpened(A, 2, Optional.of(EXACT)),
            new ForkEvent.ForkOpened(A, 2, Optional.empty()),
            new ForkEvent.BranchOpened(A, 1, new ScopeId("branch"), 7),
            new ForkEvent.BranchEnded(A, 1, 7, true, Outcome.SUCCESS, 0),
            new ForkEvent.BranchEnded(A, 1, 7, false, Outcome.FAILURE, 70_000),
            new ForkEvent.BranchesDiscarded(A, 3, 9_997),
            new ForkEvent.JoinFired(A, new NodeId("join"), Outcome.UNSATISFIED, 3, 2, 1),
            new ForkEvent.BranchCanceled(A, 2, 8, new NodeId("join"), true),
            new ForkEvent.BranchKept(A, 2, 8, new NodeId("join")),
            new ForkEvent.ExitFollowed(A, new EdgeId("e"), 0),
            new ForkEvent.IncidentDiscarded(12, new ScopeId("branch"), 7),
            new MessageEvent.MessageReceived(RUN, 7),
            new MessageEvent.ResourceClaimed(A, 2, "Order", "ä/1", EXACT),
            new MessageEvent.ResourceSettled(A, RUN, true, RUN, EXACT),
            new MessageEvent.ResourceSettled(A, RUN, false, RUN, new Payload.Stored(HASH, 7)),
            new MessageEvent.AwaitOpened(A, RUN, "paid", "order-1"),
            new MessageEvent.SignalAccepted(A, RUN, 3, EXACT),
            new MessageEvent.SignalHandedBack(A, RUN, 3),
            new MessageEvent.PermitAwaited(A, RUN, "press", 3, 2, Duration.ofMinutes(5)),
            new MessageEvent.PermitAcquired(A, RUN, 2, 9, Times.LAST),
            new MessageEvent.PermitGivenBack(A, RUN),
            new MessageEvent.PermitLost(A, RUN, 10),
            new MessageEvent.AwaitTimedOut(A),
            new MessageEvent.SignalSent(A, RUN, "paid", "k", EXACT, Optional.of("d"), true, Times.LAST),
            new MessageEvent.SignalSent(A, RUN, "paid", "k", EXACT, Optional.empty(), false, Times.LAST),
            new MessageEvent.PermitsReleased(A, 1),
            new MessageEvent.ChildStarted(A, RUN, WF, 3, HASH, Map.of("trigger", EXACT), true),
            new MessageEvent.CallTimedOut(A, ChildPolicy.DETACH),
            new MessageEvent.ChildControlled(A, RUN, Message.Operation.CANCEL, "why"),
            new MessageEvent.ChildEnded(A, RUN, Message.Ended.FAILED, EXACT, Optional.of(ERROR)),
            new MessageEvent.ChildEnded(A, RUN, Message.Ended.SUCCEEDED, EXACT, Optional.empty()),
            new MessageEvent.ChildBegun(RUN, A, true, RUN, 2, List.of(WF), "user:ada"),
            new MessageEvent.ParentDetached("why"),
            new AggregateEvent.SubscriptionOpened(RUN, A, "paid", "k"),
            new AggregateEvent.SubscriptionClosed(RUN, A),
            new AggregateEvent.SignalReceived(
                    3, "paid", "k", EXACT, Optional.of("d"), Times.LAST, false, Times.LAST, Optional.of(RUN)),
            new AggregateEvent.SignalReceived(
                    4, "paid", "k", EXACT, Optional.empty(), Times.LAST, true, Times.LAST, Optional.empty()),
            new AggregateEvent.SignalMatched(3, RUN, A),
            new AggregateEvent.SignalTakenBack(3, RUN, A, EXACT, Times.LAST),
            new AggregateEvent.SignalExpired(3),
            new AggregateEvent.SignalRefused("paid", "k", Optional.of("d"), Optional.of(RUN), "SIGNAL_BUFFER_FULL"),
            new AggregateEvent.PermitRequested(RUN, A, "press", 3, 2, Duration.ofMinutes(5)),
            new AggregateEvent.PermitGranted(RUN, A, 2, 9, Times.LAST),
            new AggregateEvent.PermitReleased(RUN, A),
            new AggregateEvent.PermitRequestWithdrawn(RUN, A),
            new AggregateEvent.LeaseExpired(RUN, A, 10),
            new AggregateEvent.ResourceLinked(RUN, A, "Order", "k", EXACT),
            new AggregateEvent.ResourceFound(RUN, A),
            new TimerEvent.TickPlanned(A, Times.LAST, new Grid.Cron("0 0 * * *", "Europe/Berlin"), 0),
            new TimerEvent.TickPlanned(A, Times.LAST, new Grid.Every(Duration.ofHours(36)), 7));

    static final List<EventBody> EVERYTHING =
            Stream.of(BASE, HumanExamples.ALL).flatMap(List::stream).toList();

    private EventExamples() {}
}
