package dev.flowstone.kernel.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Actor;
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
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.program.Grid;
import dev.flowstone.kernel.program.Outcome;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is stored, byte by byte, and what is refused. */
final class JournalEntryTest {
    private static final ActivationId A = ActivationId.parse("knoten-é#3");
    private static final Sha256 HASH = Sha256.digest(new byte[] {1});
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
            new EventBody.EffectObserved(A, 2, EXACT),
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

    private static EventHeader header(long firstSequence) {
        return new EventHeader(
                EventHeader.SCHEMA,
                new TenantId("acme"),
                new WorkflowId("wf"),
                3,
                RunId.of(Instant.parse("2026-11-27T12:00:00Z"), new Slot(7), 42),
                firstSequence,
                Instant.parse("2026-11-27T12:00:00.123456Z"),
                Optional.of(Instant.parse("2026-11-26T00:00:00Z")),
                new Actor("user", "ada:lovelace"),
                Optional.of("policy/7"),
                Optional.of("key-1"),
                Optional.of("cause"),
                "corr");
    }

    @Test
    void everyKindComesBackAndLinksUp() throws CorruptEntryException {
        assertEquals(
                kinds(EventBody.class).collect(Collectors.toSet()),
                EVERYTHING.stream().map(Object::getClass).collect(Collectors.toSet()),
                "a new kind of event needs an example here");
        JournalEntry entry = JournalEntry.encode(header(5), EVERYTHING, HASH);

        List<Event> events = JournalEntry.decode(entry.bytes(), 5, HASH);

        assertEquals(EVERYTHING, events.stream().map(Event::body).toList());
        assertEquals(header(5), events.getFirst().header());
        assertEquals(5, entry.firstSequence());
        assertEquals(entry.lastSequence(), events.getLast().sequence());
        assertEquals(entry.hash(), events.getLast().hash());
        assertEquals(HASH, events.getFirst().previousHash());
    }

