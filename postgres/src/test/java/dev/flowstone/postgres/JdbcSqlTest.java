package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.kernel.command.FailureClass;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose fault a failed statement is. */
final class JdbcSqlTest {
    private static Exception explained(String state, String message) {
        RuntimeException failed = JdbcSql.failed(new SQLException(message, state));
        return failed instanceof JdbcSql.Failed database ? JdbcSql.explained(database.cause()) : failed;
    }

    private static String told(String state, String message) {
        MutationException told = assertInstanceOf(MutationException.class, explained(state, message));
        return told.failure() + " " + told.code();
    }

    @Test
    void aStatementWhosePlanIsOutdatedMayBeMadeAgain() {
        assertEquals(
                FailureClass.RETRYABLE + " " + MutationException.CONFLICT,
                told("0A000", "ERROR: cached plan must not change result type"));
    }

    @Test
    void whatADatabaseThatChangesHandsRefusesIsNotTheStatementsFault() {
        for (String state : List.of("25006", "26000", "57P01", "08006", "53300")) {
            assertInstanceOf(JournalException.class, explained(state, "later"), state);
        }
    }

    @Test
    void whatIsWrongWithAStatementIsWrongForGood() {
        for (String state : List.of("0A000", "42P01", "23505", "22P02", "44000", "P0001")) {
            assertEquals(FailureClass.PERMANENT + " " + MutationException.REFUSED, told(state, "never"), state);
        }
    }
}
