package dev.flowstone.postgres;

import dev.flowstone.engine.effect.Inbox;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;

/** The inbox as other processes fill it: as the API's role, each message in its tenant's transaction. */
final class PostgresInbox implements Inbox {
    private static final String ACCEPT = """
            INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """;

    private final Database api;

    PostgresInbox(Database api) {
        this.api = api;
    }

    @Override
    public boolean accept(InboxMessage message) throws JournalException {
        return api.asTenant(message.key().tenant(), connection -> {
            try (var insert = connection.prepareStatement(ACCEPT)) {
                insert.setString(1, message.key().tenant().value());
                insert.setString(2, message.key().source());
                insert.setString(3, message.key().key());
                insert.setObject(4, message.run().value());
                insert.setInt(5, message.run().slot().number());
                insert.setString(6, message.kind());
                insert.setBytes(7, Json.write(message.content()));
                insert.setObject(8, Times.parameter(message.receivedAt()));
                return insert.executeUpdate() == 1;
            }
        });
    }
}