    /** The records under a sealed interface, at any depth. */
    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isInterface()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(JournalEntryTest::kinds)
                : Stream.of(type);
    }

    @Test
    void everyFrameIsCanonical() throws JsonSyntaxException {
        byte[] bytes = JournalEntry.encode(header(1), EVERYTHING, Sha256.ZERO).bytes();
        ByteBuffer frames = ByteBuffer.wrap(bytes);
        int count = 0;
        while (frames.hasRemaining()) {
            byte[] frame = new byte[frames.getInt()];
            frames.get(frame);
            assertEquals(
                    new String(CanonicalJson.exact(JsonParser.parse(frame)), StandardCharsets.UTF_8),
                    new String(frame, StandardCharsets.UTF_8));
            count++;
        }
        assertEquals(EVERYTHING.size() + 1, count);
    }

    /** The chain by its definition, computed by hand. */
    @Test
    void theHashCoversThePreviousOneTheHeaderAndTheFrame() {
        byte[] bytes = JournalEntry.encode(header(1), List.of(EVERYTHING.getFirst()), HASH)
                .bytes();
        int headerEnd = 4 + ByteBuffer.wrap(bytes).getInt();
        Sha256 expected = Sha256.digest(
                HASH.bytes(), Arrays.copyOf(bytes, headerEnd), Arrays.copyOfRange(bytes, headerEnd, bytes.length));

        assertEquals(
                expected,
                JournalEntry.encode(header(1), List.of(EVERYTHING.getFirst()), HASH)
                        .hash());
    }

    @Test
    void everyCutIsRefused() {
        byte[] bytes =
                JournalEntry.encode(header(1), EVERYTHING.subList(0, 3), HASH).bytes();
        int refused = 0;
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            try {
                // A cut between two frames leaves an entry that is shorter: its last hash tells.
                List<Event> events = JournalEntry.decode(cut, 1, HASH);
                assertTrue(events.size() < 3);
            } catch (CorruptEntryException e) {
                refused++;
            }
        }
        assertEquals(bytes.length - 2, refused);
    }

    @Test
    void everyChangedByteIsFound() throws CorruptEntryException {
        JournalEntry entry = JournalEntry.encode(header(1), EVERYTHING.subList(0, 3), HASH);
        for (int at = 0; at < entry.bytes().length; at++) {
            byte[] changed = entry.bytes().clone();
            changed[at] ^= 1;
            try {
                List<Event> events = JournalEntry.decode(changed, 1, HASH);
                assertTrue(!events.getLast().hash().equals(entry.hash()), "byte " + at);
            } catch (CorruptEntryException e) {
                assertTrue(e.getMessage() != null && !e.getMessage().isEmpty());
            }
        }
    }

    @Test
    void refusesWhatIsNoEntry() {
        byte[] good =
                JournalEntry.encode(header(1), EVERYTHING.subList(0, 1), HASH).bytes();
        assertThrows(CorruptEntryException.class, () -> JournalEntry.decode(good, 2, HASH));
        assertThrows(CorruptEntryException.class, () -> JournalEntry.decode(new byte[0], 1, HASH));
        assertThrows(
                CorruptEntryException.class, () -> JournalEntry.decode(Arrays.copyOf(good, good.length + 1), 1, HASH));
        int headerEnd = 4 + ByteBuffer.wrap(good).getInt();
        assertThrows(CorruptEntryException.class, () -> JournalEntry.decode(Arrays.copyOf(good, headerEnd), 1, HASH));
        byte[] huge = good.clone();
        huge[0] = (byte) 0x7f;
        assertThrows(CorruptEntryException.class, () -> JournalEntry.decode(huge, 1, HASH));
        byte[] negative = good.clone();
        negative[0] = (byte) 0x80;
        assertThrows(CorruptEntryException.class, () -> JournalEntry.decode(negative, 1, HASH));
    }

    @Test
    void refusesAnEventOfTheFuture() {
        String text = new String(
                JournalEntry.encode(header(1), List.of(new EventBody.ActivationSkipped(A)), HASH)
                        .bytes(),
                StandardCharsets.ISO_8859_1);
        byte[] future = text.replace("\"ActivationSkipped\",\"v\":1", "\"ActivationSkipped\",\"v\":2")
                .getBytes(StandardCharsets.ISO_8859_1);

        CorruptEntryException refused =
                assertThrows(CorruptEntryException.class, () -> JournalEntry.decode(future, 1, HASH));
        assertTrue(refused.toString().contains("version 2"), refused.toString());
    }

    /** enterprise.md §3: all of the envelope, always. */
    @Test
    void thePublicViewHasTheWholeEnvelope() throws CorruptEntryException {
        JournalEntry entry =
                JournalEntry.encode(header(1), List.of(new EventBody.TimerFired(new TimerId("t"), 1)), HASH);
        Event event = JournalEntry.decode(entry.bytes(), 1, HASH).getFirst();

        JsonObject json = EventJson.of(event);

        for (String field : List.of(
                "tenant_id",
                "workflow_type",
                "type_version",
                "workflow_id",
                "run_id",
                "event_id",
                "sequence_number",
                "prev_hash",
                "hash",
                "event_time",
                "effective_time",
                "actor",
                "auth_context_ref",
                "idempotency_key",
                "causation_id",
                "correlation_id",
                "schema_version")) {
            assertTrue(json.find(field).isPresent(), field);
        }
        assertEquals(new JsonString("TimerFired"), json.get("kind"));
        assertEquals(JsonObject.builder().put("generation", 1).put("timer", "t").build(), json.get("body"));
        assertEquals(Optional.empty(), json.find("integrity_signature"));
        assertEquals(new JsonString("user:ada:lovelace"), json.get("actor"));
    }

    @Test
    void timesAreStoredToTheMicrosecond() {
        assertEquals("2026-11-27T12:00:00.000000Z", Times.write(Instant.parse("2026-11-27T12:00:00Z")));
        assertEquals(
                Instant.parse("2026-11-27T12:00:00.000001Z"),
                Times.storable(Instant.parse("2026-11-27T12:00:00.000001999Z")));
        assertEquals(Times.LAST, Times.storable(Instant.MAX));
        assertEquals("0000-01-01T00:00:00.000000Z", Times.write(Times.storable(Instant.MIN)));
        assertThrows(IllegalArgumentException.class, () -> Times.read("yesterday"));
    }
}
