package dev.flowstone.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/** Data sources of each role: bounded waits everywhere, nothing of a session set. */
final class Pools {
    /** To one host; if there are several, the next is tried after it. */
    private static final int CONNECT_SECONDS = 3;

    private static final int LOGIN_SECONDS = 10;

    /** What people search for may take its time, up to the role's {@code statement_timeout}, of which the server tells. */
    private static final Duration API_SOCKET = Duration.ofSeconds(35);

    /** The same for the engine's role, where nobody waits for the answer. */
    private static final Duration BESIDE_SOCKET = Duration.ofSeconds(65);

    /** A loop that has no connection by then waits by its own pauses: it must hear soon when the database is back. */
    private static final Duration ENGINE_WAIT = Duration.ofSeconds(5);

    private static final Duration API_WAIT = Duration.ofSeconds(10);

    /** Of a connection that was idle: a server that went without a word doesn't answer, and there may be many to it. */
    private static final Duration ALIVE = Duration.ofSeconds(1);

    /** Others' statements run on these, and may make their own transaction read-only. */
    private static final Duration API_PAUSE = Duration.ofSeconds(30);

    private static final int PREPARE_AFTER = 3;

    private Pools() {}

    static HikariDataSource engine(PostgresConfig config, String password) {
        PGSimpleDataSource source = source(config, config.roles().engine(), password, config.socketTimeout());
        return pool(source, config.engineConnections(), ENGINE_WAIT, new Eviction(Duration.ZERO));
    }

    /** One connection as the engine's role, for looking around: while nobody does there is none, and nobody who commits waits for it. */
    static HikariDataSource beside(PostgresConfig config, String password) {
        PGSimpleDataSource source = source(config, config.roles().engine(), password, BESIDE_SOCKET);
        HikariConfig settings = settings(config.roles().engine() + "-beside", source, 1, API_WAIT);
        settings.setMinimumIdle(0);
        settings.setIdleTimeout(API_WAIT.toMillis());
        settings.setInitializationFailTimeout(-1);
        return open(settings, new Eviction(Duration.ZERO));
    }

    static HikariDataSource api(PostgresConfig config, String password) {
        PGSimpleDataSource source = source(config, config.roles().api(), password, API_SOCKET);
        return pool(source, config.apiConnections(), API_WAIT, new Eviction(API_PAUSE));
    }

    private static HikariDataSource pool(PGSimpleDataSource source, int connections, Duration wait, Eviction eviction) {
        HikariConfig settings = settings(source.getUser(), source, connections, wait);
        settings.setMinimumIdle(Math.min(connections, 2));
        settings.setInitializationFailTimeout(TimeUnit.SECONDS.toMillis(LOGIN_SECONDS));
        return open(settings, eviction);
    }

    private static HikariConfig settings(String name, PGSimpleDataSource source, int connections, Duration wait) {
        HikariConfig settings = new HikariConfig();
        settings.setPoolName(name);
        settings.setThreadFactory(new PoolThreads(name));
        settings.setDataSource(source);
        settings.setMaximumPoolSize(connections);
        settings.setConnectionTimeout(wait.toMillis());
        settings.setValidationTimeout(ALIVE.toMillis());
        return settings;
    }

    private static HikariDataSource open(HikariConfig settings, Eviction eviction) {
        settings.setExceptionOverride(eviction);
        HikariDataSource pool = new HikariDataSource(settings);
        eviction.watch(pool);
        return pool;
    }

    /** Side by side, and none waits for a database that is away. */
    static void close(Collection<HikariDataSource> pools) {
        try (ExecutorService closing = Executors.newVirtualThreadPerTaskExecutor()) {
            for (HikariDataSource pool : pools) {
                closing.execute(() -> close(pool));
            }
        }
    }

    private static void close(HikariDataSource pool) {
        if (pool.getThreadFactory() instanceof PoolThreads threads) {
            try (PoolThreads.Waking _ = threads.waking()) {
                pool.close();
            }
        } else {
            pool.close();
        }
    }

    /** Unpooled; for what happens once, and without a limit on how long that takes. */
    static PGSimpleDataSource single(PostgresConfig config, String user, String password) {
        return source(config, user, password, Duration.ZERO);
    }

    private static PGSimpleDataSource source(
            PostgresConfig config, String user, String password, Duration socketTimeout) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(config.url());
        source.setUser(user);
        source.setPassword(password);
        source.setApplicationName("flowstone");
        source.setLoginTimeout(LOGIN_SECONDS);
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setSocketTimeout(Math.toIntExact(socketTimeout.plusMillis(999).toSeconds()));
        source.setTcpKeepAlive(true);
        if (source.getSocketFactory() == null) {
            source.setSocketFactory(KeptAlive.class.getName());
        }
        source.setPrepareThreshold(config.prepare() ? PREPARE_AFTER : 0);
        source.setBinaryTransferEnable(BinaryArray.ALSO_BINARY);
        return source;
    }
}
