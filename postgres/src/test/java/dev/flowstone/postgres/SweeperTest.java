package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.Feed;
import dev.flowstone.postgres.Sweeper.Kind;
import dev.flowstone.postgres.Sweeper.Swept;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What has outlived its use goes, piece by piece, and nothing else; nobody waits for that. */
final class SweeperTest extends PostgresTest {
    private static final String RECEIPTS = """
            INSERT INTO flowstone.receipts (tenant, scope, key, slot, request, run_id, answer, expires_at)
            SELECT 'acme', 'start', 'k' || i, 1, sha256(i::text::bytea), gen_random_uuid(), repeat('x', 100)::bytea,
                   now() + CASE WHEN mod(i, 3) = 0 THEN interval '1 hour' ELSE interval '-1 second' END
            FROM generate_series(1, %d) i
            """;

    private Sweeper sweeper() {
        return opened().sweeper(Keeping.DEFAULTS);
    }

    /** A whole round: what it removed, and in how many pieces. */
    private static Map<Kind, Long> round(Sweeper sweeper) throws Exception {
        Map<Kind, Long> removed = new EnumMap<>(Kind.class);
        Swept swept;
        do {
            swept = sweeper.piece();
            removed.merge(swept.kind(), swept.removed(), Long::sum);
        } while (!swept.over());
        return removed;
    }

    @Test
    void anEmptyDatabaseHasNothingToSweep() throws Exception {
        assertEquals(
                Map.of(Kind.RECEIPTS, 0L, Kind.SNAPSHOTS, 0L, Kind.EVIDENCE, 0L, Kind.DELIVERIES, 0L, Kind.FEED, 0L),
                round(sweeper()));
    }

    @Test
    void receiptsGoWhenTheirLifeIsOver() throws Exception {
        admin(RECEIPTS.formatted(3_000));

        assertEquals(2_000, round(sweeper()).get(Kind.RECEIPTS));

        assertEquals(1_000, number("SELECT count(*) FROM flowstone.receipts WHERE expires_at > now()"));
        assertEquals(1_000, number("SELECT count(*) FROM flowstone.receipts"));
    }

    /** A piece reads 256 blocks, so that it is short however large the table is. */
    @Test
    void aLargeTableIsSweptInPieces() throws Exception {
        admin(RECEIPTS.formatted(30_000));
        long blocks = number("SELECT pg_relation_size('flowstone.receipts') / 8192");
        assertTrue(blocks > 600, blocks + " blocks");
        Sweeper sweeper = sweeper();

        Swept first = sweeper.piece();

        assertEquals(Kind.RECEIPTS, first.kind());
        assertTrue(first.removed() > 0 && first.removed() <= 10_000, first.toString());
        assertEquals(20_000, first.removed() + round(sweeper).getOrDefault(Kind.RECEIPTS, 0L));
    }

    /** A commit that writes an expired receipt anew holds it; it must not be waited for, nor taken from it. */
    @Test
    void whatSomebodyHoldsIsLeftForTheNextRound() throws Exception {
        admin(RECEIPTS.formatted(3));
        Sweeper sweeper = sweeper();
        try (Connection other = TestServer.admin(config())) {
            other.setAutoCommit(false);
            run(other, "UPDATE flowstone.receipts SET answer = 'new' WHERE key = 'k1'");

            assertEquals(1, round(sweeper).get(Kind.RECEIPTS));

            run(other, "UPDATE flowstone.receipts SET expires_at = now() + interval '1 hour' WHERE key = 'k1'");
            other.commit();
        }
        assertEquals(0, round(sweeper).get(Kind.RECEIPTS));
        assertEquals(2, number("SELECT count(*) FROM flowstone.receipts"));
    }

    @Test
    void snapshotsGoSomeTimeAfterTheirRunsEnd() throws Exception {
        Lease lease = lease(0);
        journal()
                .commit(Moves.commit(
                        lease,
                        List.of(
                                Moves.full(Moves.run(lease), 0),
                                Moves.full(Moves.run(lease), 0),
                                Moves.full(Moves.run(lease), 0))));
        admin(
                "UPDATE flowstone.runs SET status = 'SUCCEEDED', ended_at = now() - interval '25 hours'"
                        + " WHERE run_id = (SELECT min(run_id::text)::uuid FROM flowstone.runs)",
                "UPDATE flowstone.runs SET status = 'FAILED', ended_at = now() - interval '23 hours'"
                        + " WHERE run_id = (SELECT max(run_id::text)::uuid FROM flowstone.runs)");

        assertEquals(1, round(sweeper()).get(Kind.SNAPSHOTS));

        assertEquals(2, number("SELECT count(*) FROM flowstone.snapshots"));
        assertEquals(
                0,
                number("SELECT count(*) FROM flowstone.snapshots s JOIN flowstone.runs r USING (tenant, run_id)"
                        + " WHERE r.ended_at < now() - interval '24 hours'"));
    }

