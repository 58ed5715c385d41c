package dev.flowstone.postgres;

import dev.flowstone.engine.archive.ArchiveRecord;
import dev.flowstone.engine.archive.ArchiveRefusedException;
import dev.flowstone.engine.archive.Archives;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.verify.EntrySource.Head;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.postgres.schema.Migrations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Archives as the engine's role, which may call the owner's functions, and could not drop a partition by itself. What they take
 * out is only ever runs that are over for a day, that nothing waits for and that stand as they were staged. That a file holds
 * them is this process's word: whoever has the engine's role can confirm what he likes, and so take cold runs out of the
 * database without a file. Only a role of the command line's own, which alone may call these functions, would take that away.
 *
 * <p>What takes as long as a month is large has a connection of its own, on which nothing times out.
 */
final class PostgresArchives implements Archives {
    /** Raised by our own functions: something is not as it was staged. */
    private static final String NOT_AS_STAGED = "FS003";

    /** Raised by our own functions: the journal was read without a pause. */
    private static final String BUSY = "FS004";

    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final Database engine;
    private final Database patient;

    /** @param patient connections of the engine's role whose statements may take their time */
    PostgresArchives(Database engine, Database patient) {
        this.engine = engine;
        this.patient = patient;
    }

    private static final String COUNT = "SELECT born, ended, cold, events FROM flowstone.archive_count(?, ?)";

    @Override
    public Staged count(YearMonth month, Instant endedBefore) throws JournalException, ArchiveRefusedException {
        return patiently(connection -> Database.query(
                        connection,
                        COUNT,
                        query -> {
                            query.setObject(1, date(month));
                            query.setObject(2, Times.parameter(endedBefore));
                        },
                        PostgresArchives::found)
                .getFirst());
    }

