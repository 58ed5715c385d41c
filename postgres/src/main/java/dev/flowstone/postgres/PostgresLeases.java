package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.ownership.Census;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.kernel.id.Slot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Leases in database time. A takeover is one statement that turns the heartbeat row and the fence row; it waits for the
 * commits of the holder before, which hold the fence row FOR SHARE.
 */
final class PostgresLeases implements Leases {
    /** If the server has gone without a word, what is left of a lease is to be enough for a try on another connection. */
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final Database engine;
    private final List<Shard> shards;
    private final Map<ShardId, Shard> byId;

    private PostgresLeases(Database engine, List<Shard> shards) {
        this.engine = engine.answeringWithin(ANSWER);
        this.shards = List.copyOf(shards);
        this.byId = shards.stream().collect(Collectors.toMap(Shard::id, Function.identity()));
    }

    private static final String CUT = """
            WITH cut AS (
                INSERT INTO flowstone.shards (shard, first_slot, last_slot, stream)
                SELECT u.shard, u.first_slot, u.last_slot, u.shard
                FROM unnest(?, ?, ?) AS u (shard, first_slot, last_slot)
                WHERE NOT EXISTS (SELECT FROM flowstone.shards)
                ON CONFLICT DO NOTHING
                RETURNING shard
            ), fences AS (
                INSERT INTO flowstone.epochs (shard, epoch, holder) SELECT shard, 0, '' FROM cut
                ON CONFLICT DO NOTHING
            )
            INSERT INTO flowstone.heartbeats (shard, epoch, holder, until) SELECT shard, 0, '', '-infinity' FROM cut
            ON CONFLICT DO NOTHING
            """;

    private static final String SHARDS =
            "SELECT shard, first_slot, last_slot, stream FROM flowstone.shards ORDER BY shard";

    /** Cuts the slots into shards if nobody has yet. Two nodes that do it at once write the same rows, or the same number loses. */
    static PostgresLeases open(Database engine, int shardCount) throws JournalException {
        List<Shard> cut = cut(shardCount);
        engine.read(connection -> {
            try (var insert = connection.prepareStatement(CUT)) {
                insert.setObject(1, BinaryArray.ints(cut, shard -> shard.id().number()));
                insert.setObject(2, BinaryArray.ints(cut, Shard::firstSlot));
                insert.setObject(3, BinaryArray.ints(cut, Shard::lastSlot));
                return insert.executeUpdate();
            }
        });
        return new PostgresLeases(
                engine,
                engine.query(
                        SHARDS,
                        query -> {},
                        row -> new Shard(new ShardId(row.getInt(1)), row.getInt(2), row.getInt(3), row.getInt(4))));
    }