    /** What came for triggers tells replays, so that it must not go too soon: kept for milliseconds it would let them in again. */
    @Test
    void whatCameForTriggersGoesWhenItIsOld() throws Exception {
        admin("""
                INSERT INTO flowstone.trigger_deliveries (tenant, trigger_id, id, delivery, source, received_at)
                SELECT 'acme', gen_random_uuid(), gen_random_uuid(), 'd', 'webhook', now() - i * interval '2 days'
                FROM generate_series(0, 5) i
                """);
        assertEquals(2, round(sweeper()).get(Kind.DELIVERIES));
        assertEquals(4, number("SELECT count(*) FROM flowstone.trigger_deliveries"));
        Keeping shorter = new Keeping(
                Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(30), Duration.ofDays(7), Duration.ofHours(1));
        admin("UPDATE flowstone.trigger_deliveries SET received_at = now() - interval '55 minutes'"
                + " WHERE received_at > now() - interval '1 day'");
        assertEquals(3, round(opened().sweeper(shorter)).get(Kind.DELIVERIES));
        assertEquals(1, number("SELECT count(*) FROM flowstone.trigger_deliveries"));
    }

    /** Who settles an old one, such as a dead letter that was tried again, is waited for by nobody. */
    @Test
    void whatIsBeingSettledIsPassedOver() throws Exception {
        admin("""
                INSERT INTO flowstone.trigger_deliveries (tenant, trigger_id, id, delivery, source, received_at)
                SELECT 'acme', gen_random_uuid(), gen_random_uuid(), 'd' || i, 'webhook', now() - interval '9 days'
                FROM generate_series(1, 3) i
                """);
        try (Connection other = TestServer.admin(config())) {
            other.setAutoCommit(false);
            run(other, "UPDATE flowstone.trigger_deliveries SET outcome = 'refused' WHERE delivery = 'd2'");

            assertEquals(2, round(sweeper()).get(Kind.DELIVERIES));
            other.rollback();
        }
        assertEquals(1, round(sweeper()).get(Kind.DELIVERIES));
    }

    /** A key stays known while its trigger is there, and a week at least. */
    @Test
    void requestsOfTriggersThatAreGoneGoWhenTheyAreOld() throws Exception {
        admin("""
                INSERT INTO flowstone.workflows (tenant, workflow, display_name, status, enabled, current_version, latest_version,
                                                 draft, created_at, updated_at, revision)
                VALUES ('acme', 'order', 'Order', 'DRAFT', false, 0, 0, '{}', now(), now(), 1)
                """, """
                INSERT INTO flowstone.triggers (tenant, id, workflow, kind, enabled, config, revision, created_at, created_by,
                                                changed_at, changed_by)
                VALUES ('acme', '00000000-0000-4000-8000-000000000000', 'order', 'manual', true, '{}', 1, now(), 'user:ann',
                        now(), 'user:ann')
                """, """
                INSERT INTO flowstone.trigger_requests (tenant, key, request, trigger_id, made_at)
                SELECT 'acme', sha256(i::text::bytea), sha256('r'), CASE WHEN i = 1
                       THEN '00000000-0000-4000-8000-000000000000' ELSE gen_random_uuid() END,
                       now() - interval '6 days' - CASE WHEN i < 4 THEN interval '2 days' ELSE interval '0' END
                FROM generate_series(1, 5) i
                """);
        assertEquals(2, round(sweeper()).get(Kind.RECEIPTS));
        assertEquals(3, number("SELECT count(*) FROM flowstone.trigger_requests"));
        assertEquals(
                1,
                number("SELECT count(*) FROM flowstone.trigger_requests"
                        + " WHERE trigger_id = '00000000-0000-4000-8000-000000000000'"));
    }

    @Test
    void evidenceOfDeliveriesGoesWhenItIsOld() throws Exception {
        admin("""
                INSERT INTO flowstone.outbox_attempts
                    (tenant, run_id, cause_seq, ordinal, attempt, destination, begun_at, took_ms, outcome)
                SELECT 'acme', gen_random_uuid(), 1, 0, 1, 'mail', now() - i * interval '10 days', 1, 'delivered'
                FROM generate_series(1, 6) i
                """);

        assertEquals(4, round(sweeper()).get(Kind.EVIDENCE));
        assertEquals(2, number("SELECT count(*) FROM flowstone.outbox_attempts"));
    }

