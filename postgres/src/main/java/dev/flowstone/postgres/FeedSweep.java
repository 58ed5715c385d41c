package dev.flowstone.postgres;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.time.Duration;

/**
 * The oldest rows of one stream, from its beginning up to the first that is young: what is left has no gap. The newest row
 * stays, however old, because the next number is read off it.
 */
final class FeedSweep implements Sweep {
    private static final int ROWS = 2_000;

    private static final String OLDEST = """
            WITH page AS MATERIALIZED (
                SELECT f.number, f.committed_at FROM flowstone.feed f
                WHERE f.stream = ? AND f.number > ?
                ORDER BY f.number
                LIMIT ?
            ),
            edge AS MATERIALIZED (
                SELECT least(
                    (SELECT min(p.number) FROM page p
                     WHERE p.committed_at >= clock_timestamp() - ? * interval '1 millisecond'),
                    (SELECT f.number FROM flowstone.feed f WHERE f.stream = ? ORDER BY f.number DESC LIMIT 1)) AS number
            ),
            gone AS (
                DELETE FROM flowstone.feed f
                USING page p, edge e
                WHERE f.stream = ? AND f.number = p.number AND p.number < e.number
                RETURNING f.number
            )
            SELECT count(*), coalesce(max(number), 0) FROM gone
            """;

    private final Database engine;
    private final int stream;
    private final Duration kept;
    private long after;
    private boolean over = true;

    FeedSweep(Database engine, int stream, Duration kept) {
        this.engine = requireNonNull(engine);
        this.stream = stream;
        this.kept = requireNonNull(kept);
    }

    @Override
    public long piece() throws JournalException {
        Gone gone = engine.query(
                        OLDEST,
                        query -> {
                            query.setInt(1, stream);
                            query.setLong(2, after);
                            query.setInt(3, ROWS);
                            query.setLong(4, kept.toMillis());
                            query.setInt(5, stream);
                            query.setInt(6, stream);
                        },
                        row -> new Gone(row.getLong(1), row.getLong(2)))
                .getFirst();
        after = Math.max(after, gone.last());
        over = gone.rows() < ROWS;
        return gone.rows();
    }

    /** How many rows went, and the last one's number. */
    private record Gone(long rows, long last) {}

    @Override
    public boolean isOver() {
        return over;
    }
}
