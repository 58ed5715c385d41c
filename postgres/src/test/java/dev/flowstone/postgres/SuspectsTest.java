package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.flowstone.engine.stuck.Place;
import dev.flowstone.engine.stuck.Scan;
import dev.flowstone.engine.stuck.Suspects;
import dev.flowstone.engine.stuck.Suspects.Looked;
import dev.flowstone.engine.stuck.Suspects.Suspect;
import dev.flowstone.kernel.id.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Rows that tell of runs that stand still are found page by page along their indexes, and others are passed by. Of 5,000 runs of
 * each kind each thousandth is suspicious, from the 500th on.
 */
final class SuspectsTest extends PostgresTest {
    private static final int RUNS = 5_000;
    private static final Duration AFTER = Duration.ofMinutes(15);

    /** Runs are looked at in pages of so many rows, each of which is looked up in up to two other tables. */
    private static final long MOST_OF_RUNS = 2 * 2_000 + 3 * 2_000 + 100;

    private static final long MOST_OF_OTHERS = 200;

    /** Number i of a kind. */
    private static final String ID =
            "(lpad(to_hex(1750000000000 + %s * 100000 + i), 12, '0') || '7000a000000000000000')::uuid";

    private static final String SUSPICIOUS = "mod(i, 1000) = 500";

    private HikariDataSource pool;
    private Suspects suspects;

    /** The fields are filled before each test. */
    @SuppressWarnings("NullAway.Init")
    SuspectsTest() {}

    @AfterEach
    void done() {
        pool.close();
    }

    @BeforeEach
    void fill() throws Exception {
        pool = Pools.beside(config(), Passwords.of(config()).engine());
        suspects = new PostgresSuspects(new Database(pool));
        List<String> all = new ArrayList<>();
        // Waits for a timer, or for nobody that the tables know; in both of them one that has moved just now.
        all.add(runs(1, "RUNNING", "false", "interval '1 hour'"));
        all.add("INSERT INTO flowstone.timers SELECT 'acme', " + ID.formatted(1)
                + ", 'wait#1', 0, 1, now() + interval '1 day' FROM generate_series(1, " + RUNS + ") i WHERE NOT "
                + SUSPICIOUS + " AND mod(i, 2) = 0");
        all.add(
                "INSERT INTO flowstone.human_tasks (tenant, run_id, activation, slot, workflow, opened_at, assignees, content)"
                        + " SELECT 'acme', " + ID.formatted(1)
                        + ", 'ask#1', 0, 'w', now(), ARRAY['role:x'], '{}' FROM generate_series(1, " + RUNS
                        + ") i WHERE NOT " + SUSPICIOUS + " AND mod(i, 2) = 1");
        all.add(runs(
                2, "FAILING", "true", "CASE WHEN " + SUSPICIOUS + " THEN interval '1 hour' ELSE interval '1 s' END"));
        all.add(runs(3, "SUCCEEDED", "false", "interval '1 hour'"));
        all.add("INSERT INTO flowstone.timers SELECT 'acme', " + ID.formatted(3)
                + ", 'wait#1', 0, 1, now() + CASE WHEN " + SUSPICIOUS
                + " THEN - interval '1 hour' ELSE interval '1 s' END FROM generate_series(1, " + RUNS + ") i");
        all.add("INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at, consumed)"
                + " SELECT 'acme', 's', 'k' || i, " + ID.formatted(3)
                + ", 0, 'k', '{}', now() - interval '1 hour', NOT "
                + SUSPICIOUS + " FROM generate_series(1, " + RUNS + ") i");
        all.add("INSERT INTO flowstone.letters SELECT 0, 'acme', " + ID.formatted(3) + ", 1, " + ID.formatted(1)
                + ", convert_to('{\"sentAt\":\"2026-01-0' || 1 + i / 1000 || 'T00:00:00Z\"}', 'UTF8')"
                + " FROM generate_series(1, " + RUNS + ") i WHERE " + SUSPICIOUS);
        all.add("INSERT INTO flowstone.runs SELECT 'other', run_id, slot, version, started_at, workflow, program,"
                + " correlation, last_seq, last_hash, updated_at, ended_at, awake, status FROM flowstone.runs");
        all.add("ANALYZE flowstone.runs, flowstone.timers, flowstone.human_tasks, flowstone.inbox, flowstone.letters");
        admin(all.toArray(String[]::new));
    }

