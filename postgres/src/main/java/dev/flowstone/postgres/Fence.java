package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException.StaleEpoch;
import dev.flowstone.engine.lease.Lease;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The proof of a lease in statements other than the commit: no row of the fence, no answer. */
final class Fence {
    private Fence() {}

    /** Binds {@code shard = ? AND epoch = ? AND holder = ?}. */
    static void bind(PreparedStatement statement, int first, Lease lease) throws SQLException {
        statement.setInt(first, lease.shard().id().number());
        statement.setLong(first + 1, lease.epoch());
        statement.setString(first + 2, lease.holder());
    }

    /** Of a query that joins the fence to its rows: nothing at all means stale, an empty row means no rows. */
    static <T> List<T> rows(List<Optional<T>> joined, Lease lease) throws StaleEpoch {
        if (joined.isEmpty()) {
            throw stale(lease);
        }
        return joined.stream().flatMap(Optional::stream).toList();
    }

    static StaleEpoch stale(Lease lease) {
        return new StaleEpoch("shard " + lease.shard().id() + " is no longer held by " + lease.holder()
                + " under epoch " + lease.epoch());
    }
}
