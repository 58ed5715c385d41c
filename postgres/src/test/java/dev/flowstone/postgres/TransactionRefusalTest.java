package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.json.JsonNull;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What others' statements may not do, or the database refuses, fails for good, and nothing of it is committed. */
final class TransactionRefusalTest extends SubjectTransactions {
    /** Does it, and then posts. */
    void assertRefused(Consumer<SubjectTransaction> before) {
        MutationException refused = assertThrows(
                MutationException.class,
                () -> execute(request(1), transaction -> {
                    before.accept(transaction);
                    return POSTS.run(transaction);
                }));
        assertEquals(MutationException.REFUSED, refused.code());
        assertEquals(FailureClass.PERMANENT, refused.failure());
    }

    @Test
    void aStatementThatTheDatabaseRefusesIsAPermanentFailure() throws Exception {
        MutationException refused = assertThrows(
                MutationException.class,
                () -> execute(request(1), transaction -> {
                    transaction.sql().update("UPDATE public.documents SET version = NULL");
                    return POSTS.run(transaction);
                }));

        assertEquals(MutationException.REFUSED, refused.code());
        assertEquals(FailureClass.PERMANENT, refused.failure());
        assertEquals(0, edits());
    }

    @Test
    void aRefusalThatIsSwallowedCommitsNothingEither() throws Exception {
        MutationException refused = assertThrows(
                MutationException.class,
                () -> execute(request(1), transaction -> {
                    assertThrows(
                            MutationException.class, () -> transaction.sql().query("SELECT nonsense"));
                    return TaskResult.ok(JsonNull.NULL);
                }));

        assertEquals(MutationException.REFUSED, refused.code());
        assertEquals(1, version());
    }

    @Test
    void nobodyEndsTheTransactionFromWithin() throws Exception {
        for (String sql : List.of(
                "COMMIT",
                " rollback",
                "SET ROLE flowstone_owner",
                "SELECT 1; COMMIT",
                "/**/COMMIT",
                "--\nCOMMIT",
                "DO 'BEGIN END'",
                "CALL nothing()",
                "")) {
            MutationException refused = assertThrows(
                    MutationException.class,
                    () -> execute(request(1), transaction -> {
                        transaction.sql().update(sql);
                        return POSTS.run(transaction);
                    }),
                    sql);
            assertEquals(MutationException.REFUSED, refused.code());
        }
        assertEquals(0, edits());
    }

    /** The driver refuses a statement that returns rows where none are expected; once that was tried again for ever. */
    @Test
    void aStatementOfTheWrongKindIsAPermanentFailure() {
        assertRefused(transaction ->
                transaction.sql().update("UPDATE public.documents SET status = 'x' WHERE id = '7' RETURNING id"));
    }

    @Test
    void aConstraintThatIsJudgedAtTheEndIsAPermanentFailure() throws Exception {
        admin(
                "CREATE TABLE public.notes (id text PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)",
                "GRANT SELECT, INSERT ON public.notes TO " + config().roles().api());

        assertRefused(transaction -> {
            transaction.sql().update("INSERT INTO public.notes VALUES ('a')");
            transaction.sql().update("INSERT INTO public.notes VALUES ('a')");
        });

        assertEquals(List.of(), journal().inbox(lease, 10));
        assertEquals(1, version());
    }

    /** The database wouldn't mind: these never reach it, or have been made. */
    @Test
    @SuppressWarnings("NullAway") // a null parameter, on purpose
    void whatFailsWithoutEndingTheTransactionIsNotCommittedThoughItIsSwallowed() throws Exception {
        List<Consumer<SubjectTransaction>> failing = List.of(
                transaction -> transaction.sql().update("COMMIT"),
                transaction -> transaction.sql().query("SELECT 1; SELECT 2"),
                transaction -> transaction.sql().query("SELECT ?", 1.5),
                transaction -> transaction.sql().query("SELECT ?", (Object) null),
                transaction -> transaction
                        .sql()
                        .update("UPDATE public.documents SET status = 'x' WHERE id = '7' RETURNING id"));
        for (Consumer<SubjectTransaction> step : failing) {
            assertRefused(transaction -> assertThrows(MutationException.class, () -> step.accept(transaction)));
        }

        assertEquals(0, edits());
        assertEquals(1, version());
    }

    /** What its trigger raises looks like a bug of a statement of ours. */
    @Test
    void aTriggerThatRefusesAtTheEndIsAPermanentFailure() throws Exception {
        admin(
                "CREATE TABLE public.guarded (id text)",
                "CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$BEGIN RAISE EXCEPTION 'never' USING ERRCODE = '42501'; END$$",
                "CREATE CONSTRAINT TRIGGER refuses AFTER INSERT ON public.guarded DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION public.refuse()",
                "GRANT SELECT, INSERT ON public.guarded TO " + config().roles().api());

        assertRefused(transaction -> transaction.sql().update("INSERT INTO public.guarded VALUES ('a')"));

        assertEquals(1, version());
    }

    /** A function of the user's may do so; what it changed is seen before anything of ours follows. */
    @Test
    void nobodyBecomesAnotherTenantFromWithin() throws Exception {
        admin("CREATE FUNCTION public.become(tenant text) RETURNS text LANGUAGE sql AS"
                + " $$SELECT set_config('flowstone.tenant', tenant, true)$$");

        assertRefused(transaction -> transaction.sql().query("SELECT public.become('other')"));

        assertEquals(1, version());
    }

    @Test
    void settingsOfTheSessionAreNotChangedFromWithin() throws Exception {
        for (String sql : List.of(
                "SELECT set_config('flowstone.tenant', 'other', true)",
                "SELECT pg_catalog.SET_CONFIG('statement_timeout', '0', false)",
                "WITH a AS (UPDATE pg_settings SET setting = '0' WHERE name = 'lock_timeout' RETURNING 1) SELECT 1")) {
            assertRefused(transaction -> transaction.sql().query(sql));
        }

        assertEquals(1, version());
    }
}