    private static String runs(int kind, String status, String awake, String idle) {
        return "INSERT INTO flowstone.runs (tenant, run_id, slot, version, started_at, workflow, program, correlation,"
                + " last_seq, last_hash, updated_at, ended_at, awake, status) SELECT 'acme', " + ID.formatted(kind)
                + ", 0, 1, now(), 'w', sha256(''), '', 7, sha256(''), now() - " + idle + ", "
                + (status.equals("SUCCEEDED") ? "now()" : "NULL") + ", " + awake + ", '" + status
                + "' FROM generate_series(1, " + RUNS + ") i";
    }

    /** Rows that were read by index, or by going through a whole table; there are so few letters that they may be. */
    private long read(String kind) throws SQLException {
        return number("SELECT sum(" + kind + ") FROM pg_stat_user_tables WHERE relname IN"
                + " ('runs', 'timers', 'human_tasks', 'inbox')");
    }

    private Looked look(Scan scan, String after, int most) throws Exception {
        return suspects.look(Moves.ACME, new Place(scan, after), Instant.now().minus(AFTER), most);
    }

    /** All pages of a scan, each of which costs what it looks at. */
    private List<Suspect> round(Scan scan, int most, long mostRead) throws Exception {
        List<Suspect> found = new ArrayList<>();
        Optional<String> after = Optional.of("");
        for (int page = 0; after.isPresent(); page++) {
            flush();
            long whole = read("seq_tup_read");
            long before = read("coalesce(idx_tup_fetch, 0)");
            Looked looked = look(scan, after.get(), most);
            flush();
            long rows = read("coalesce(idx_tup_fetch, 0)") - before;
            assertEquals(whole, read("seq_tup_read"), scan + " goes through a whole table");
            assertTrue(rows <= mostRead, scan + " reads " + rows + " rows for a page");
            assertTrue(looked.suspects().size() <= most, scan + " shows too many");
            assertTrue(page < 20, scan + " never ends");
            found.addAll(looked.suspects());
            after = looked.next();
        }
        return found;
    }