    /** One that lies behind a clock's jump is not removed before its elders: there is never a gap. */
    @Test
    void theFeedLosesItsOldestRowsAndNeverItsNewest() throws Exception {
        Lease lease = lease(0);
        for (int i = 0; i < 6; i++) {
            journal().commit(Moves.commit(lease, List.of(Moves.plain(Moves.run(lease), 0))));
        }
        int stream = lease.shard().stream();
        admin("UPDATE flowstone.feed SET committed_at = now() - interval '8 days' WHERE number IN (1, 2, 4)");
        Sweeper sweeper = sweeper();

        assertEquals(2, round(sweeper).get(Kind.FEED));
        assertEquals(Map.of(stream, 3L), opened().ports().feed().first(List.of(stream)));
        admin("UPDATE flowstone.feed SET committed_at = now() - interval '8 days'");
        assertEquals(3, round(sweeper).get(Kind.FEED));

        assertEquals(
                List.of(6L),
                opened().ports().feed().read(stream, 0, 10).stream()
                        .map(Feed.FeedRow::number)
                        .toList());
        assertEquals(
                7,
                journal()
                        .commit(Moves.commit(lease, List.of(Moves.plain(Moves.run(lease), 0))))
                        .feedNumber());
    }

    /** What a subscription has yet to send stays longer, unless it is broken. */
    @Test
    void theFeedKeepsWhatSubscriptionsNeedForSoLong() throws Exception {
        Lease lease = lease(0);
        for (int i = 0; i < 6; i++) {
            journal().commit(Moves.commit(lease, List.of(Moves.plain(Moves.run(lease), 0))));
        }
        int stream = lease.shard().stream();
        admin(
                "UPDATE flowstone.feed SET committed_at = now() - interval '8 days'",
                "INSERT INTO flowstone.subscriptions VALUES ('acme', 'crm', 1, 'webhook', 'crm', '{}', '{}', 'paused', NULL,"
                        + " now(), 'user:ann', now(), 'user:ann')",
                "INSERT INTO flowstone.subscription_cursors (tenant, name, stream, number, events, turn)"
                        + " VALUES ('acme', 'crm', " + stream + ", 2, 1, 1), ('acme', 'crm', " + (stream + 1)
                        + ", 0, 0, 1)");
        Keeping longer = new Keeping(
                Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(30), Duration.ofDays(9), Duration.ofDays(7));

        assertEquals(2, round(opened().sweeper(longer)).get(Kind.FEED));
        assertEquals(Map.of(stream, 3L), opened().ports().feed().first(List.of(stream)));

        admin("UPDATE flowstone.feed SET committed_at = now() - interval '10 days' WHERE number < 4");
        assertEquals(1, round(opened().sweeper(longer)).get(Kind.FEED), "not for ever");
        admin("UPDATE flowstone.subscriptions SET state = 'broken'");
        assertEquals(2, round(opened().sweeper(longer)).get(Kind.FEED));
    }

    /** So does what event triggers have yet to look at, while one of them listens to the engine. */
    @Test
    void theFeedKeepsWhatEventTriggersNeedForSoLong() throws Exception {
        Lease lease = lease(0);
        for (int i = 0; i < 6; i++) {
            journal().commit(Moves.commit(lease, List.of(Moves.plain(Moves.run(lease), 0))));
        }
        int stream = lease.shard().stream();
        admin(
                "UPDATE flowstone.feed SET committed_at = now() - interval '8 days'",
                "INSERT INTO flowstone.workflows (tenant, workflow, display_name, status, enabled, current_version,"
                        + " latest_version, draft, created_at, updated_at, revision)"
                        + " VALUES ('acme', 'order', 'Order', 'DRAFT', false, 0, 0, '{}', now(), now(), 1)",
                "INSERT INTO flowstone.triggers (tenant, id, workflow, kind, enabled, config, revision, created_at, created_by,"
                        + " changed_at, changed_by) VALUES ('acme', gen_random_uuid(), 'order', 'event', true,"
                        + " '{\"source\":\"engine\",\"types\":[\"*\"]}', 1, now(), 'user:ann', now(), 'user:ann')",
                "INSERT INTO flowstone.trigger_events SELECT tenant, id, '{}', '{}', true FROM flowstone.triggers",
                "INSERT INTO flowstone.trigger_cursors VALUES (" + stream + ", 2, 1)");
        Keeping longer = new Keeping(
                Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(30), Duration.ofDays(9), Duration.ofDays(7));

        assertEquals(2, round(opened().sweeper(longer)).get(Kind.FEED));
        assertEquals(Map.of(stream, 3L), opened().ports().feed().first(List.of(stream)));
        admin("UPDATE flowstone.trigger_events SET engine = false");
        assertEquals(3, round(opened().sweeper(longer)).get(Kind.FEED), "nobody listens to the engine");
    }

