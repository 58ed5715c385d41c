package dev.flowstone.kernel.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonShapeException;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is stored, byte by byte, and what is refused. */
final class JournalEntryTest {
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
                EventExamples.EVERYTHING.stream().map(Object::getClass).collect(Collectors.toSet()),
                "a new kind of event needs an example here");
        JournalEntry entry = JournalEntry.encode(header(5), EventExamples.EVERYTHING, EventExamples.HASH);

        List<Event> events = JournalEntry.decode(entry.bytes(), 5, EventExamples.HASH);

        assertEquals(EventExamples.EVERYTHING, events.stream().map(Event::body).toList());
        assertEquals(header(5), events.getFirst().header());
        assertEquals(5, entry.firstSequence());
        assertEquals(entry.lastSequence(), events.getLast().sequence());
        assertEquals(entry.hash(), events.getLast().hash());
        assertEquals(EventExamples.HASH, events.getFirst().previousHash());
    }

    /** The records under a sealed interface, at any depth. */
    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isInterface()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(JournalEntryTest::kinds)
                : Stream.of(type);
    }

    @Test
    void everyFrameIsCanonical() throws JsonSyntaxException {
        byte[] bytes = JournalEntry.encode(header(1), EventExamples.EVERYTHING, Sha256.ZERO)
                .bytes();
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
        assertEquals(EventExamples.EVERYTHING.size() + 1, count);
    }

    /** The chain by its definition, computed by hand. */
    @Test
    void theHashCoversThePreviousOneTheHeaderAndTheFrame() {
        byte[] bytes = JournalEntry.encode(header(1), List.of(EventExamples.EVERYTHING.getFirst()), EventExamples.HASH)
                .bytes();
        int headerEnd = 4 + ByteBuffer.wrap(bytes).getInt();
        Sha256 expected = Sha256.digest(
                EventExamples.HASH.bytes(),
                Arrays.copyOf(bytes, headerEnd),
                Arrays.copyOfRange(bytes, headerEnd, bytes.length));

        assertEquals(
                expected,
                JournalEntry.encode(header(1), List.of(EventExamples.EVERYTHING.getFirst()), EventExamples.HASH)
                        .hash());
    }

    @Test
    void everyCutIsRefused() {
        byte[] bytes = JournalEntry.encode(header(1), EventExamples.EVERYTHING.subList(0, 3), EventExamples.HASH)
                .bytes();
        int refused = 0;
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            try {
                // A cut between two frames leaves an entry that is shorter: its last hash tells.
                List<Event> events = JournalEntry.decode(cut, 1, EventExamples.HASH);
                assertTrue(events.size() < 3);
            } catch (CorruptEntryException e) {
                refused++;
            }
        }
        assertEquals(bytes.length - 2, refused);
    }

    @Test
    void everyChangedByteIsFound() throws CorruptEntryException {
        JournalEntry entry = JournalEntry.encode(header(1), EventExamples.EVERYTHING.subList(0, 3), EventExamples.HASH);
        for (int at = 0; at < entry.bytes().length; at++) {
            byte[] changed = entry.bytes().clone();
            changed[at] ^= 1;
            try {
                List<Event> events = JournalEntry.decode(changed, 1, EventExamples.HASH);
                assertTrue(!events.getLast().hash().equals(entry.hash()), "byte " + at);
            } catch (CorruptEntryException e) {
                assertTrue(e.getMessage() != null && !e.getMessage().isEmpty());
            }
        }
    }

    @Test
    void refusesWhatIsNoEntry() {
        byte[] good = JournalEntry.encode(header(1), EventExamples.EVERYTHING.subList(0, 1), EventExamples.HASH)
                .bytes();
        assertThrows(CorruptEntryException.class, () -> JournalEntry.decode(good, 2, EventExamples.HASH));
        assertThrows(CorruptEntryException.class, () -> JournalEntry.decode(new byte[0], 1, EventExamples.HASH));
        assertThrows(
                CorruptEntryException.class,
                () -> JournalEntry.decode(Arrays.copyOf(good, good.length + 1), 1, EventExamples.HASH));
        int headerEnd = 4 + ByteBuffer.wrap(good).getInt();
        assertThrows(
                CorruptEntryException.class,
                () -> JournalEntry.decode(Arrays.copyOf(good, headerEnd), 1, EventExamples.HASH));
        byte[] huge = good.clone();
        huge[0] = (byte) 0x7f;
        assertThrows(CorruptEntryException.class, () -> JournalEntry.decode(huge, 1, EventExamples.HASH));
        byte[] negative = good.clone();
        negative[0] = (byte) 0x80;
        assertThrows(CorruptEntryException.class, () -> JournalEntry.decode(negative, 1, EventExamples.HASH));
    }

    @Test
    void refusesAnEventOfTheFuture() {
        String text = new String(
                JournalEntry.encode(
                                header(1),
                                List.of(new EventBody.ActivationSkipped(EventExamples.A)),
                                EventExamples.HASH)
                        .bytes(),
                StandardCharsets.ISO_8859_1);
        byte[] future = text.replace("\"ActivationSkipped\",\"v\":1", "\"ActivationSkipped\",\"v\":2")
                .getBytes(StandardCharsets.ISO_8859_1);

        NewerEntryException refused =
                assertThrows(NewerEntryException.class, () -> JournalEntry.decode(future, 1, EventExamples.HASH));
        assertTrue(refused.toString().contains("version 2"), refused.toString());
    }

    /** By it those who keep the hash can tell a later release's work from damage. */
    @Test
    void whatIsOfTheFutureHasItsHashAllTheSame() throws Exception {
        JournalEntry known = JournalEntry.encode(
                header(1),
                List.of(
                        new EventBody.ActivationSkipped(EventExamples.A),
                        new EventBody.ActivationSkipped(EventExamples.A)),
                EventExamples.HASH);
        byte[] future = new String(known.bytes(), StandardCharsets.ISO_8859_1)
                .replaceFirst("\"v\":1,\"version\":3", "\"v\":2,\"version\":3")
                .getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer frames = ByteBuffer.wrap(future);
        byte[] header = frame(frames);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] hash = EventExamples.HASH.bytes();
        while (frames.hasRemaining()) {
            digest.update(hash);
            digest.update(header);
            hash = digest.digest(frame(frames));
        }

        NewerEntryException refused =
                assertThrows(NewerEntryException.class, () -> JournalEntry.decode(future, 1, EventExamples.HASH));

        assertEquals(Sha256.ofBytes(hash), refused.hash());
    }

    /** With its length. */
    private static byte[] frame(ByteBuffer frames) {
        byte[] frame = new byte[4 + frames.getInt(frames.position())];
        frames.get(frame);
        return frame;
    }

    /** enterprise.md §3: all of the envelope, always. */
    @Test
    void thePublicViewOfEveryEventIsReadAgain() throws CorruptEntryException {
        JournalEntry entry = JournalEntry.encode(header(1), EventExamples.EVERYTHING, EventExamples.HASH);
        for (Event event : JournalEntry.decode(entry.bytes(), 1, EventExamples.HASH)) {
            JsonObject told = EventJson.of(event);
            Event read = EventJson.read(told).orElseThrow();
            assertEquals(event.body(), read.body());
            assertEquals(told, EventJson.of(read));
        }
    }

    @Test
    void ofALaterReleasesViewNothingIsRead() throws CorruptEntryException {
        JournalEntry entry = JournalEntry.encode(
                header(1), List.of(new EventBody.TimerFired(new TimerId("t"), 1)), EventExamples.HASH);
        Map<String, JsonValue> told =
                new LinkedHashMap<>(EventJson.of(JournalEntry.decode(entry.bytes(), 1, EventExamples.HASH)
                                .getFirst())
                        .members());
        told.put("kind_version", JsonNumber.of(99));
        assertTrue(EventJson.read(JsonObject.of(told)).isEmpty());
        told.remove("run_id");
        assertThrows(JsonShapeException.class, () -> EventJson.read(JsonObject.of(told)));
    }

    @Test
    void thePublicViewHasTheWholeEnvelope() throws CorruptEntryException {
        JournalEntry entry = JournalEntry.encode(
                header(1), List.of(new EventBody.TimerFired(new TimerId("t"), 1)), EventExamples.HASH);
        Event event = JournalEntry.decode(entry.bytes(), 1, EventExamples.HASH).getFirst();

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
