package dev.flowstone.postgres;

import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** What changes of triggers mean to their schedules, in the same transaction: the owner of the slot looks at once, and counts from now. */
final class ScheduleChanges {
    private ScheduleChanges() {}

    private static final String BEGIN = """
            INSERT INTO flowstone.trigger_schedules (tenant, trigger_id, slot, since, look_at, turn)
            VALUES (?, ?, ?, clock_timestamp(), clock_timestamp(), 1)
            """;

    /** One that is new. */
    static void begin(Connection connection, TriggerKey key) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(BEGIN)) {
            insert.setInt(TriggerRows.key(insert, key, 0) + 1, key.slot().number());
            insert.execute();
        }
    }

    private static final String CHANGE = """
            UPDATE flowstone.trigger_schedules s
            SET due = NULL, since = clock_timestamp(), look_at = clock_timestamp(), turn = s.turn + 1
            FROM flowstone.triggers t
            WHERE s.tenant = ? AND s.trigger_id = ? AND t.tenant = s.tenant AND t.id = s.trigger_id AND t.config <> ?
            """;

    /**
     * One that is to have a configuration, before it has it: what was due by another one isn't any more.
     *
     * @return whether it has another one
     */
    static boolean change(Connection connection, TriggerKey key, JsonObject config) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(CHANGE)) {
            update.setBytes(TriggerRows.key(update, key, 0) + 1, Json.write(config));
            return update.executeUpdate() > 0;
        }
    }

    private static final String WAKE = """
            UPDATE flowstone.trigger_schedules
            SET since = clock_timestamp(), look_at = clock_timestamp(), turn = turn + 1
            WHERE tenant = ? AND trigger_id = ?
            """;

    /** One that is turned on or off. */
    static void wake(Connection connection, TriggerKey key) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(WAKE)) {
            TriggerRows.key(update, key, 0);
            update.execute();
        }
    }
}
