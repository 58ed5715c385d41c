package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.Outbox.Settlement;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A shard's loop meets no row of another shard: so its tables can be spread by slots, and what it does stays in one place. The
 * database itself stands guard, by a policy that fails at any row that isn't the shard's, as soon as a statement gets to see
 * one beyond its index and its comparisons.
 */
final class OneShardTest extends PostgresTest {
    /** Each row says to which slot it belongs. */
    private static final List<String> BY_SLOT = List.of(
            "runs",
            "receipts",
            "timers",
            "outbox",
            "inbox",
            "letters",
            "human_tasks",
            "subjects",
            "subject_windows",
            "dead_letters",
            "trigger_schedules",
            "trigger_ticks");

    /** Each row belongs to a run, whose id has its slot in it. */
    private static final List<String> BY_RUN =
            List.of("entries", "snapshots", "human_task_parties", "outbox_attempts", "outbox_deeds");

    /** Of a shard's stream. */
    private static final List<String> BY_STREAM = List.of("feed", "run_counts", "run_count_changes", "trigger_cursors");

    private static final List<String> BY_SHARD = List.of("epochs", "heartbeats", "setting_acks");

    /** By what they hold, whoever wrote it first: the one exception on the way of a commit. */
    private static final List<String> BY_CONTENT = List.of("payloads", "programs");

    /** Small, and written by people, or by who sends something in; not by runs. */
    private static final List<String> FOR_ALL = List.of(
            "shards",
            "nodes",
            "compatibility",
            "posted_calls",
            "subscriptions",
            "subscription_cursors",
            "subscription_deeds",
            "dead_letter_deeds",
            "settings",
            "triggers",
            "trigger_secrets",
            "trigger_requests",
            "trigger_events",
            "triggers_off",
            "template_sets",
            "templates",
            "template_versions",
            "template_versions_off",
            "catalog_connectors",
            "catalog_actions",
            "catalog_nodes",
            "catalog_offers",
            "catalog_switches",
            "workflow_templates",
            "workflow_template_versions",
            "trigger_deliveries",
            "workflows",
            "workflow_versions",
            "policies",
            "archives",
            "archived_tenants",
            "archiving",
            "flyway_schema_history");

    private static final String TABLES = """
            SELECT relname FROM pg_class
            WHERE relnamespace = 'flowstone'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
            """;

    /** Shard 0 of two has the lower half of the slots. */
    private static final String MINE = """
            CREATE FUNCTION public.mine(slot integer) RETURNS boolean LANGUAGE plpgsql AS $$
            BEGIN
                IF slot BETWEEN 0 AND 2047 THEN
                    RETURN true;
                END IF;
                RAISE EXCEPTION 'a row of slot % was looked at', slot;
            END $$
            """;

    private static final String SLOT_OF_RUN =
            "(get_byte(uuid_send(run_id), 6) & 15) * 256 + get_byte(uuid_send(run_id), 7)";

    /** A new table is spread, or it isn't: somebody has to say how. */
    @Test
    void everyTableHasItsPlace() throws SQLException {
        Set<String> placed = new TreeSet<>();
        Stream.of(BY_SLOT, BY_RUN, BY_STREAM, BY_SHARD, BY_CONTENT, FOR_ALL).forEach(placed::addAll);
        Set<String> there = new TreeSet<>();
        try (Connection connection = TestServer.admin(config());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(TABLES)) {
            while (rows.next()) {
                there.add(rows.getString(1));
            }
        }
        assertEquals(there, placed);
    }

    @Test
    void whatAShardDoesMeetsNoRowOfAnother() throws Exception {
        Lease mine = lease(0);
        RunKey theirs = stories(opened(), lease(1));
        stories(opened(), mine);
        guard();

        try (PostgresPorts guarded = PostgresPorts.open(config())) {
            RunKey run = stories(guarded, mine);
            read(guarded, mine, run);
            deliver(guarded, mine);
            for (int i = 0; i < 130; i++) {
                commit(guarded, mine, Moves.full(Moves.run(mine), 0)); // counts are folded at each 64th
            }
            assertTrue(
                    guarded.ports().leases().renew(mine, Duration.ofMinutes(5)).isPresent());
            guarded.ports().settings().acknowledge(mine, 1);
            assertTrue(guarded.ports().runs().run(theirs.tenant(), theirs.run()).isPresent(), "people are shown all");
        }
    }

    /** Or the test above would show nothing. */
    @Test
    void theGuardSeesAStatementOfAllShards() throws Exception {
        stories(opened(), lease(1));
        guard();

        for (String table : List.of("runs", "entries", "timers", "inbox", "letters", "feed", "epochs")) {
            try (Connection engine = TestServer.engine(config())) {
                SQLException seen = assertThrows(
                        SQLException.class, () -> number(engine, "SELECT count(*) FROM flowstone." + table));
                assertTrue(String.valueOf(seen.getMessage()).contains("was looked at"), seen::getMessage);
            }
        }
    }

