package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.policy.PolicyVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements of the releases before find their way in this release's schema (dataflow §19.2). */
final class RollingUpgradeTest extends PostgresTest {
    private static final PolicyName NAME = new PolicyName("release");
    private static final Actor ANN = new Actor("user", "ann");

    /** As releases whose newest schema is V11 publish. */
    private static final String V11_PUBLISH = """
            INSERT INTO flowstone.policies (tenant, policy, version, bundle, hash, published_at)
            VALUES (?, ?, ?, ?, ?, now())
            """;

    private static final String PUBLISH = """
            INSERT INTO flowstone.policies (tenant, policy, version, bundle, hash, published_at, published_by)
            VALUES (?, ?, ?, ?, ?, now(), '')
            """;

    private static JsonObject bundle(int number) {
        return JsonObject.builder().put("kind", "rules").put("number", number).build();
    }

    private void insert(String sql, int version, JsonObject bundle) throws SQLException {
        try (Connection connection = TestServer.admin(config())) {
            connection.setAutoCommit(false);
            run(connection, "SET LOCAL ROLE flowstone_api");
            run(connection, "SELECT set_config('flowstone.tenant', '" + Moves.ACME.value() + "', true)");
            try (PreparedStatement insert = connection.prepareStatement(sql)) {
                insert.setString(1, Moves.ACME.value());
                insert.setString(2, NAME.value());
                insert.setInt(3, version);
                insert.setBytes(4, Json.write(bundle));
                insert.setBytes(5, PolicyVersion.hash(bundle).bytes());
                insert.executeUpdate();
            }
            connection.commit();
        }
    }

    @Test
    void aNodeThatKnowsNoPublisherStillPublishes() throws Exception {
        PolicyStore policies = opened().ports().policies();
        policies.publish(Moves.ACME, NAME, bundle(1), ANN, Instant.now());

        insert(V11_PUBLISH, 2, bundle(2));

        PolicyVersion current = policies.current(Moves.ACME, NAME).orElseThrow();
        assertEquals(2, current.version());
        assertEquals(bundle(2), current.bundle());
        assertEquals(Optional.empty(), current.publishedBy());
        PolicyVersion next = policies.publish(Moves.ACME, NAME, bundle(3), ANN, Instant.now());
        assertEquals(3, next.version());
        assertEquals(
                Optional.of(ANN),
                policies.current(Moves.ACME, NAME).orElseThrow().publishedBy());
    }

    @Test
    void whoNamesAPublisherNamesSomebody() {
        SQLException refusal = assertThrows(SQLException.class, () -> insert(PUBLISH, 1, bundle(1)));

        assertEquals("23514", refusal.getSQLState());
        assertTrue(String.valueOf(refusal.getMessage()).contains("policies_published_by_somebody"));
    }

    /** As releases whose newest schema is V19 give up a message. */
    private static final String V19_DEAD = """
            UPDATE flowstone.outbox SET state = 'dead', attempts = attempts + 1, error = 'never' WHERE tenant = 'acme'
            """;

    @Test
    void aNodeThatSaysNoReasonStillGivesMessagesUp() throws Exception {
        Lease lease = lease(0);
        journal().commit(Moves.commit(lease, Moves.full(Moves.run(lease), 0)));

        try (Connection connection = TestServer.engine(config())) {
            run(connection, V19_DEAD);
        }

        OutboxControl.Entry dead = opened().ports()
                .outbox()
                .control()
                .list(Moves.ACME, OutboxControl.Filter.ALL, Optional.empty(), 10)
                .getFirst();
        assertEquals(OutboxControl.State.DEAD, dead.state());
        assertEquals(Optional.of(Outbox.DeathReason.EXHAUSTED), dead.reason());
        assertEquals(1, dead.attempts());
    }

    /** Deliveries are the busiest table: all nodes would wait as long as they are read. */
    @Test
    void theWiderRuleOfDeliveriesReadsNone() throws Exception {
        try (Connection connection = TestServer.engine(config())) {
            assertEquals(
                    1,
                    number(
                            connection,
                            "SELECT count(*) FROM pg_constraint WHERE conname = 'trigger_deliveries_outcome_check'"
                                    + " AND pg_get_constraintdef(oid) LIKE '%signaled%' AND NOT convalidated"));
        }
    }

    private static void awaitWaiterFor(String table, Connection connection) throws Exception {
        while (number(
                        connection,
                        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'flowstone." + table
                                + "'::regclass")
                == 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    @Test
    @Timeout(120)
    void aCommitThatWaitsInTheOldBodyForTheMigrationIsCounted() throws Exception {
        PostgresConfig old = TestServer.shared().database(16);
        try (HikariDataSource pool = Pools.engine(old, Passwords.of(old).engine());
                Connection holder = TestServer.admin(old);
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            PostgresLeases leases = PostgresLeases.open(new Database(pool), 2);
            Lease lease =
                    leases.acquire(new ShardId(0), "old", Duration.ofMinutes(5)).orElseThrow();
            PostgresJournal journal = new PostgresJournal(new Database(pool), leases::shard);
            journal.commit(Moves.commit(lease, Moves.plain(Moves.run(lease), 0)));
            holder.setAutoCommit(false);
            run(holder, "LOCK TABLE flowstone.human_tasks IN ROW EXCLUSIVE MODE");

            Future<PostgresPorts> migrating = threads.submit(() -> PostgresPorts.open(old));
            awaitWaiterFor("human_tasks", holder); // the runs are locked by then
            Future<Committed> waiting =
                    threads.submit(() -> journal.commit(Moves.commit(lease, Moves.plain(Moves.run(lease), 0))));
            awaitWaiterFor("runs", holder);
            holder.rollback();

            try (PostgresPorts migrated = migrating.get()) {
                assertEquals(2, waiting.get().feedNumber(), "made again");
                assertEquals(
                        2,
                        migrated.ports()
                                .runs()
                                .counts(Moves.ACME, Optional.empty())
                                .counted());
                Recount.assertRight(old, migrated.ports());
            }
        }
    }
}
