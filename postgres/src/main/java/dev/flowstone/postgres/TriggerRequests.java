package dev.flowstone.postgres;

import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.Triggers.Change;
import dev.flowstone.engine.trigger.Triggers.Request;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Calls that made triggers and may be repeated; they are remembered longer than what they made. */
final class TriggerRequests {
    private static final String REQUEST =
            "SELECT request, trigger_id FROM flowstone.trigger_requests WHERE tenant = ? AND key = ?";

    private static final String REMEMBER = """
            INSERT INTO flowstone.trigger_requests (tenant, key, request, trigger_id, made_at)
            VALUES (?, ?, ?, ?, clock_timestamp())
            """;

    private TriggerRequests() {}

    private record Before(Sha256 content, TriggerId made) {}

    /** What came of the same request, if there was one. */
    static Optional<Change> before(Connection connection, TenantId tenant, Request request) throws SQLException {
        Optional<Before> before = Database.query(
                        connection,
                        REQUEST,
                        query -> {
                            query.setString(1, tenant.value());
                            query.setBytes(2, request.key().bytes());
                        },
                        row -> new Before(Sha256.ofBytes(row.getBytes(1)), new TriggerId(row.getObject(2, UUID.class))))
                .stream()
                .findFirst();
        if (before.isEmpty()) {
            return Optional.empty();
        }
        if (!before.get().content().equals(request.content())) {
            return Optional.of(new Change.OtherRequest());
        }
        return TriggerRows.find(connection, new TriggerKey(tenant, before.get().made()))
                .<Change>map(there -> new Change.Made(false, there))
                .or(() -> Optional.of(new Change.Gone()));
    }

    static void remember(Connection connection, TriggerKey key, Request request) throws SQLException {
        TriggerChanges.execute(connection, REMEMBER, insert -> {
            insert.setString(1, key.tenant().value());
            insert.setBytes(2, request.key().bytes());
            insert.setBytes(3, request.content().bytes());
            insert.setObject(4, key.id().value());
        });
    }
}
