package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.PostgresConfig.Login;

/**
 * The files of a server's write-ahead log, for measurements. A server that has been in use for a while overwrites those it has;
 * a new one makes each while somebody waits for it: writes 16 MB of zeros and forces them to disk. Whoever measures first on
 * a new server, measures that.
 */
public final class WalFiles {
    /** Between two looks at how far it is. */
    private static final int PIECE_MB = 64;

    private static final int MB = 1 << 20;

    /** The server begins a checkpoint, after which it uses files again, when a good half of its bound is written. */
    private static final String MISSING_MB = """
            SELECT greatest(0, pg_size_bytes(current_setting('max_wal_size')) / 2
                             - count(f.name) * pg_size_bytes(current_setting('wal_segment_size'))) / 1048576
            FROM pg_ls_waldir() AS f
            WHERE f.name ~ '^[0-9A-F]{24}$' AND f.name > pg_walfile_name(pg_current_wal_lsn())
            """;

    private static final String WRITE =
            "SELECT count(pg_logical_emit_message(false, 'flowstone', repeat('-', ?))) FROM generate_series(1, ?)";

    private WalFiles() {}

    /** Told how many megabytes are to come. */
    @FunctionalInterface
    public interface Progress {
        void left(long megabytes);
    }

    /**
     * Writes once through as many files as lie between two checkpoints, and lets a checkpoint set them free. Does nothing where
     * they are there. As the administrator, who must be a superuser; takes seconds, and the disk that {@code max_wal_size} allows.
     */
    public static void prepare(PostgresConfig server, Progress progress) throws JournalException {
        Login admin = server.admin();
        Database database = new Database(Pools.single(server, admin.user(), admin.password()));
        long left =
                database.query(MISSING_MB, query -> {}, row -> row.getLong(1)).getFirst();
        if (left == 0) {
            return;
        }
        for (; left > 0; left -= PIECE_MB) {
            progress.left(left);
            database.query(
                    WRITE,
                    query -> {
                        query.setInt(1, MB);
                        query.setInt(2, PIECE_MB);
                    },
                    row -> row.getLong(1));
        }
        database.change("CHECKPOINT", statement -> {});
    }
}
