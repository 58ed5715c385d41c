package dev.flowstone.postgres;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.time.Duration;

/**
 * The oldest rows of one stream, from its beginning up to the first that is young, or that a subscription or an event trigger needs and that
 * isn't too old even for that: what is left has no gap. The newest row stays, however old, because the next number is read off it.
 */
final class FeedSweep implements Sweep {
    private static final int ROWS = 2_000;

    private static final String NEWEST =
            "SELECT coalesce((SELECT number FROM flowstone.feed WHERE stream = ? ORDER BY number DESC LIMIT 1), 0)";

    /** One node sweeps a stream at a time: of two that removed the same rows, one would wait for the other. */
    private static final String OLDEST = """
            WITH turn AS MATERIALIZED (
                SELECT pg_try_advisory_xact_lock(hashtext('flowstone.feed.sweep'), ?) AS mine
            ),
            page AS MATERIALIZED (
                SELECT f.number, f.committed_at FROM flowstone.feed f
                WHERE f.stream = ? AND f.number > ? AND f.number < ? AND (SELECT t.mine FROM turn t)
                ORDER BY f.number
                LIMIT ?
            ),
            needed AS MATERIALIZED (
                SELECT min(n.after) AS after FROM (
                    SELECT c.number AS after FROM flowstone.subscription_cursors c
                    JOIN flowstone.subscriptions s ON s.tenant = c.tenant AND s.name = c.name
                    WHERE c.stream = ? AND s.state <> 'broken'
                    UNION ALL
                    SELECT c.number FROM flowstone.trigger_cursors c
                    WHERE c.stream = ?
                      AND EXISTS (SELECT 1 FROM flowstone.trigger_events e
                                  JOIN flowstone.triggers t ON t.tenant = e.tenant AND t.id = e.trigger_id
                                  WHERE e.engine AND t.enabled)
                ) n
            ),
            edge AS MATERIALIZED (
                SELECT min(p.number) AS number FROM page p, needed n
                WHERE p.committed_at >= clock_timestamp() - ? * interval '1 millisecond'
                   OR (p.number > n.after AND p.committed_at >= clock_timestamp() - ? * interval '1 millisecond')
            ),
            gone AS (
                DELETE FROM flowstone.feed f
                USING page p, edge e
                WHERE f.stream = ? AND f.number = p.number AND (e.number IS NULL OR p.number < e.number)
                RETURNING f.number
            )
            SELECT count(*), coalesce(max(number), 0) FROM gone
            """;

    private final Database engine;
    private final int stream;
    private final Duration kept;
    private final Duration needed;

    /** Up to which row all are gone. */
    private long after;

    /** The newest when the round began. */
    private long newest;

    private boolean over = true;

    /**
     * One stream's.
     *
     * @param kept how long rows are kept in any case
     * @param needed how long those that a subscription needs
     */
    FeedSweep(Database engine, int stream, Duration kept, Duration needed) {
        this.engine = requireNonNull(engine);
        this.stream = stream;
        this.kept = requireNonNull(kept);
        this.needed = requireNonNull(needed);
    }

    @Override
    public long piece() throws JournalException {
        if (over) {
            newest = engine.query(NEWEST, query -> query.setInt(1, stream), row -> row.getLong(1))
                    .getFirst();
        }
        Gone gone = engine.query(
                        OLDEST,
                        query -> {
                            query.setInt(1, stream);
                            query.setInt(2, stream);
                            query.setLong(3, after);
                            query.setLong(4, newest);
                            query.setInt(5, ROWS);
                            query.setInt(6, stream);
                            query.setInt(7, stream);
                            query.setLong(8, kept.toMillis());
                            query.setLong(9, needed.toMillis());
                            query.setInt(10, stream);
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
