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
    private static final UUID BEFORE_ALL = new UUID(0, 0);

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
                    query.setObject(2, after.map(key -> key.run().value()).orElse(BEFORE_ALL));
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

    /** A large value stands elsewhere: its length is known without it, and only those that are answered are fetched. */
    private static final String ENTRIES = """
            SELECT first_seq, last_seq, bytes, hash
            FROM (SELECT first_seq, last_seq, bytes, hash,
                         sum(octet_length(bytes)) OVER (ORDER BY first_seq) - octet_length(bytes) AS before
                  FROM (SELECT first_seq, last_seq, bytes, hash FROM flowstone.entries
                        WHERE tenant = ? AND run_id = ? AND first_seq > ?
                        ORDER BY first_seq
                        LIMIT ?) AS page) AS measured
            WHERE before < ?
            ORDER BY first_seq
            """;

    @Override
    public List<StoredEntry> entries(RunKey run, long afterSequence, int limit) throws JournalException {
        return entries(run, afterSequence, limit, Long.MAX_VALUE);
    }

    @Override
    public List<StoredEntry> entries(RunKey run, long afterSequence, int limit, long bytes) throws JournalException {
        return engine.query(
                ENTRIES,
                query -> {
                    query.setString(1, run.tenant().value());
                    query.setObject(2, run.run().value());
                    query.setLong(3, afterSequence);
                    query.setInt(4, limit);
                    query.setLong(5, bytes);
                },
                PostgresRunReader::entry);
    }

    private static final String ENTRIES_OF_MANY = """
            SELECT first_seq, last_seq, bytes, hash, n
            FROM (SELECT first_seq, last_seq, bytes, hash, n,
                         sum(octet_length(bytes)) OVER (ORDER BY n, first_seq) - octet_length(bytes) AS before
                  FROM (SELECT e.first_seq, e.last_seq, e.bytes, e.hash, u.n
                        FROM unnest(?, ?) WITH ORDINALITY AS u (tenant, run_id, n)
                        JOIN flowstone.entries e ON e.tenant = u.tenant AND e.run_id = u.run_id
                        ORDER BY u.n, e.first_seq
                        LIMIT ?) AS page) AS measured
            WHERE before < ?
            ORDER BY n, first_seq
            """;

    @Override
    public List<Entry> entries(List<RunKey> runs, int limit) throws JournalException {
        return entries(runs, limit, Long.MAX_VALUE);
    }

    @Override
    public List<Entry> entries(List<RunKey> runs, int limit, long bytes) throws JournalException {
        return engine.query(
                ENTRIES_OF_MANY,
                query -> {
                    query.setObject(
                            1, BinaryArray.texts(runs, key -> key.tenant().value()));
                    query.setObject(2, BinaryArray.uuids(runs, key -> key.run().value()));
                    query.setInt(3, limit);
                    query.setLong(4, bytes);
                },
                row -> new Entry(runs.get(row.getInt(5) - 1), PostgresRunReader.entry(row)));
    }

    /** In pages, because one statement over all entries would meet its timeout one day. */
    private static final String HEADLESS = """
            WITH page AS MATERIALIZED (
                SELECT tenant, run_id, first_seq FROM flowstone.entries
                WHERE (run_id, first_seq) > (?, ?)
                ORDER BY run_id, first_seq
                LIMIT ?
            )
            (SELECT p.tenant, p.run_id, p.first_seq, true FROM page p
             WHERE NOT EXISTS (SELECT FROM flowstone.runs r WHERE r.tenant = p.tenant AND r.run_id = p.run_id)
             LIMIT 1)
            UNION ALL
            (SELECT tenant, run_id, first_seq, false FROM page ORDER BY run_id DESC, first_seq DESC LIMIT 1)
            """;

    @Override
    public Headless headless(Optional<EntryKey> after, int limit) throws JournalException {
        Optional<RunKey> orphan = Optional.empty();
        Optional<EntryKey> last = Optional.empty();
        for (Looked row : engine.query(
                HEADLESS,
                query -> {
                    query.setObject(1, after.map(key -> key.run().value()).orElse(BEFORE_ALL));
                    query.setLong(2, after.map(EntryKey::firstSequence).orElse(0L));
                    query.setInt(3, limit);
                },
                row -> new Looked(
                        PostgresJournal.key(row.getString(1), row.getObject(2, UUID.class)),
                        row.getLong(3),
                        row.getBoolean(4)))) {
            if (row.orphan()) {
                orphan = Optional.of(row.run());
            } else {
                last = Optional.of(new EntryKey(row.run().run(), row.firstSequence()));
            }
        }
        return new Headless(orphan, last);
    }

    private record Looked(RunKey run, long firstSequence, boolean orphan) {}
}
