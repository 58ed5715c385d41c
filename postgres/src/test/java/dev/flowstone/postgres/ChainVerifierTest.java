package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.verify.ChainFault;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.engine.verify.EntrySource.EntryKey;
import dev.flowstone.engine.verify.EntrySource.Headless;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever a person with the superuser's password changes in the journal is found. */
final class ChainVerifierTest extends PostgresTest {
    private static final int ENTRIES = 4;
    private static final int EVENTS_EACH = 3;

    private final List<RunKey> runs = new ArrayList<>();

    @BeforeEach
    void someRuns() throws Exception {
        Lease lease = lease(0);
        for (int i = 0; i < 6; i++) {
            RunKey key = Moves.run(lease, i % 2 == 0 ? Moves.ACME : Moves.OTHER, Instant.now());
            runs.add(key);
            journal().commit(Moves.commit(lease, move(key)));
        }
    }

    private static RunMove move(RunKey key) {
        List<JournalEntry> entries = new ArrayList<>();
        Sha256 hash = Sha256.ZERO;
        Instant time = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        for (int i = 0; i < ENTRIES; i++) {
            EventHeader header = new EventHeader(
                    1,
                    key.tenant(),
                    new WorkflowId("w"),
                    1,
                    key.run(),
                    1 + (long) i * EVENTS_EACH,
                    time,
                    Optional.empty(),
                    Actor.ENGINE,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    "c");
            List<EventBody> bodies = new ArrayList<>();
            for (int event = 0; event < EVENTS_EACH; event++) {
                bodies.add(new EventBody.ContinueScheduled());
            }
            JournalEntry entry = JournalEntry.encode(header, bodies, hash);
            entries.add(entry);
            hash = entry.hash();
        }
        return new RunMove(
                key,
                new WorkflowId("w"),
                1,
                Sha256.ZERO,
                "c",
                0,
                entries,
                RunStatus.RUNNING,
                false,
                time,
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    private ChainVerifier verifier() {
        return new ChainVerifier(opened().entrySource());
    }

    private void tamper(String sql) throws Exception {
        admin(
                "SET session_replication_role = replica",
                "DO $$ DECLARE t regclass; BEGIN"
                        + " FOR t IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'flowstone.entries'::regclass"
                        + " LOOP EXECUTE format('ALTER TABLE %s DISABLE TRIGGER ALL', t); END LOOP;"
                        + " ALTER TABLE flowstone.entries DISABLE TRIGGER ALL; END $$",
                sql);
    }

    /** Found by all three ways of asking, at the same place. */
    private ChainFault fault(RunKey run) throws Exception {
        ChainReport all = verifier().all();
        assertFalse(all.whole());
        assertEquals(all.fault(), verifier().run(run).fault());
        assertEquals(
                all.fault(),
                new ChainVerifier(EntrySource.of(opened().ports().runs(), run.tenant()))
                        .all()
                        .fault());
        ChainFault fault = all.fault().orElseThrow();
        assertEquals(run, fault.run());
        return fault;
    }

    private static String where(RunKey run, int entry) {
        return " WHERE run_id = '" + run.run() + "' AND first_seq = " + (1 + entry * EVENTS_EACH);
    }

    @Test
    void aWholeJournalIsWhole() throws Exception {
        assertEquals(
                new ChainReport(6, 6L * ENTRIES * EVENTS_EACH, Optional.empty()),
                verifier().all());
        assertEquals(
                new ChainReport(1, (long) ENTRIES * EVENTS_EACH, Optional.empty()),
                verifier().run(runs.getFirst()));
        assertEquals(
                3,
                new ChainVerifier(EntrySource.of(opened().ports().runs(), Moves.ACME))
                        .all()
                        .runs());
    }

    @Test
    void aChangedByteInAnyEntryIsFoundAtItsEntry() throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        RunKey run = runs.get(2);
        for (int entry = 0; entry < ENTRIES; entry++) {
            long length = number("SELECT octet_length(bytes) FROM flowstone.entries" + where(run, entry));
            for (int i = 0; i < 8; i++) {
                long at = random.nextLong(length);
                int flip = 1 << random.nextInt(8);
                String change = "UPDATE flowstone.entries SET bytes = set_byte(bytes, " + at + ", get_byte(bytes, " + at
                        + ") # " + flip + ")" + where(run, entry);
                tamper(change);
                assertEquals(1 + (long) entry * EVENTS_EACH, fault(run).sequence(), change);
                tamper(change); // and back
            }
        }
        assertTrue(verifier().all().whole());
    }

    @Test
    void aChangedHashIsFound() throws Exception {
        tamper("UPDATE flowstone.entries SET hash = set_byte(hash, 31, get_byte(hash, 31) # 1)"
                + where(runs.get(1), 2));
        assertEquals(1 + 2L * EVENTS_EACH, fault(runs.get(1)).sequence());
    }

    @Test
    void missingEntriesAreFoundInTheMiddleAndAtTheEnds() throws Exception {
        for (int entry = 0; entry < ENTRIES; entry++) {
            RunKey run = runs.get(entry);
            tamper("CREATE TABLE public.kept" + entry + " AS SELECT * FROM flowstone.entries" + where(run, entry));
            tamper("DELETE FROM flowstone.entries" + where(run, entry));
            assertEquals(1 + (long) entry * EVENTS_EACH, fault(run).sequence());
            tamper("INSERT INTO flowstone.entries SELECT * FROM public.kept" + entry);
        }
        assertTrue(verifier().all().whole());
    }

    @Test
    void addedRepeatedAndMovedEntriesAreFound() throws Exception {
        RunKey run = runs.get(3);
        long next = 1 + (long) ENTRIES * EVENTS_EACH;
        tamper("INSERT INTO flowstone.entries SELECT tenant, run_id, " + next + ", " + (next + 2)
                + ", bytes, hash FROM flowstone.entries" + where(run, ENTRIES - 1));
        assertEquals(next, fault(run).sequence());
        tamper("DELETE FROM flowstone.entries" + where(run, ENTRIES));

        tamper("INSERT INTO flowstone.entries SELECT tenant, run_id, 2, 3, bytes, hash FROM flowstone.entries"
                + where(run, 0));
        assertEquals(1 + EVENTS_EACH, fault(run).sequence());
        tamper("DELETE FROM flowstone.entries WHERE first_seq = 2");

        RunKey other = runs.get(5);
        tamper("UPDATE flowstone.entries t SET bytes = s.bytes, hash = s.hash FROM flowstone.entries s"
                + " WHERE t.run_id = '" + run.run() + "' AND s.run_id = '" + other.run()
                + "' AND t.first_seq = s.first_seq");
        tamper("UPDATE flowstone.runs t SET last_hash = s.last_hash FROM flowstone.runs s WHERE t.run_id = '"
                + run.run() + "' AND s.run_id = '" + other.run() + "'");
        assertEquals(1, fault(run).sequence(), "another run's chain, whole in itself");
    }

    @Test
    void aRowThatPointsElsewhereIsFound() throws Exception {
        tamper("UPDATE flowstone.runs SET last_hash = set_byte(last_hash, 0, get_byte(last_hash, 0) # 255)"
                + " WHERE run_id = '" + runs.get(4).run() + "'");
        assertEquals(1 + (long) ENTRIES * EVENTS_EACH, fault(runs.get(4)).sequence());
    }

    @Test
    void entriesWithoutARunAreFoundAndARunThatIsNotThere() throws Exception {
        RunKey run = runs.getLast();
        tamper("DELETE FROM flowstone.runs WHERE run_id = '" + run.run() + "'");
        assertEquals(run, verifier().all().fault().orElseThrow().run());
        assertFalse(verifier().run(run).whole());
    }

    @Test
    void entriesWithoutARunAreLookedForInPages() throws Exception {
        RunKey run = runs.getLast();
        tamper("DELETE FROM flowstone.runs WHERE run_id = '" + run.run() + "'");
        Set<RunKey> found = new HashSet<>();
        Optional<EntryKey> after = Optional.empty();
        int pages = 0;
        do {
            Headless page = opened().entrySource().headless(after, 5);
            page.run().ifPresent(found::add);
            after = page.last();
            pages++;
        } while (after.isPresent());

        assertEquals(Set.of(run), found);
        assertEquals(runs.size() * ENTRIES / 5 + 2, pages, "the last one is empty");
    }
}
