package dev.flowstone.kernel.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
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
import dev.flowstone.kernel.payload.Payload;
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

    private static final RunId RUN = RunId.of(Instant.parse("2026-11-27T12:00:00Z"), new Slot(7), 42);
    static final List<EventBody> EVERYTHING = List.of(
            new EventBody.RunStarted(
                    HASH, Optional.of("r-1"), Map.of("trigger", EXACT, "spec", Payload.of(JsonNull.NULL))),
            new EventBody.RunStarted(HASH, Optional.empty(), Map.of()),
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
            new ControlEvent.RunReset(
                    HASH, RUN, 9, JsonObject.builder().put("format", 1).build()),
            new CompensationEvent.CompensationDue(0),
            new CompensationEvent.CompensationBegan(2, 3),
            new CompensationEvent.CompensationScheduled(A.opposite(), HASH),
            new CompensationEvent.CompensationApplied(A.opposite(), 2, EXACT),
            new CompensationEvent.CompensationFailed(A.opposite(), ERROR),
            new CompensationEvent.AttestationRequested("n#-1", A.opposite(), "call the bank"),
            new CompensationEvent.AttestationGiven("n#-1", "called"));

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

    private static Stream<Class<?>> kinds(Class<?> kind) {
        return kind.isInterface()
                ? Stream.of(kind.getPermittedSubclasses()).flatMap(JournalEntryTest::kinds)
                : Stream.of(kind);
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
