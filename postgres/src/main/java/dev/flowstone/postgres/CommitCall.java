package dev.flowstone.postgres;

import static dev.flowstone.postgres.BinaryArray.booleans;
import static dev.flowstone.postgres.BinaryArray.bytes;
import static dev.flowstone.postgres.BinaryArray.ints;
import static dev.flowstone.postgres.BinaryArray.longs;
import static dev.flowstone.postgres.BinaryArray.shorts;
import static dev.flowstone.postgres.BinaryArray.texts;
import static dev.flowstone.postgres.BinaryArray.times;
import static dev.flowstone.postgres.BinaryArray.uuids;

import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.postgres.CommitRows.Numbered;
import dev.flowstone.postgres.CommitRows.Of;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The one statement of a commit, whose parameters it binds in order: {@code flowstone.commit_2} of {@code V18__arrays.sql},
 * and on its reply, in the same transaction, {@code commit_programs} of {@code V8__migration.sql} and {@code commit_windows}
 * of {@code V9__subjects.sql}.
 */
final class CommitCall {
    private static final int COMMIT_PARAMETERS = 94;
    private static final int PARAMETERS = COMMIT_PARAMETERS + 2;
    private static final String SQL =
            "SELECT c.moved, c.feed_number, c.database_time, p.programs, w.windows FROM flowstone.commit_2("
                    + "?, ".repeat(COMMIT_PARAMETERS - 1)
                    + "?) AS c CROSS JOIN LATERAL flowstone.commit_programs(c.moved, ?) AS p (programs)"
                    + " CROSS JOIN LATERAL flowstone.commit_windows(c.moved, ?) AS w (windows)";

    private final PreparedStatement statement;
    private int bound;

    private CommitCall(PreparedStatement statement) {
        this.statement = statement;
    }

