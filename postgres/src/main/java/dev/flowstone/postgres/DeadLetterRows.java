package dev.flowstone.postgres;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetter.State;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Rows of dead letters. */
final class DeadLetterRows {
    /** Of a table or an alias {@code d}. */
    static final String COLUMNS = "d.tenant, d.id, d.source, d.key, d.run_id, d.reason, d.payload, d.state, d.attempts,"
            + " d.due_at, d.last_error, d.enqueued_at, d.failed_at";

    private DeadLetterRows() {}

    static DeadLetter letter(ResultSet row) throws SQLException {
        return new DeadLetter(
                new TenantId(row.getString(1)),
                row.getLong(2),
                new DeadSource(row.getString(3)),
                row.getString(4),
                Optional.ofNullable(row.getObject(5, UUID.class)).map(RunId::new),
                DeadReason.valueOf(row.getString(6)),
                Json.read(row.getBytes(7)),
                State.valueOf(row.getString(8).toUpperCase(Locale.ROOT)),
                row.getInt(9),
                Times.optional(row, 10),
                row.getString(11),
                Times.instant(row, 12),
                Times.instant(row, 13));
    }
}
