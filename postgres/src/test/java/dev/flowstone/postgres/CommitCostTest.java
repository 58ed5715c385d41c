package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.state.RunStatus;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** How many statements a commit costs: as many for 200 runs as for one. The numbers stand in docs/sql-cost.md. */
final class CommitCostTest extends PostgresTest {
    private static final String COUNT_STATEMENTS = """
            CREATE SEQUENCE public.statements;
            CREATE FUNCTION public.count_statement() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
            AS 'BEGIN PERFORM nextval(''public.statements''); RETURN NULL; END';
            DO $$
            DECLARE t text;
            BEGIN
                FOREACH t IN ARRAY ARRAY['runs', 'entries', 'timers', 'snapshots', 'receipts', 'payloads', 'outbox',
                                         'inbox', 'feed', 'letters', 'human_tasks',
                                         'run_counts', 'run_count_changes', 'human_task_parties'] LOOP
                    EXECUTE format('CREATE TRIGGER counted_i AFTER INSERT ON flowstone.%I '
                                   'FOR EACH STATEMENT EXECUTE FUNCTION public.count_statement()', t);
                    EXECUTE format('CREATE TRIGGER counted_u AFTER UPDATE ON flowstone.%I '
                                   'FOR EACH STATEMENT EXECUTE FUNCTION public.count_statement()', t);
                    EXECUTE format('CREATE TRIGGER counted_d AFTER DELETE ON flowstone.%I '
                                   'FOR EACH STATEMENT EXECUTE FUNCTION public.count_statement()', t);
                END LOOP;
            END $$;
            """;

    /** Inserted, inserted and deleted by both halves of the upsert, deleted with what is gone. */
    private static final int PARTIES = 1 + 2 + 1;

    private final AtomicInteger calls = new AtomicInteger();

    private PostgresJournal countingJournal() {
        PGSimpleDataSource source = Pools.single(
                config(), config().roles().engine(), Passwords.of(config()).engine());
        var pool = new com.zaxxer.hikari.HikariDataSource() {
            @Override
            public Connection getConnection() throws java.sql.SQLException {
                return counted(Connection.class, source.getConnection());
            }
        };
        return new PostgresJournal(
                new Database(pool), id -> opened().ports().leases().shards().get(id.number()));
    }

    /** Counts every message to the server: executions, and whatever begins or ends a transaction. */
    private <T> T counted(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                CommitCostTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("execute")
                            || method.getName().equals("commit")
                            || method.getName().equals("rollback")) {
                        calls.incrementAndGet();
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return result instanceof PreparedStatement statement
                                ? counted(PreparedStatement.class, statement)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private record Cost(int calls, long writes) {}

    private Cost cost(PostgresJournal journal, Lease lease, List<RunMove> moves) throws Exception {
        int callsBefore = calls.get();
        long writesBefore = number("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM public.statements");
        assertEquals(
                moves.size(), journal.commit(Moves.commit(lease, moves)).moved().size());
        return new Cost(
                calls.get() - callsBefore,
                number("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM public.statements") - writesBefore);
    }

    @Test
    void twoHundredRunsCostAsManyStatementsAsOne() throws Exception {
        admin(COUNT_STATEMENTS);
        PostgresJournal journal = countingJournal();
        Lease lease = lease(0);
        List<RunKey> keys = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            keys.add(Moves.run(lease));
        }
        RunKey one = Moves.run(lease);

        Cost birthOfOne = cost(journal, lease, List.of(Moves.plain(one, 0)));
        Cost birthOfMany = cost(
                journal, lease, keys.stream().map(key -> Moves.plain(key, 0)).toList());
        Cost moveOfOne = cost(journal, lease, List.of(Moves.plain(one, 1)));
        Cost moveOfMany = cost(
                journal, lease, keys.stream().map(key -> Moves.plain(key, 1)).toList());
        Cost fullOfOne = cost(journal, lease, List.of(Moves.full(one, 2)));
        Cost fullOfMany = cost(
                journal, lease, keys.stream().map(key -> Moves.full(key, 2)).toList());

        // runs, entries, feed, and a birth is counted
        assertEquals(new Cost(1, 3 + 1), birthOfOne);
        assertEquals(birthOfOne, birthOfMany);
        assertEquals(new Cost(1, 3), moveOfOne);
        assertEquals(moveOfOne, moveOfMany);
        // and timers set and gone, snapshots, receipts, payloads, outbox, letters, human tasks open and gone; an upsert
        // fires the triggers of both its halves; those of human tasks keep whom they ask
        assertEquals(new Cost(1, 3 + 2 + 1 + 2 + 2 + 1 + 1 + 1 + 2 + 1 + PARTIES), fullOfOne);
        assertEquals(fullOfOne, fullOfMany);
    }

    private static long updates(Connection asking, String of) throws Exception {
        run(asking, "SELECT pg_stat_force_next_flush()", "SELECT 1");
        return number(asking, "SELECT " + of + " FROM pg_stat_user_tables WHERE relid = 'flowstone.runs'::regclass");
    }

    @Test
    void aMoveThatChangesNeitherStatusNorWakefulnessWritesNoIndexEntry() throws Exception {
        Lease lease = lease(0);
        RunKey run = Moves.run(lease);
        try (var pool = Pools.engine(
                config().withConnections(1, 1), Passwords.of(config()).engine())) {
            PostgresJournal journal = new PostgresJournal(
                    new Database(pool), id -> opened().ports().leases().shards().get(id.number()));
            RunMove plain = Moves.plain(run, 1);
            journal.commit(Moves.commit(lease, Moves.plain(run, 0)));
            journal.commit(Moves.commit(lease, plain));
            journal.commit(Moves.commit(lease, Moves.plain(run, 2)));
            journal.commit(Moves.commit(lease, Moves.into(RunStatus.SUCCEEDED, run, plain.workflow(), 3)));

            try (Connection same = pool.getConnection()) {
                assertEquals(3, updates(same, "n_tup_upd"));
                assertEquals(2, updates(same, "n_tup_hot_upd"));
            }
        }
    }
}