    @Test
    void theFeedIsSweptInPieces() throws Exception {
        Lease lease = lease(0);
        journal().commit(Moves.commit(lease, List.of(Moves.plain(Moves.run(lease), 0))));
        admin("INSERT INTO flowstone.feed (stream, number, committed_at, moved, counted) SELECT "
                + lease.shard().stream() + ", n, now() - interval '8 days', moved, NULL FROM flowstone.feed,"
                + " generate_series(2, 4501) n");
        admin("UPDATE flowstone.feed SET committed_at = now() - interval '8 days'");

        Sweeper sweeper = sweeper();

        List<Long> pieces = new ArrayList<>();
        Swept swept;
        do {
            swept = sweeper.piece();
            if (swept.kind() == Kind.FEED && swept.removed() > 0) {
                pieces.add(swept.removed());
            }
        } while (!swept.over());

        assertEquals(List.of(2_000L, 2_000L, 500L), pieces);
    }

    /** One node sweeps a stream at a time; another one leaves it alone. */
    @Test
    void aStreamIsSweptByOneAtATime() throws Exception {
        Lease lease = lease(0);
        for (int i = 0; i < 3; i++) {
            journal().commit(Moves.commit(lease, List.of(Moves.plain(Moves.run(lease), 0))));
        }
        admin("UPDATE flowstone.feed SET committed_at = now() - interval '8 days'");
        try (Connection other = TestServer.admin(config())) {
            other.setAutoCommit(false);
            run(
                    other,
                    "SELECT pg_advisory_xact_lock(hashtext('flowstone.feed.sweep'), " + lease.shard().stream() + ")");

            assertEquals(0, round(sweeper()).get(Kind.FEED));
            // Closing doesn't wait for the server to let go.
            other.rollback();
        }
        assertEquals(2, round(sweeper()).get(Kind.FEED));
    }

    /** What fails for one kind keeps no other from being swept. */
    @Test
    void whatFailsIsLeftOutOfTheRound() throws Exception {
        Lease lease = lease(0);
        journal().commit(Moves.commit(lease, List.of(Moves.full(Moves.run(lease), 0))));
        admin(
                "DELETE FROM flowstone.receipts",
                RECEIPTS.formatted(3),
                "REVOKE DELETE ON flowstone.snapshots FROM " + config().roles().engine());
        Sweeper sweeper = sweeper();
        Map<Kind, Long> removed = new EnumMap<>(Kind.class);
        int failed = 0;
        boolean over = false;
        while (!over) {
            try {
                Swept swept = sweeper.piece();
                removed.merge(swept.kind(), swept.removed(), Long::sum);
                over = swept.over();
            } catch (IllegalStateException e) {
                failed++;
            }
        }

        assertEquals(1, failed);
        assertEquals(Map.of(Kind.RECEIPTS, 2L, Kind.EVIDENCE, 0L, Kind.DELIVERIES, 0L, Kind.FEED, 0L), removed);
    }

    /** Of a table, however large, a piece reads its blocks only, without an index: prepared statements too. */
    @Test
    void aPieceReadsNoMoreThanItsBlocks() throws Exception {
        try (Connection connection = TestServer.admin(config())) {
            run(connection, "SET enable_seqscan = off", "SET enable_hashjoin = off", "SET enable_mergejoin = off");
            for (String statement : List.of(
                    BlockSweep.EXPIRED_RECEIPTS,
                    BlockSweep.REQUESTS_OF_GONE_TRIGGERS,
                    BlockSweep.SNAPSHOTS_OF_ENDED_RUNS,
                    BlockSweep.OLD_EVIDENCE,
                    BlockSweep.OLD_DELIVERIES)) {
                String plan = plan(connection, statement);
                assertTrue(plan.contains("Tid Range Scan"), plan);
                assertTrue(!plan.contains("Seq Scan") && !plan.contains("Hash Join"), plan);
            }
        }
    }

    private static String plan(Connection connection, String statement) throws SQLException {
        String numbered = statement
                .replaceFirst("\\?", "\\$1")
                .replaceFirst("\\?", "\\$2")
                .replaceFirst("\\?", "\\$3");
        run(
                connection,
                "DEALLOCATE ALL",
                "SET plan_cache_mode = force_generic_plan",
                "PREPARE piece (bigint, bigint, bigint) AS " + numbered);
        StringBuilder text = new StringBuilder();
        try (Statement explain = connection.createStatement();
                ResultSet plan = explain.executeQuery("EXPLAIN EXECUTE piece (0, 256, 0)")) {
            while (plan.next()) {
                text.append(plan.getString(1)).append('\n');
            }
        }
        return text.toString();
    }
}
