package dev.flowstone.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/** Data sources of each role: bounded waits everywhere, nothing of a session set. */
final class Pools {
    private static final int CONNECT_SECONDS = 10;
    private static final int SOCKET_SECONDS = 60;
    private static final int PREPARE_AFTER = 3;

    private Pools() {}

    static HikariDataSource engine(PostgresConfig config, String password) {
        return pool(config, config.roles().engine(), password, config.engineConnections());
    }

    /** One connection as the engine's role, for looking around: while nobody does there is none, and nobody who commits waits for it. */
    static HikariDataSource beside(PostgresConfig config, String password) {
        HikariConfig pool = settings(config, config.roles().engine(), password, 1);
        pool.setPoolName(config.roles().engine() + "-beside");
        pool.setMinimumIdle(0);
        pool.setIdleTimeout(TimeUnit.SECONDS.toMillis(CONNECT_SECONDS));
        pool.setInitializationFailTimeout(-1);
        return new HikariDataSource(pool);
    }

    static HikariDataSource api(PostgresConfig config, String password) {
        return pool(config, config.roles().api(), password, config.apiConnections());
    }

    private static HikariDataSource pool(PostgresConfig config, String user, String password, int connections) {
        HikariConfig pool = settings(config, user, password, connections);
        pool.setMinimumIdle(Math.min(connections, 2));
        pool.setInitializationFailTimeout(TimeUnit.SECONDS.toMillis(CONNECT_SECONDS));
        return new HikariDataSource(pool);
    }

    private static HikariConfig settings(PostgresConfig config, String user, String password, int connections) {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName(user);
        pool.setDataSource(source(config, user, password, SOCKET_SECONDS));
        pool.setMaximumPoolSize(connections);
        pool.setConnectionTimeout(TimeUnit.SECONDS.toMillis(CONNECT_SECONDS));
        return pool;
    }

    /** Unpooled; for what happens once, and without a limit on how long that takes. */
    static PGSimpleDataSource single(PostgresConfig config, String user, String password) {
        return source(config, user, password, 0);
    }

    private static PGSimpleDataSource source(PostgresConfig config, String user, String password, int socketSeconds) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(config.url());
        source.setUser(user);
        source.setPassword(password);
        source.setApplicationName("flowstone");
        source.setLoginTimeout(CONNECT_SECONDS);
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setSocketTimeout(socketSeconds);
        source.setTcpKeepAlive(true);
        source.setPrepareThreshold(config.prepare() ? PREPARE_AFTER : 0);
        source.setBinaryTransferEnable(BinaryArray.ALSO_BINARY);
        return source;
    }
}