    private void guard() throws SQLException {
        String engine = config().roles().engine();
        List<String> statements = new ArrayList<>();
        statements.add(MINE);
        // On tables as small as these it would look at all of them rather than into an index.
        String alter = "ALTER ROLE " + engine + " IN DATABASE " + TestServer.name(config()) + " SET ";
        for (String way : List.of("enable_seqscan", "enable_hashjoin", "enable_mergejoin")) {
            statements.add(alter + way + " = off");
        }
        BY_SLOT.forEach(table -> statements.add(policy(engine, table, "slot")));
        BY_RUN.forEach(table -> statements.add(policy(engine, table, SLOT_OF_RUN)));
        BY_STREAM.forEach(table -> statements.add(policy(engine, table, "stream * 2048")));
        for (String table : BY_SHARD) {
            statements.add("ALTER TABLE flowstone." + table + " ENABLE ROW LEVEL SECURITY");
            statements.add("CREATE POLICY all_of_it ON flowstone." + table + " TO " + engine + " USING (true)");
            statements.add(policy(engine, table, "shard * 2048"));
        }
        admin(statements.toArray(String[]::new));
    }

    private static String policy(String engine, String table, String slot) {
        return "CREATE POLICY guard ON flowstone." + table + " AS RESTRICTIVE TO " + engine + " USING (public.mine("
                + slot + "))";
    }

    /** Of everything that a shard keeps, something. */
    private RunKey stories(PostgresPorts ports, Lease lease) throws Exception {
        RunKey run = Moves.run(lease);
        commit(ports, lease, Moves.full(run, 0));
        commit(ports, lease, Moves.full(run, 1));
        commit(ports, lease, Moves.full(Moves.run(lease), 0));
        int slot = run.run().slot().number();
        admin(
                "INSERT INTO flowstone.timers (tenant, run_id, timer_id, slot, generation, due_at) VALUES ('acme', '"
                        + run.run() + "', 'hold', " + slot + ", 1, now())",
                "INSERT INTO flowstone.subjects (tenant, kind, id, slot, version) VALUES ('acme', 'order', '"
                        + run.run() + "', " + slot + ", 1)");
        assertTrue(ports.ports().inbox().accept(message(run)));
        return run;
    }

    private static InboxMessage message(RunKey run) {
        InboxKey key = new InboxKey(run.tenant(), "test", "m-" + run.run());
        return new InboxMessage(key, run.run(), "test", JsonObject.EMPTY, Instant.now());
    }

    private static void commit(PostgresPorts ports, Lease lease, RunMove move) throws JournalException {
        assertEquals(
                1,
                ports.ports()
                        .journal()
                        .commit(Moves.commit(lease, move))
                        .moved()
                        .size());
    }

    private static void read(PostgresPorts ports, Lease lease, RunKey run) throws Exception {
        Journal journal = ports.ports().journal();
        ShardId shard = lease.shard().id();
        RunMove known = Moves.full(run, 1);
        Subject order = new Subject("order", run.run().toString());
        Instant later = Instant.now().plusSeconds(60);

        assertEquals(1, journal.load(shard, List.of(run)).size());
        assertEquals(1, journal.loadWhole(shard, List.of(run)).size());
        assertEquals(
                1,
                journal.receipts(
                                shard,
                                known.receipts().stream().map(Receipt::key).toList())
                        .size());
        assertEquals(
                1,
                journal.subjects(shard, List.of(new SubjectKey(run.tenant(), order)))
                        .size());
        assertTrue(journal.awake(shard, Optional.empty(), 100).contains(run));
        assertEquals(6, journal.timers(shard, later, Optional.empty(), 100).size());
        assertEquals(2, journal.held(shard, Optional.empty(), 100).size());
        assertEquals(2, journal.inbox(lease, 100).size());
        assertEquals(
                1,
                journal.payloads(
                                run.tenant(),
                                known.payloads().stream()
                                        .map(StoredPayload::hash)
                                        .toList())
                        .size());
        assertEquals(List.of(), journal.resets(run.tenant(), run.run(), 10));
        InboxKey message = message(run).key();
        assertEquals(Set.of(message), ports.ports().transactions().recorded(lease, List.of(message)));
    }

    /** Messages come in, letters are forgotten, effects leave. */
    private static void deliver(PostgresPorts ports, Lease lease) throws JournalException {
        Journal journal = ports.ports().journal();
        ShardId shard = lease.shard().id();
        List<InboxKey> consumed = journal.inbox(lease, 100).stream()
                .map(InboxMessage::key)
                .sorted()
                .toList();
        List<LetterKey> letters = journal.letters(shard, Optional.empty(), 100).stream()
                .map(Letter::key)
                .toList();
        assertEquals(6, letters.size());
        var _ = journal.commit(new Commit(lease, List.of(), consumed, letters));
        assertEquals(List.of(), journal.inbox(lease, 100));
        assertEquals(List.of(), journal.letters(shard, Optional.empty(), 100));

        Outbox outbox = ports.ports().outbox();
        Instant later = Instant.now().plusSeconds(60);
        List<Outbox.Pending> due = outbox.due(lease, later, 100);
        assertEquals(6, due.size());
        Outbox.Evidence evidence = new Outbox.Evidence(later, Duration.ofMillis(12), Optional.of(200));
        outbox.settle(
                lease,
                List.of(
                        new Settlement.Delivered(due.getFirst(), evidence),
                        new Settlement.Postponed(due.getLast(), evidence, later.plusSeconds(600), "later")));
        assertEquals(4, outbox.due(lease, later, 100).size());
    }
}
