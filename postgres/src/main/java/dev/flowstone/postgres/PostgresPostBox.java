package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.PostBox;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Calls from node to node as rows. */
final class PostgresPostBox implements PostBox {
    private static final String POST = """
            INSERT INTO flowstone.posted_calls (call, node, until, asked)
            VALUES (?, ?, clock_timestamp() + ? * interval '1 millisecond', ?)
            ON CONFLICT DO NOTHING
            """;

    private static final String TAKE = """
            WITH picked AS MATERIALIZED (
                SELECT call FROM flowstone.posted_calls
                WHERE node = ? AND NOT taken AND until > clock_timestamp()
                ORDER BY until
                LIMIT ?
                FOR UPDATE SKIP LOCKED
            )
            UPDATE flowstone.posted_calls c SET taken = true
            FROM picked p
            WHERE c.call = p.call
            RETURNING c.call, c.asked
            """;

    private static final String ANSWER = "UPDATE flowstone.posted_calls SET answer = ? WHERE call = ?";

    private static final String LOOK = "SELECT taken, answer FROM flowstone.posted_calls WHERE call = ?";

    private static final String WITHDRAW = "DELETE FROM flowstone.posted_calls WHERE call = ? AND NOT taken";

    private static final String REMOVE = "DELETE FROM flowstone.posted_calls WHERE call = ?";

    /** Longer after its time than any call is waited for. */
    private static final String SWEEP =
            "DELETE FROM flowstone.posted_calls WHERE until < clock_timestamp() - interval '2 minutes'";

    private final Database engine;

    PostgresPostBox(Database engine) {
        this.engine = engine;
    }

    @Override
    public void post(UUID call, String node, byte[] asked, Duration patience) throws JournalException {
        engine.change(POST, insert -> {
            insert.setObject(1, call);
            insert.setString(2, node);
            insert.setLong(3, patience.toMillis());
            insert.setBytes(4, asked);
        });
    }

    /** Not safe to repeat, and not repeated: a call whose handing out wasn't heard is one that wasn't answered. */
    @Override
    public List<Posted> take(String node, int limit) throws JournalException {
        return engine.query(
                TAKE,
                query -> {
                    query.setString(1, node);
                    query.setInt(2, limit);
                },
                row -> new Posted(row.getObject(1, UUID.class), row.getBytes(2)));
    }

    @Override
    public void answer(UUID call, byte[] answer) throws JournalException {
        engine.change(ANSWER, update -> {
            update.setBytes(1, answer);
            update.setObject(2, call);
        });
    }

    @Override
    public Optional<Progress> look(UUID call) throws JournalException {
        return engine
                .query(
                        LOOK,
                        query -> query.setObject(1, call),
                        row -> new Progress(row.getBoolean(1), Optional.ofNullable(row.getBytes(2))))
                .stream()
                .findFirst();
    }

    @Override
    public boolean withdraw(UUID call) throws JournalException {
        return engine.change(WITHDRAW, delete -> delete.setObject(1, call)) > 0;
    }

    @Override
    public void remove(UUID call) throws JournalException {
        engine.change(REMOVE, delete -> delete.setObject(1, call));
    }

    @Override
    public void sweep() throws JournalException {
        engine.change(SWEEP, delete -> {});
    }
}
