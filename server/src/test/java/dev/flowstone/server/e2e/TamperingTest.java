package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.verify.ChainFault;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.engine.verify.EntrySource;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A changed byte in any event of a real run is found, at its run and its decision, and undone it is gone. */
@ExtendWith(SharedHouse.class)
final class TamperingTest {
    private static final String DEFINITION = """
            {"id": "ID", "displayName": "Tampered", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.sometimes-fails", "policies": {"retry": {"maxAttempts": 3, "baseDelayMs": 1}},
               "edges": [{"targetNode": "b", "condition": "trigger.n > 1"}, {"targetNode": "c", "condition": "trigger.nope.x"}]},
              {"id": "b", "actionType": "core.delay", "parameters": {"durationMs": 1}, "edges": [{"targetNode": "d"}]},
              {"id": "c", "actionType": "core.echo", "edges": [{"targetNode": "d"}]},
              {"id": "d", "actionType": "core.fail", "onFailure": "e"}, {"id": "e", "actionType": "core.echo"}]}
            """;

    @Test
    void everyByteOfEveryEntryCounts(House house) throws Exception {
        RunRow row = run(house, "every-byte");
        List<StoredEntry> entries = entries(house, row);
        assertTrue(entries.size() >= 5, () -> entries.size() + " entries");
        EntrySource source = EntrySource.of(house.flowstone().ports().runs(), House.TENANT);
        EntrySource.Head head = source.head(row.key()).orElseThrow();

        for (int at = 0; at < entries.size(); at++) {
            StoredEntry entry = entries.get(at);
            for (int i = 0; i < entry.bytes().length; i++) {
                byte[] changed = entry.bytes().clone();
                changed[i] ^= (byte) (1 << (i % 8));
                List<StoredEntry> with = new ArrayList<>(entries);
                with.set(at, new StoredEntry(entry.firstSequence(), entry.lastSequence(), changed, entry.hash()));
                ChainFault fault = new ChainVerifier(new Held(head, with))
                        .run(row.key())
                        .fault()
                        .orElseThrow();
                assertEquals(row.key(), fault.run());
                assertEquals(entry.firstSequence(), fault.sequence(), "byte " + i);
            }
        }
        assertTrue(new ChainVerifier(new Held(head, entries)).run(row.key()).whole());
    }

    @Test
    void aByteChangedInTheDatabaseIsFoundAndGoneWhenItIsUndone(House house) throws Exception {
        RunRow row = run(house, "changed-byte");
        Random random = new Random(7);
        try (Connection superuser = Tamper.superuser(house)) {
            assertThrows(SQLException.class, () -> Tamper.flip(superuser, row, 1, 0), "the triggers refuse it");
            Tamper.guard(superuser, false);
            for (StoredEntry entry : entries(house, row)) {
                for (int at : positions(entry.bytes(), random)) {
                    Tamper.flip(superuser, row, entry.firstSequence(), at);
                    ChainFault fault = house.verifier().run(row.key()).fault().orElseThrow();
                    assertEquals(row.key(), fault.run());
                    assertEquals(entry.firstSequence(), fault.sequence(), "byte " + at);
                    assertEquals(Optional.of(fault), house.verifier().all().fault());
                    assertThrows(
                            CorruptHistoryException.class,
                            () -> house.flowstone()
                                    .history()
                                    .replay(House.TENANT, row.key().run(), 1, event -> {}));
                    Tamper.flip(superuser, row, entry.firstSequence(), at);
                }
            }
            Tamper.guard(superuser, true);
            assertThrows(SQLException.class, () -> Tamper.flip(superuser, row, 1, 0), "the triggers refuse it again");
        }
        assertTrue(house.verifier().run(row.key()).whole());
        assertTrue(house.verifier().all().whole());
    }

    /** A browser that follows it is told once, and then to come no more; mended, it can be followed on. */
    @Test
    void whoFollowsADamagedExecutionIsToldOnce(House house) throws Exception {
        RunRow row = run(house, "followed");
        String stream = "/executions/" + row.key().run() + "/stream";
        StoredEntry second = entries(house, row).get(1);
        String id = second.firstSequence() + ".damaged";
        try (Connection superuser = Tamper.superuser(house)) {
            Tamper.guard(superuser, false);
            Tamper.flip(superuser, row, second.firstSequence(), 0);
            try {
                String told = house.get(stream).expect(200).text();
                assertTrue(told.contains("id: " + (second.firstSequence() - 1) + "\n"), told);
                assertTrue(told.contains("id: " + id + "\nevent: damaged\ndata: {"), told);
                assertTrue(told.endsWith("event: end\ndata: {}\n\n"), told);
                house.get(stream, "Last-Event-ID", id).expect(204);
            } finally {
                Tamper.flip(superuser, row, second.firstSequence(), 0);
                Tamper.guard(superuser, true);
            }
        }
        String rest = house.get(stream, "Last-Event-ID", id).expect(200).text();
        assertTrue(rest.contains("\n\nid: " + second.firstSequence() + "\n"), rest);
        assertTrue(rest.endsWith("event: end\ndata: {\"status\":\"Succeeded\"}\n\n"), rest);
    }

    private static RunRow run(House house, String id) throws Exception {
        house.publish(DEFINITION.replace("\"ID\"", "\"" + id + "\""));
        return house.run(id, "{\"trigger\": {\"n\": 7615917337495251231}}");
    }

    private static List<StoredEntry> entries(House house, RunRow row) throws JournalException {
        return house.flowstone().ports().runs().entries(House.TENANT, row.key().run(), 1, 1_000);
    }

    /** First and last byte; length, first and last byte of the header and of each event; and some at random. */
    private static Iterable<Integer> positions(byte[] entry, Random random) {
        TreeSet<Integer> positions = new TreeSet<>();
        ByteBuffer frames = ByteBuffer.wrap(entry);
        while (frames.hasRemaining()) {
            int frame = frames.position();
            int length = frames.getInt();
            positions.addAll(List.of(frame, frame + 3, frame + 4, frame + 3 + length));
            frames.position(frame + 4 + length);
        }
        for (int i = 0; i < 3; i++) {
            positions.add(random.nextInt(entry.length));
        }
        return positions;
    }

    /** One run's entries, as somebody would like them to be. */
    private record Held(EntrySource.Head head, List<StoredEntry> all) implements EntrySource {
        @Override
        public List<EntrySource.Head> heads(Optional<RunKey> after, int limit) {
            return after.isPresent() ? List.of() : List.of(head);
        }

        @Override
        public Optional<EntrySource.Head> head(RunKey run) {
            return Optional.of(head);
        }

        @Override
        public List<StoredEntry> entries(RunKey run, long afterSequence, int limit) {
            return all.stream()
                    .filter(it -> it.firstSequence() > afterSequence)
                    .limit(limit)
                    .toList();
        }
    }
}
