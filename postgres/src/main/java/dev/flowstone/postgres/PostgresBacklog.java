package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.Backlog;
import dev.flowstone.engine.read.BacklogReader;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * Counts what waits in one statement, as the engine's role, which sees all tenants. What is due, and what is dead, is read along its
 * index, and each count stops at the bound.
 */
final class PostgresBacklog implements BacklogReader {
    private static final String COUNT = """
            SELECT
                (SELECT count(*) FROM (
                    SELECT FROM flowstone.outbox WHERE state = 'pending' LIMIT ?) pending),
                (SELECT count(*) FROM (
                    SELECT FROM flowstone.outbox WHERE state = 'dead' LIMIT ?) dead),
                (SELECT min(due_at) FROM flowstone.outbox WHERE state = 'pending' AND due_at <= ?),
                (SELECT count(*) FROM (
                    SELECT FROM flowstone.inbox WHERE NOT consumed LIMIT ?) waiting),
                (SELECT min(received_at) FROM flowstone.inbox WHERE NOT consumed),
                (SELECT count(*) FROM (
                    SELECT FROM flowstone.letters LIMIT ?) letters),
                (SELECT count(*) FROM (
                    SELECT FROM flowstone.timers WHERE due_at <= ? LIMIT ?) overdue),
                (SELECT count(*) FROM (
                    SELECT FROM flowstone.human_tasks LIMIT ?) open),
                (SELECT count(*) FROM (
                    SELECT FROM flowstone.human_tasks WHERE due_at <= ? LIMIT ?) late),
                (SELECT count(*) FROM (
                    SELECT FROM flowstone.trigger_ticks LIMIT ?) ticks)
            """;

    private final Database engine;

    PostgresBacklog(Database engine) {
        this.engine = engine;
    }

    @Override
    public Backlog read(Instant now) throws JournalException {
        return engine.query(COUNT, query -> bind(query, Times.parameter(now)), PostgresBacklog::backlog)
                .getFirst();
    }

    private static void bind(PreparedStatement query, OffsetDateTime now) throws SQLException {
        query.setInt(1, MOST);
        query.setInt(2, MOST);
        query.setObject(3, now);
        query.setInt(4, MOST);
        query.setInt(5, MOST);
        query.setObject(6, now);
        query.setInt(7, MOST);
        query.setInt(8, MOST);
        query.setObject(9, now);
        query.setInt(10, MOST);
        query.setInt(11, MOST);
    }

    private static Backlog backlog(ResultSet row) throws SQLException {
        return new Backlog(
                row.getLong(1),
                row.getLong(2),
                Times.optional(row, 3),
                row.getLong(4),
                Times.optional(row, 5),
                row.getLong(6),
                row.getLong(7),
                row.getLong(8),
                row.getLong(9),
                row.getLong(10));
    }
}
