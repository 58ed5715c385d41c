package dev.flowstone.postgres;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingMode;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Settings of scopes, as the engine's role. Writers wait for each other under a lock that ends with their transaction. */
final class PostgresSettings implements Settings {
    private final Database engine;

    PostgresSettings(Database engine) {
        this.engine = engine;
    }

    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('flowstone.settings', 0))";

    private static final String NEWEST = """
            SELECT DISTINCT ON (tenant, workflow)
                   number, set_at, tenant, workflow, mode, timers, input, time_to_live, reason, actor
            FROM flowstone.settings
            ORDER BY tenant, workflow, number DESC
            """;

    /** The next number, and its time: not before the one before, should the clock have been set back. */
    private static final String NEXT = """
            SELECT coalesce(max(number), 0) + 1, greatest(max(set_at), clock_timestamp()) FROM flowstone.settings
            """;

    private record Next(long number, Instant at) {}

    @Override
    public List<ScopeSetting> append(SettingRequest request) throws JournalException {
        return engine.transaction(connection -> {
            try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
                lock.execute();
            }
            List<ScopeSetting> newest = Database.query(connection, NEWEST, query -> {}, PostgresSettings::read);
            Next next = Database.query(
                            connection, NEXT, query -> {}, row -> new Next(row.getLong(1), Times.instant(row, 2)))
                    .getFirst();
            List<ScopeSetting> rows = request.rows(newest, next.number(), next.at());
            for (ScopeSetting row : rows) {
                insert(connection, row);
            }
            return rows;
        });
    }

    private static final String INSERT = """
            INSERT INTO flowstone.settings
                (number, set_at, tenant, workflow, mode, timers, input, time_to_live, reason, actor)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;

    private static void insert(Connection connection, ScopeSetting row) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setLong(1, row.number());
            insert.setObject(2, Times.parameter(row.at()));
            insert.setString(3, row.scope().tenantId().map(TenantId::value).orElse(null));
            insert.setString(4, row.scope().workflowId().map(WorkflowId::value).orElse(null));
            insert.setString(5, row.mode().name());
            insert.setString(6, row.policy().timers().name());
            insert.setString(7, row.policy().input().name());
            insert.setLong(8, row.timeToLive().toNanos() / 1_000);
            insert.setString(9, row.reason());
            insert.setString(10, row.actor().toString());
            insert.executeUpdate();
        }
    }

    private static final String AFTER = """
            SELECT number, set_at, tenant, workflow, mode, timers, input, time_to_live, reason, actor
            FROM flowstone.settings
            WHERE number > ?
            ORDER BY number
            LIMIT ?
            """;

    @Override
    public List<ScopeSetting> after(long number, int limit) throws JournalException {
        return engine.query(
                AFTER,
                query -> {
                    query.setLong(1, number);
                    query.setInt(2, limit);
                },
                PostgresSettings::read);
    }

    private static ScopeSetting read(ResultSet row) throws SQLException {
        @Nullable String tenant = row.getString(3);
        @Nullable String workflow = row.getString(4);
        return new ScopeSetting(
                row.getLong(1),
                Times.instant(row, 2),
                SettingScope.of(
                        Optional.ofNullable(tenant).map(TenantId::new),
                        Optional.ofNullable(workflow).map(WorkflowId::new)),
                SettingMode.valueOf(row.getString(5)),
                new HoldPolicy(
                        HoldPolicy.TimerRule.valueOf(row.getString(6)), HoldPolicy.InputRule.valueOf(row.getString(7))),
                Duration.of(row.getLong(8), ChronoUnit.MICROS),
                row.getString(9),
                Actor.parse(row.getString(10)));
    }

    private static final String ACKNOWLEDGE = """
            INSERT INTO flowstone.setting_acks AS a (shard, epoch, number, acked_at)
            SELECT e.shard, e.epoch, ?, clock_timestamp() FROM flowstone.epochs e
            WHERE e.shard = ? AND e.epoch = ? AND e.holder = ?
            FOR SHARE
            ON CONFLICT (shard) DO UPDATE
            SET epoch = excluded.epoch,
                number = CASE WHEN a.epoch = excluded.epoch THEN greatest(a.number, excluded.number)
                              ELSE excluded.number END,
                acked_at = excluded.acked_at
            RETURNING shard
            """;

    @Override
    public void acknowledge(Lease lease, long number) throws JournalException {
        List<Integer> held = engine.query(
                ACKNOWLEDGE,
                statement -> {
                    statement.setLong(1, number);
                    Fence.bind(statement, 2, lease);
                },
                row -> row.getInt(1));
        if (held.isEmpty()) {
            throw Fence.stale(lease);
        }
    }

    private static final String ACKNOWLEDGEMENTS = """
            SELECT h.shard, h.holder, h.epoch, coalesce(a.number, 0)
            FROM flowstone.heartbeats h
            LEFT JOIN flowstone.setting_acks a ON a.shard = h.shard AND a.epoch = h.epoch
            WHERE h.holder <> '' AND h.until > clock_timestamp()
            ORDER BY h.shard
            """;

    @Override
    public List<ShardAcknowledgement> acknowledgements() throws JournalException {
        return engine.query(
                ACKNOWLEDGEMENTS,
                query -> {},
                row -> new ShardAcknowledgement(
                        new ShardId(row.getInt(1)), row.getString(2), row.getLong(3), row.getLong(4)));
    }
}
