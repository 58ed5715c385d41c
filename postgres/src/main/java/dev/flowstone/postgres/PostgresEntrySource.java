package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.kernel.id.Sha256;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Every tenant's heads and entries, as the engine's role, many runs a query. */
final class PostgresEntrySource implements EntrySource {
    private final Database engine;

    PostgresEntrySource(Database engine) {
        this.engine = engine;
    }

    private static final String HEADS = """
            SELECT tenant, run_id, last_seq, last_hash FROM flowstone.runs
            WHERE (tenant, run_id) > (?, ?)
            ORDER BY tenant, run_id
            LIMIT ?
            """;

    @Override
    public List<Head> heads(Optional<RunKey> after, int limit) throws JournalException {
        return engine.query(
                HEADS,
                query -> {
                    query.setString(1, after.map(key -> key.tenant().value()).orElse(""));
                    query.setObject(2, after.map(key -> key.run().value()).orElse(new UUID(0, 0)));
                    query.setInt(3, limit);
                },
                PostgresEntrySource::head);
    }

    private static final String HEAD =
            "SELECT tenant, run_id, last_seq, last_hash FROM flowstone.runs WHERE tenant = ? AND run_id = ?";

    @Override
    public Optional<Head> head(RunKey run) throws JournalException {
        return engine
                .query(
                        HEAD,
                        query -> {
                            query.setString(1, run.tenant().value());
                            query.setObject(2, run.run().value());
                        },
                        PostgresEntrySource::head)
                .stream()
                .findFirst();
    }

    private static Head head(ResultSet row) throws SQLException {
        return new Head(
                PostgresJournal.key(row.getString(1), row.getObject(2, UUID.class)),
                row.getLong(3),
                Sha256.ofBytes(row.getBytes(4)));
    }

    private static final String ENTRIES = """
            SELECT first_seq, last_seq, bytes, hash FROM flowstone.entries
            WHERE tenant = ? AND run_id = ? AND first_seq > ?
            ORDER BY first_seq
            LIMIT ?
            """;

    @Override
    public List<StoredEntry> entries(RunKey run, long afterSequence, int limit) throws JournalException {
        return engine.query(
                ENTRIES,
                query -> {
                    query.setString(1, run.tenant().value());
                    query.setObject(2, run.run().value());
                    query.setLong(3, afterSequence);
                    query.setInt(4, limit);
                },
                PostgresRunReader::entry);
    }

    private static final String ENTRIES_OF_MANY = """
            SELECT e.first_seq, e.last_seq, e.bytes, e.hash, u.n
            FROM unnest(?, ?) WITH ORDINALITY AS u (tenant, run_id, n)
            JOIN flowstone.entries e ON e.tenant = u.tenant AND e.run_id = u.run_id
            ORDER BY u.n, e.first_seq
            LIMIT ?
            """;

    @Override
    public List<Entry> entries(List<RunKey> runs, int limit) throws JournalException {
        return engine.query(
                ENTRIES_OF_MANY,
                query -> {
                    query.setObject(
                            1, BinaryArray.texts(runs, key -> key.tenant().value()));
                    query.setObject(2, BinaryArray.uuids(runs, key -> key.run().value()));
                    query.setInt(3, limit);
                },
                row -> new Entry(runs.get(row.getInt(5) - 1), PostgresRunReader.entry(row)));
    }

    private static final String HEADLESS = """
            SELECT e.tenant, e.run_id FROM flowstone.entries e
            WHERE NOT EXISTS (SELECT FROM flowstone.runs r WHERE r.tenant = e.tenant AND r.run_id = e.run_id)
            LIMIT ?
            """;

    @Override
    public List<RunKey> headless(int limit) throws JournalException {
        return engine.query(
                HEADLESS,
                query -> query.setInt(1, limit),
                row -> PostgresJournal.key(row.getString(1), row.getObject(2, UUID.class)));
    }
}