    /** The one session that asks says what it has read. */
    private void flush() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            run(connection, "SELECT pg_stat_force_next_flush()");
            run(connection, "SELECT 1");
        }
    }

    @Test
    void findsRunsThatSleepWithNothingInTheTables() throws Exception {
        for (int most : new int[] {2, 100}) {
            List<Suspect> found = round(Scan.RUNNING, most, MOST_OF_RUNS);

            assertEquals(5, found.size());
            assertEquals(7, found.getFirst().lastSequence());
            assertEquals("w", found.getFirst().workflow().orElseThrow().value());
            assertTrue(found.getFirst().since().isBefore(Instant.now().minusSeconds(3_000)));
        }
        assertEquals(List.of(), round(Scan.COMPENSATING, 100, MOST_OF_OTHERS));
    }

    @Test
    void findsRunsThatShouldMove() throws Exception {
        for (int most : new int[] {2, 100}) {
            assertEquals(5, round(Scan.AWAKE, most, MOST_OF_RUNS).size());
        }
        assertEquals(List.of(), round(Scan.FAILING, 100, MOST_OF_RUNS), "they are awake");
    }

    @Test
    void findsWhatWaitsForTooLong() throws Exception {
        for (int most : new int[] {2, 100}) {
            assertEquals(
                    List.of("wait#1", "wait#1", "wait#1", "wait#1", "wait#1"),
                    round(Scan.TIMERS, most, MOST_OF_OTHERS).stream()
                            .map(Suspect::what)
                            .toList());
            assertEquals(
                    List.of("s/k1500", "s/k2500", "s/k3500", "s/k4500", "s/k500"),
                    round(Scan.MESSAGES, most, MOST_OF_OTHERS).stream()
                            .map(Suspect::what)
                            .toList());
            List<Suspect> letters = round(Scan.LETTERS, most, MOST_OF_OTHERS);
            assertEquals(5, letters.size());
            assertEquals(
                    Instant.parse("2026-01-01T00:00:00Z"), letters.getFirst().since());
        }
    }

    /** One before and one behind in the order of names, at one time and one after the other. */
    @Test
    void whatWaitsOfOthersIsPassedByInBoundedLooks() throws Exception {
        int rows = Suspects.ROWS + Suspects.ROWS / 2;
        for (String other : List.of("aaaa", "other")) {
            for (String step : List.of("interval '0'", "i * interval '1 microsecond'")) {
                String name = step.length() + "'";
                String times = "now() - interval '2 hours' + " + step + " FROM generate_series(1, " + rows + ") i";
                admin(
                        "INSERT INTO flowstone.timers (tenant, run_id, timer_id, slot, generation, due_at) SELECT '"
                                + other + "', " + ID.formatted(1) + ", 't" + name + ", 0, 1, " + times,
                        "INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, consumed,"
                                + " received_at) SELECT '" + other + "', 's" + name + ", 'k' || i, " + ID.formatted(1)
                                + ", 0, 'k', '{}', false, " + times);
            }
            admin("INSERT INTO flowstone.letters SELECT 0, '" + other + "', " + ID.formatted(3) + ", 1, "
                    + ID.formatted(1) + ", '{}'::bytea FROM generate_series(1, " + rows + ") i");
        }
        admin("ANALYZE flowstone.timers, flowstone.inbox, flowstone.letters");

        for (Scan scan : List.of(Scan.TIMERS, Scan.MESSAGES, Scan.LETTERS)) {
            List<Suspect> found = round(scan, 100, Suspects.ROWS + MOST_OF_OTHERS);
            assertEquals(5, found.size(), scan::name);
            assertEquals(
                    List.of(Moves.ACME),
                    found.stream()
                            .map(suspect -> suspect.run().tenant())
                            .distinct()
                            .toList());
        }
        Looked first = look(Scan.TIMERS, "", 100);
        assertEquals(List.of(), first.suspects());
        assertFalse(first.next().orElseThrow().contains("7000a"), "it names a run of another tenant's");
    }

    @Test
    void aLetterThatCannotBeReadIsOld() throws Exception {
        for (String content : List.of("nonsense", "[]", "{\"sentAt\":\"yesterday\"}")) {
            admin("INSERT INTO flowstone.letters SELECT 4095, 'acme', " + ID.formatted(3) + ", " + content.length()
                    + ", " + ID.formatted(1) + ", convert_to('" + content + "', 'UTF8') FROM generate_series(1, 1) i");
        }

        List<Suspect> found = round(Scan.LETTERS, 2, MOST_OF_OTHERS);

        assertEquals(8, found.size());
        assertEquals(Instant.EPOCH, found.getLast().since());
    }

    @Test
    void tellsNoTenantOfOthers() throws Exception {
        Looked looked = suspects.look(
                new TenantId("other"), new Place(Scan.TIMERS, ""), Instant.now().minus(AFTER), 100);

        assertEquals(List.of(), looked.suspects());
        assertEquals(Optional.of(Moves.ACME), suspects.tenantAfter(""));
        assertEquals(Optional.of(new TenantId("other")), suspects.tenantAfter("acme"));
        assertEquals(Optional.empty(), suspects.tenantAfter("other"));
    }

    @Test
    void aPlaceThatIsNoneIsRefused() {
        for (Scan scan : Scan.values()) {
            assertThrows(IllegalArgumentException.class, () -> look(scan, "nowhere", 10), scan::name);
        }
    }
}
