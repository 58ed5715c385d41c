package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** Somebody who may do everything to the database, and changes what must never change. */
final class Tamper {
    private Tamper() {}

    /** Changes a bit of an entry, or changes it back. */
    static void flip(Connection superuser, RunRow row, long firstSequence, int at) throws SQLException {
        try (PreparedStatement update = superuser.prepareStatement("""
                UPDATE flowstone.entries SET bytes = set_byte(bytes, ?, get_byte(bytes, ?) # 1)
                WHERE run_id = ?::uuid AND first_seq = ?
                """)) {
            update.setInt(1, at);
            update.setInt(2, at);
            update.setString(3, row.key().run().toString());
            update.setLong(4, firstSequence);
            assertEquals(1, update.executeUpdate());
        }
    }

    /** Switches the triggers off, or on again, that refuse changes to the journal, also from a superuser. */
    static void guard(Connection superuser, boolean on) throws SQLException {
        try (Statement statement = superuser.createStatement()) {
            statement.execute("""
                    DO $$ DECLARE t record; BEGIN
                      FOR t IN SELECT tgrelid::regclass AS place, tgname FROM pg_trigger
                               WHERE NOT tgisinternal AND tgenabled = 'STATE'
                               AND (tgrelid = 'flowstone.entries'::regclass OR tgrelid IN (
                                   SELECT inhrelid FROM pg_inherits WHERE inhparent = 'flowstone.entries'::regclass))
                      LOOP EXECUTE format('ALTER TABLE ONLY %s TO TRIGGER %I', t.place, t.tgname); END LOOP;
                    END $$
                    """.replace("STATE", on ? "D" : "A")
                    .replace("TO TRIGGER", (on ? "ENABLE ALWAYS" : "DISABLE") + " TRIGGER"));
        }
    }

    static Connection superuser(House house) throws Exception {
        PostgresConfig config =
                EmbeddedPostgres.running(EmbeddedConfig.in(house.data())).orElseThrow();
        return DriverManager.getConnection(
                config.url(), config.admin().user(), config.admin().password());
    }
}
