package dev.flowstone.postgres;

import dev.flowstone.engine.effect.SubjectMessage;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.read.EditWindow;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A subject's row and its window rows, locked in one transaction of its tenant's: in the order in which commits do. */
final class SubjectRows {
    private final Connection connection;
    private final SubjectKey key;
    private final long version;
    private final List<Window> windows;

    private SubjectRows(Connection connection, SubjectKey key, long version, List<Window> windows) {
        this.connection = connection;
        this.key = key;
        this.version = version;
        this.windows = windows;
    }

    /** One run's word, tightened by edits that it hasn't heard of. */
    record Window(RunId run, boolean live, EditWindow window, Optional<EditWindow> tightened) {
        EditWindow effective() {
            return tightened.map(window::strictest).orElse(window);
        }
    }

    private static final String LOCK = """
            INSERT INTO flowstone.subjects AS s (tenant, kind, id, slot, version) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (tenant, kind, id) DO UPDATE SET version = s.version
            RETURNING s.version
            """;

    private static final String WINDOWS = """
            SELECT run_id, live, mode, fields, tightened_mode, tightened_fields FROM flowstone.subject_windows
            WHERE tenant = ? AND kind = ? AND id = ?
            ORDER BY run_id
            FOR UPDATE
            """;

    /**
     * Waits for the rows.
     *
     * @param slot of the subject, for one that isn't known yet
     * @param known its version, likewise
     */
    static SubjectRows lock(Connection connection, SubjectKey key, int slot, long known) throws SQLException {
        long version;
        try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
            bind(lock, key);
            lock.setInt(4, slot);
            lock.setLong(5, known);
            try (ResultSet row = lock.executeQuery()) {
                row.next();
                version = row.getLong(1);
            }
        }
        return new SubjectRows(
                connection,
                key,
                version,
                Database.query(connection, WINDOWS, query -> bind(query, key), SubjectRows::window));
    }

    private static void bind(PreparedStatement statement, SubjectKey key) throws SQLException {
        statement.setString(1, key.tenant().value());
        statement.setString(2, key.subject().kind());
        statement.setString(3, key.subject().id());
    }

    private static Window window(ResultSet row) throws SQLException {
        String tightened = row.getString(5);
        return new Window(
                new RunId(row.getObject(1, UUID.class)),
                row.getBoolean(2),
                window(row.getString(3), row.getArray(4)),
                tightened == null ? Optional.empty() : Optional.of(window(tightened, row.getArray(6))));
    }

    private static EditWindow window(String mode, @Nullable Array fields) throws SQLException {
        return new EditWindow(
                EditWindow.Mode.valueOf(mode),
                fields == null ? Optional.empty() : Optional.of(List.of((String[]) fields.getArray())));
    }

    long version() {
        return version;
    }

    /** The strictest of the runs that live; if none does, of what those have left that have ended. */
    EditWindow window() {
        boolean live = windows.stream().anyMatch(Window::live);
        return windows.stream()
                .filter(window -> window.live() || !live)
                .map(Window::effective)
                .reduce(EditWindow.OPEN, EditWindow::strictest);
    }

    private static final String RAISE =
            "UPDATE flowstone.subjects SET version = ? WHERE tenant = ? AND kind = ? AND id = ?";

    /** It has the next version; every run that lives, but for one, is told. */
    List<RunId> raise(Optional<RunId> but) throws SQLException {
        long next = version + 1;
        try (PreparedStatement raise = connection.prepareStatement(RAISE)) {
            raise.setLong(1, next);
            raise.setString(2, key.tenant().value());
            raise.setString(3, key.subject().kind());
            raise.setString(4, key.subject().id());
            raise.executeUpdate();
        }
        List<RunId> told = new ArrayList<>(windows.size());
        for (Window window : windows) {
            if (window.live() && !but.equals(Optional.of(window.run()))) {
                SubjectMessage message = new SubjectMessage(next);
                RunKey run = new RunKey(key.tenant(), window.run());
                leave(connection, message.key(run), window.run(), SubjectMessage.KIND, message.content());
                told.add(window.run());
            }
        }
        return told;
    }

    private static final String TIGHTEN = """
            UPDATE flowstone.subject_windows
            SET tightened_mode = ?, tightened_fields = ?, tightened_version = ?
            WHERE tenant = ? AND kind = ? AND id = ? AND run_id = ?
            """;

    /** Until the runs that live know the next version. */
    void tighten(EditWindow to) throws SQLException {
        for (Window window : windows) {
            if (window.live()) {
                EditWindow both = window.tightened().map(to::strictest).orElse(to);
                try (PreparedStatement tighten = connection.prepareStatement(TIGHTEN)) {
                    tighten.setString(1, both.mode().name());
                    tighten.setArray(
                            2,
                            both.fields().isEmpty()
                                    ? null
                                    : connection.createArrayOf(
                                            "text", both.fields().get().toArray()));
                    tighten.setLong(3, version + 1);
                    tighten.setString(4, key.tenant().value());
                    tighten.setString(5, key.subject().kind());
                    tighten.setString(6, key.subject().id());
                    tighten.setObject(7, window.run().value());
                    tighten.executeUpdate();
                }
            }
        }
    }

    private static final String LEAVE = """
            INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, clock_timestamp())
            ON CONFLICT DO NOTHING
            """;

    /** Leaves a message for a run; true if it is the first one under its key. */
    static boolean leave(Connection connection, InboxKey key, RunId run, String kind, JsonObject content)
            throws SQLException {
        try (PreparedStatement leave = connection.prepareStatement(LEAVE)) {
            leave.setString(1, key.tenant().value());
            leave.setString(2, key.source());
            leave.setString(3, key.key());
            leave.setObject(4, run.value());
            leave.setInt(5, run.slot().number());
            leave.setString(6, kind);
            leave.setBytes(7, Json.write(content));
            return leave.executeUpdate() == 1;
        }
    }
}