    /** Sends the rows and reads the reply: a transaction by itself on a connection in auto-commit. */
    static Committed execute(Connection connection, Lease lease, CommitRows rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SQL)) {
            new CommitCall(statement).bind(lease, rows);
            try (ResultSet reply = statement.executeQuery()) {
                reply.next();
                return new Committed(moved(rows, reply.getArray(1)), Times.instant(reply, 3), reply.getLong(2));
            }
        }
    }

    /** No array means that every run moved. */
    private static Set<RunKey> moved(CommitRows rows, @Nullable Array reply) throws SQLException {
        Set<RunKey> moved = new HashSet<>();
        if (reply == null) {
            rows.moves().forEach(move -> moved.add(move.key()));
        } else {
            for (Integer number : (Integer[]) reply.getArray()) {
                moved.add(rows.moves().get(number - 1).key());
            }
        }
        return moved;
    }

    private void bind(Lease lease, CommitRows rows) throws SQLException {
        Shard shard = lease.shard();
        integer(shard.id().number());
        statement.setLong(++bound, lease.epoch());
        statement.setString(++bound, lease.holder());
        integer(shard.firstSlot());
        integer(shard.lastSlot());
        integer(shard.stream());
        integer(rows.moves().size());
        statement.setBytes(++bound, rows.feed().bytes());
        array(ints(rows.feed().ends(), end -> end));
        births(rows.births());
        updates(rows.updates());
        entries(rows.entries());
        timersGone(rows.timersGone());
        timersSet(rows.timersSet());
        snapshots(rows.snapshots());
        receipts(rows.receipts());
        payloads(rows.payloads());
        outbox(rows.outbox());
        consumed(rows.consumed());
        letters(rows.letters());
        forgotten(rows.delivered());
        statement.setObject(++bound, HumanTaskJson.of(rows), Types.OTHER);
        statement.setObject(++bound, NewPrograms.of(rows), Types.OTHER);
        statement.setObject(++bound, WindowJson.of(rows), Types.OTHER);
        if (bound != PARAMETERS) {
            throw new IllegalStateException("bound " + bound + " of " + PARAMETERS + " parameters");
        }
    }

    private void births(List<Numbered> births) throws SQLException {
        array(ints(births, Numbered::number));
        array(texts(births, row -> tenant(row.move())));
        array(uuids(births, row -> run(row.move())));
        array(shorts(births, row -> slot(row.move())));
        array(texts(births, row -> row.move().workflow().value()));
        array(ints(births, row -> row.move().version()));
        array(bytes(births, row -> row.move().program().bytes()));
        array(texts(births, row -> row.move().correlation()));
        heads(births);
    }

    private void updates(List<Numbered> updates) throws SQLException {
        array(ints(updates, Numbered::number));
        array(texts(updates, row -> tenant(row.move())));
        array(uuids(updates, row -> run(row.move())));
        array(longs(updates, row -> row.move().expectedSequence()));
        heads(updates);
    }

    private void heads(List<Numbered> rows) throws SQLException {
        array(longs(rows, row -> row.move().newSequence()));
        array(bytes(rows, row -> row.move().newHash().bytes()));
        array(texts(rows, row -> row.move().status().name()));
        array(booleans(rows, row -> row.move().awake()));
        array(times(rows, row -> row.move().eventTime()));
        array(times(rows, row -> ended(row.move())));
    }

    private void entries(List<Of<JournalEntry>> entries) throws SQLException {
        owners(entries);
        array(longs(entries, row -> row.value().firstSequence()));
        array(longs(entries, row -> row.value().lastSequence()));
        array(bytes(entries, row -> row.value().bytes()));
        array(bytes(entries, row -> row.value().hash().bytes()));
    }

    private void timersGone(List<Of<TimerId>> gone) throws SQLException {
        owners(gone);
        array(texts(gone, row -> row.value().value()));
    }

    private void timersSet(List<Of<TimerRow>> timers) throws SQLException {
        owners(timers);
        array(shorts(timers, row -> slot(row.move())));
        array(texts(timers, row -> row.value().timer().value()));
        array(ints(timers, row -> row.value().generation()));
        array(times(timers, row -> Times.notBefore(row.value().dueAt())));
    }

    private void snapshots(List<Of<Snapshot>> snapshots) throws SQLException {
        owners(snapshots);
        array(longs(snapshots, row -> row.value().sequence()));
        array(bytes(snapshots, row -> row.value().bytes()));
    }

    private void receipts(List<Of<Receipt>> receipts) throws SQLException {
        array(ints(receipts, Of::number));
        array(texts(receipts, row -> row.value().key().tenant().value()));
        array(texts(receipts, row -> row.value().key().scope()));
        array(texts(receipts, row -> row.value().key().key()));
        array(shorts(receipts, row -> slot(row.move())));
        array(bytes(receipts, row -> row.value().request().bytes()));
        array(uuids(receipts, row -> row.value().run().value()));
        array(bytes(receipts, row -> Json.write(row.value().answer())));
        array(times(receipts, row -> row.value().expiresAt()));
    }

    private void payloads(List<Of<StoredPayload>> payloads) throws SQLException {
        array(ints(payloads, Of::number));
        array(texts(payloads, row -> tenant(row.move())));
        array(bytes(payloads, row -> row.value().hash().bytes()));
        array(bytes(payloads, row -> row.value().bytes()));
    }

    private void outbox(List<Of<OutboxMessage>> messages) throws SQLException {
        owners(messages);
        array(longs(messages, row -> row.value().causeSequence()));
        array(ints(messages, row -> row.value().ordinal()));
        array(shorts(messages, row -> slot(row.move())));
        array(texts(messages, row -> row.value().destination()));
        array(bytes(messages, row -> Json.write(row.value().content())));
        array(times(messages, row -> row.move().eventTime()));
    }

    private void consumed(List<InboxKey> keys) throws SQLException {
        array(texts(keys, key -> key.tenant().value()));
        array(texts(keys, InboxKey::source));
        array(texts(keys, InboxKey::key));
    }

    private void letters(List<Of<Letter>> letters) throws SQLException {
        owners(letters);
        array(shorts(letters, row -> slot(row.move())));
        array(longs(letters, row -> row.value().key().number()));
        array(uuids(letters, row -> row.value().key().receiver().value()));
        array(bytes(letters, row -> Json.write(row.value().content())));
    }

    private void forgotten(List<LetterKey> keys) throws SQLException {
        array(texts(keys, key -> key.tenant().value()));
        array(uuids(keys, key -> key.sender().value()));
        array(shorts(keys, key -> key.sender().slot().number()));
        array(longs(keys, LetterKey::number));
        array(uuids(keys, key -> key.receiver().value()));
    }

    /** Number of the move, tenant, run: how every row of a move begins. */
    private <T> void owners(List<Of<T>> rows) throws SQLException {
        array(ints(rows, Of::number));
        array(texts(rows, row -> tenant(row.move())));
        array(uuids(rows, row -> run(row.move())));
    }

    private void integer(int value) throws SQLException {
        statement.setInt(++bound, value);
    }

    private void array(BinaryArray column) throws SQLException {
        statement.setObject(++bound, column);
    }

    private static String tenant(RunMove move) {
        return move.key().tenant().value();
    }

    private static UUID run(RunMove move) {
        return move.key().run().value();
    }

    private static int slot(RunMove move) {
        return move.key().run().slot().number();
    }

    private static @Nullable Instant ended(RunMove move) {
        return move.status().isFinal() ? move.eventTime() : null;
    }
}