    private static List<Shard> cut(int count) {
        List<Shard> shards = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int first = Slot.COUNT * i / count;
            int last = Slot.COUNT * (i + 1) / count - 1;
            shards.add(new Shard(new ShardId(i), first, last, i));
        }
        return shards;
    }

    Shard shard(ShardId id) {
        Shard shard = byId.get(id);
        if (shard == null) {
            throw new IllegalArgumentException("there is no shard " + id);
        }
        return shard;
    }

    @Override
    public List<Shard> shards() {
        return shards;
    }

    private static final String ACQUIRE = """
            WITH taken AS (
                UPDATE flowstone.heartbeats
                SET epoch = epoch + 1, holder = ?, until = clock_timestamp() + ? * interval '1 microsecond'
                WHERE shard = ? AND (holder = ? OR until <= clock_timestamp())
                RETURNING shard, epoch, holder, until
            )
            UPDATE flowstone.epochs e
            SET epoch = t.epoch, holder = t.holder
            FROM taken t
            WHERE e.shard = t.shard
            RETURNING t.epoch, t.until
            """;

    @Override
    public Optional<Lease> acquire(ShardId id, String holder, Duration timeToLive) throws JournalException {
        Shard shard = shard(id);
        try {
            return one(
                    ACQUIRE,
                    statement -> {
                        statement.setString(1, holder);
                        statement.setLong(2, micros(timeToLive));
                        statement.setInt(3, id.number());
                        statement.setString(4, holder);
                    },
                    row -> new Lease(shard, holder, row.getLong(1), Times.instant(row, 2)));
        } catch (JournalException.Unavailable e) {
            if (SqlErrors.isLocked(e)) {
                // Something of the old owner's is still under way, and holds the fence until it has ended.
                return Optional.empty();
            }
            throw e;
        }
    }

    private static final String RENEW = """
            UPDATE flowstone.heartbeats
            SET until = clock_timestamp() + ? * interval '1 microsecond'
            WHERE shard = ? AND holder = ? AND epoch = ?
            RETURNING until
            """;

    @Override
    public Optional<Lease> renew(Lease lease, Duration timeToLive) throws JournalException {
        return one(
                RENEW,
                statement -> {
                    statement.setLong(1, micros(timeToLive));
                    statement.setInt(2, lease.shard().id().number());
                    statement.setString(3, lease.holder());
                    statement.setLong(4, lease.epoch());
                },
                row -> new Lease(lease.shard(), lease.holder(), lease.epoch(), Times.instant(row, 1)));
    }

    private static final String RELEASE = """
            UPDATE flowstone.heartbeats SET holder = '', until = '-infinity'
            WHERE shard = ? AND holder = ? AND epoch = ?
            RETURNING shard
            """;

    @Override
    public void release(Lease lease) throws JournalException {
        one(
                RELEASE,
                statement -> {
                    statement.setInt(1, lease.shard().id().number());
                    statement.setString(2, lease.holder());
                    statement.setLong(3, lease.epoch());
                },
                row -> row.getInt(1));
    }

    /** Those that have been gone for a day are forgotten by whoever comes next. */
    private static final String ANNOUNCE = """
            WITH forgotten AS (
                DELETE FROM flowstone.nodes WHERE until < clock_timestamp() - interval '1 day' AND node <> ?
            )
            INSERT INTO flowstone.nodes AS n (node, address, release, since, until)
            VALUES (?, ?, ?, clock_timestamp(), clock_timestamp() + ? * interval '1 microsecond')
            ON CONFLICT (node) DO UPDATE
            SET address = excluded.address,
                release = excluded.release,
                since = CASE WHEN n.until <= excluded.since THEN excluded.since ELSE n.since END,
                until = excluded.until
            RETURNING node
            """;

    @Override
    public Census announce(Member member, Duration timeToLive) throws JournalException {
        return briefly(connection -> {
            Database.query(
                    connection,
                    ANNOUNCE,
                    statement -> {
                        statement.setString(1, member.name());
                        statement.setString(2, member.name());
                        statement.setString(3, member.address());
                        statement.setString(4, member.release());
                        statement.setLong(5, micros(timeToLive));
                    },
                    row -> row.getString(1));
            return census(connection);
        });
    }

    @Override
    public Census census() throws JournalException {
        return briefly(PostgresLeases::census);
    }

    private static final String PRESENT = """
            SELECT node, address, release, since, (extract(epoch FROM until - clock_timestamp()) * 1000000)::bigint
            FROM flowstone.nodes
            WHERE until > clock_timestamp()
            ORDER BY node COLLATE "C"
            """;

    private static final String HOLDINGS = """
            SELECT shard, holder, epoch, (extract(epoch FROM until - clock_timestamp()) * 1000000)::bigint
            FROM flowstone.heartbeats
            WHERE until > clock_timestamp()
            """;

    private static Census census(Connection connection) throws SQLException {
        List<Census.Present> present = Database.query(
                connection,
                PRESENT,
                statement -> {},
                row -> new Census.Present(
                        new Member(row.getString(1), row.getString(2), row.getString(3)),
                        Times.instant(row, 4),
                        Duration.of(row.getLong(5), ChronoUnit.MICROS)));
        Map<ShardId, Census.Holding> holdings = new HashMap<>();
        Database.query(
                connection,
                HOLDINGS,
                statement -> {},
                row -> holdings.put(
                        new ShardId(row.getInt(1)),
                        new Census.Holding(
                                row.getString(2), row.getLong(3), Duration.of(row.getLong(4), ChronoUnit.MICROS))));
        return new Census(present, holdings);
    }

    private static final String LEAVE = "DELETE FROM flowstone.nodes WHERE node = ? RETURNING node";

    @Override
    public void leave(String member) throws JournalException {
        one(LEAVE, statement -> statement.setString(1, member), row -> row.getString(1));
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    /** Whoever keeps leases keeps those of many shards: for one of them it waits no longer than this. */
    private static final String PATIENCE = "SELECT set_config('lock_timeout', '250ms', true)";

    private <T> T briefly(Database.Work<T> work) throws JournalException {
        return engine.transaction(connection -> {
            try (PreparedStatement patience = connection.prepareStatement(PATIENCE)) {
                patience.execute();
            }
            return work.on(connection);
        });
    }

    private <T> Optional<T> one(String sql, Database.Binding binding, Database.RowReader<T> reader)
            throws JournalException {
        return briefly(connection ->
                Database.query(connection, sql, binding, reader).stream().findFirst());
    }
}
