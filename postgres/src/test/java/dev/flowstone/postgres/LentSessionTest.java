package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a handler leaves in its session is gone for the next one that gets the connection: here, the only one. */
final class LentSessionTest extends SubjectTransactions {
    private static final String PID = "SELECT pg_backend_pid() AS pid";

    private PostgresPorts single;
    private int attempt;

    /** Only {@link #openOne} fills the field, before each test. */
    @SuppressWarnings("NullAway.Init")
    LentSessionTest() {}

    @BeforeEach
    void openOne() throws Exception {
        admin("CREATE FUNCTION public.keep(name text, value text) RETURNS text LANGUAGE sql AS"
                + " $$SELECT set_config(name, value, false)$$");
        single = PostgresPorts.open(config().withConnections(1, 1));
    }

    @AfterEach
    void closeOne() {
        single.close();
    }

    /** Others' statements. */
    @FunctionalInterface
    private interface Statements {
        List<JsonObject> make(SqlHandle sql);
    }

    /** In a handler whose transaction is committed. */
    private List<JsonObject> handled(Statements statements) throws Exception {
        attempt++;
        List<JsonObject> found = new ArrayList<>();
        Step step = transaction -> {
            found.addAll(statements.make(transaction.sql()));
            transaction.keepVersion();
            return TaskResult.ok(JsonNull.NULL);
        };
        admin("DELETE FROM flowstone.inbox");
        recorded(single.ports().transactions().execute(request(attempt), step));
        return found;
    }

    @Test
    void aSettingOfTheSessionIsGone() throws Exception {
        List<JsonObject> before = handled(sql -> sql.query("SELECT current_setting('work_mem') AS v"));

        var _ = handled(sql -> sql.query("SELECT public.keep('work_mem', '65kB')"));

        assertEquals(before, handled(sql -> sql.query("SELECT current_setting('work_mem') AS v")));
    }

    /** It would hide the table of the same name from whoever comes next. */
    @Test
    void aTemporaryTableIsGone() throws Exception {
        var _ = handled(sql -> {
            sql.update("SELECT 'hidden' AS id INTO TEMPORARY documents");
            return sql.query("SELECT id FROM documents");
        });

        assertEquals(
                new JsonString("7"),
                handled(sql -> sql.query("SELECT id FROM public.documents"))
                        .getFirst()
                        .members()
                        .get("id"));
        assertEquals(0, number("SELECT count(*) FROM pg_class WHERE relname = 'documents' AND relpersistence = 't'"));
    }

    /** Advisory locks of a session outlive even a transaction that is rolled back. */
    @Test
    void anAdvisoryLockIsReleasedAlsoByWhoIsUndone() throws Exception {
        var _ = handled(sql -> sql.query("SELECT pg_advisory_lock(7)"));
        assertEquals(0, locks());
        admin("DELETE FROM flowstone.inbox");
        Step fails = transaction -> {
            transaction.sql().query("SELECT pg_advisory_lock(8)");
            assertEquals(1, locks());
            throw new IllegalStateException("on purpose");
        };

        assertThrows(
                IllegalStateException.class, () -> single.ports().transactions().execute(request(99), fails));

        assertEquals(0, locks());
    }

    private long locks() throws Exception {
        return number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database ="
                + " (SELECT oid FROM pg_database WHERE datname = current_database())");
    }

    /** Neither the connection nor what the driver has prepared on it: that would make every call slower. */
    @Test
    void theConnectionAndItsPreparedStatementsStay() throws Exception {
        HashSet<JsonObject> sessions = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            sessions.addAll(handled(sql -> sql.query(PID)));
        }

        assertEquals(1, sessions.size());
        assertNotEquals(
                JsonNumber.of(0),
                handled(sql -> sql.query("SELECT count(*) AS n FROM pg_prepared_statements"))
                        .getFirst()
                        .members()
                        .get("n"));
    }

    /** What a handler broke doesn't undo what it did, nor break the next one. */
    @Test
    void aConnectionThatCannotBeResetIsReplaced() throws Exception {
        List<JsonObject> before = handled(sql -> sql.query(PID));
        admin("CREATE FUNCTION public.end_me() RETURNS boolean LANGUAGE sql SECURITY DEFINER AS"
                + " $$SELECT pg_terminate_backend(pg_backend_pid())$$");

        Exception ended = assertThrows(Exception.class, () -> handled(sql -> sql.query("SELECT public.end_me()")));

        assertEquals(true, ended instanceof JournalException || ended instanceof MutationException, ended::toString);
        assertNotEquals(before, handled(sql -> sql.query(PID)));
    }
}