    private static Staged found(ResultSet row) throws SQLException {
        return new Staged(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
    }

    private static final String STAGE = "SELECT born, ended, staged, events FROM flowstone.archive_stage(?, ?, ?)";

    @Override
    public Staged stage(YearMonth month, Instant endedBefore, UUID attempt)
            throws JournalException, ArchiveRefusedException {
        return patiently(connection -> Database.query(
                        connection,
                        STAGE,
                        query -> {
                            query.setObject(1, date(month));
                            query.setObject(2, Times.parameter(endedBefore));
                            query.setObject(3, attempt);
                        },
                        PostgresArchives::found)
                .getFirst());
    }

    private static final String STAGED = """
            SELECT r.run_id, r.workflow, r.version, r.program, r.correlation, r.status, r.last_seq, r.last_hash, r.started_at,
                   r.updated_at, r.ended_at, r.tenant
            FROM flowstone.archiving a
            JOIN flowstone.runs r ON r.tenant = a.tenant AND r.run_id = a.run_id
            WHERE a.attempt = ? AND (a.tenant, a.run_id) > (?, ?)
            ORDER BY a.tenant, a.run_id
            LIMIT ?
            """;

    @Override
    public List<RunRow> staged(UUID attempt, Optional<RunKey> after, int limit) throws JournalException {
        return engine.query(
                STAGED,
                query -> {
                    query.setObject(1, attempt);
                    query.setString(2, after.map(key -> key.tenant().value()).orElse(""));
                    query.setObject(3, after.map(key -> key.run().value()).orElse(BEFORE_ALL));
                    query.setInt(4, limit);
                },
                row -> PostgresRunReader.row(new TenantId(row.getString(12)), row));
    }

    private static final String LEAVE_OUT =
            "DELETE FROM flowstone.archiving WHERE attempt = ? AND tenant = ? AND run_id = ? RETURNING 1";

    @Override
    public void leaveOut(UUID attempt, RunKey run) throws JournalException {
        engine.query(
                LEAVE_OUT,
                query -> {
                    query.setObject(1, attempt);
                    query.setString(2, run.tenant().value());
                    query.setObject(3, run.run().value());
                },
                row -> row.getInt(1));
    }

    private static final String CONFIRM = """
            WITH confirmed AS (
                UPDATE flowstone.archiving a
                SET confirmed = true
                FROM unnest(?, ?, ?, ?) AS u (tenant, run_id, seq, hash)
                JOIN flowstone.runs r ON r.tenant = u.tenant AND r.run_id = u.run_id
                WHERE a.attempt = ? AND a.tenant = u.tenant AND a.run_id = u.run_id
                  AND a.last_seq = u.seq AND a.last_hash = u.hash AND r.last_seq = u.seq AND r.last_hash = u.hash
                RETURNING 1
            )
            SELECT count(*) FROM confirmed
            """;

    @Override
    public long confirm(UUID attempt, List<Head> heads) throws JournalException {
        return engine.query(
                        CONFIRM,
                        query -> {
                            query.setObject(
                                    1,
                                    BinaryArray.texts(
                                            heads, head -> head.run().tenant().value()));
                            query.setObject(
                                    2,
                                    BinaryArray.uuids(
                                            heads, head -> head.run().run().value()));
                            query.setObject(3, BinaryArray.longs(heads, Head::lastSequence));
                            query.setObject(
                                    4,
                                    BinaryArray.bytes(
                                            heads, head -> head.lastHash().bytes()));
                            query.setObject(5, attempt);
                        },
                        row -> row.getLong(1))
                .getFirst();
    }

    private static final String REPLACE = "SELECT flowstone.archive_month(?, ?, ?, ?, ?, ?, ?, ?, ?)";

    @Override
    public int replace(UUID attempt, ArchiveRecord record) throws JournalException, ArchiveRefusedException {
        return patiently(connection -> Database.query(
                        connection,
                        REPLACE,
                        query -> {
                            query.setObject(1, date(record.month()));
                            query.setObject(2, attempt);
                            query.setString(3, record.file());
                            query.setLong(4, record.runs());
                            query.setLong(5, record.entries());
                            query.setLong(6, record.events());
                            query.setBytes(7, record.anchor().bytes());
                            query.setBytes(8, record.content().bytes());
                            query.setObject(9, Times.parameter(record.madeAt()));
                        },
                        row -> row.getInt(1))
                .getFirst());
    }

    @Override
    public void forget(UUID attempt) throws JournalException {
        engine.query(
                "DELETE FROM flowstone.archiving WHERE attempt = ? RETURNING 1",
                query -> query.setObject(1, attempt),
                row -> row.getInt(1));
    }

    private static final String LIST = """
            SELECT month, number, file, runs, entries, events, anchor, content, made_at FROM flowstone.archives
            ORDER BY month, number
            """;

    @Override
    public List<ArchiveRecord> list() throws JournalException {
        return engine.query(LIST, query -> {}, PostgresArchives::record);
    }

    private static ArchiveRecord record(ResultSet row) throws SQLException {
        return new ArchiveRecord(
                YearMonth.from(row.getObject(1, LocalDate.class)),
                row.getInt(2),
                row.getString(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                Sha256.ofBytes(row.getBytes(7)),
                Sha256.ofBytes(row.getBytes(8)),
                Times.instant(row, 9));
    }

    @Override
    public int schema() {
        return Migrations.NEWEST;
    }

    private static LocalDate date(YearMonth month) {
        return month.atDay(1);
    }

    /** In a transaction, as the role's limit on statements would end it. */
    private <T> T patiently(Database.Work<T> work) throws JournalException, ArchiveRefusedException {
        try {
            return patient.transaction(connection -> {
                withoutLimit(connection);
                try {
                    return work.on(connection);
                } catch (SQLException e) {
                    String state = SqlErrors.state(e);
                    if (state.equals(NOT_AS_STAGED) || state.equals(BUSY)) {
                        throw new Refused(e);
                    }
                    throw e;
                }
            });
        } catch (Refused e) {
            throw new ArchiveRefusedException(e.reason);
        }
    }

    private static void withoutLimit(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL statement_timeout = 0");
        }
    }

    /** Carries a refusal out of the transaction, which is rolled back. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String reason;

        Refused(SQLException cause) {
            super(cause);
            String message = String.valueOf(cause.getMessage());
            this.reason = message.lines().findFirst().orElse(message).replaceFirst("^ERROR: ", "");
        }
    }
}
