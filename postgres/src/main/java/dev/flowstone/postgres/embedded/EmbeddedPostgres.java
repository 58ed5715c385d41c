package dev.flowstone.postgres.embedded;

import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.PostgresConfig.Login;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.UnusableDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server in a data directory, for one Flowstone at a time. It listens on the loopback address only and knows
 * one password, which lies in the directory. {@link #close} stops it in good order; if the JVM is killed it may live on, and
 * the next start on the directory takes it over. It leaves the terminal's process group, so that Ctrl-C reaches Flowstone
 * alone, which closes it when the engine has stopped. A server that dies under a living Flowstone is started again on its
 * port.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    private static final String DATABASE = "postgres";

    private final DirectoryLock lock;
    private final Server server;
    private final Watch watch;

    private EmbeddedPostgres(DirectoryLock lock, Server server, RunningServer running) {
        this.lock = lock;
        this.server = server;
        this.watch = Watch.over(server, running);
    }

    /** Starts the server, or takes over one that outlived its Flowstone; makes the cluster first if there is none. */
    public static EmbeddedPostgres start(EmbeddedConfig config) throws EmbeddedPostgresException {
        Path directory = config.directory();
        DirectoryLock lock = null;
        try {
            create(directory);
            lock = DirectoryLock.acquire(directory);
            Server server = Server.in(config);
            EmbeddedPostgres started = new EmbeddedPostgres(lock, server, server.run());
            lock = null;
            return started;
        } catch (IOException e) {
            throw Failures.of(directory, e);
        } finally {
            release(lock);
        }
    }

    /** Whether a database was made in the directory. */
    public static boolean exists(EmbeddedConfig config) {
        return Files.exists(config.directory().resolve(Cluster.FOLDER));
    }

    /**
     * The ports' configuration on the server that another Flowstone runs in the directory, for reading beside it; empty
     * while there is none that answers.
     */
    public static Optional<PostgresConfig> running(EmbeddedConfig config) throws EmbeddedPostgresException {
        Path directory = config.directory();
        Path cluster = directory.resolve(Cluster.FOLDER);
        try {
            Optional<PostmasterPid> pid = PostmasterPid.read(cluster);
            Login admin = Cluster.admin(directory);
            return pid.filter(it -> it.port() != 0 && it.serves(cluster))
                    .filter(it -> ServerCheck.answers(it.port(), admin, cluster))
                    .map(it -> PostgresConfig.of("jdbc:postgresql://127.0.0.1:" + it.port() + "/" + DATABASE, admin));
        } catch (IOException e) {
            throw Failures.of(directory, e);
        }
    }

    private static void create(Path directory) throws IOException, UnusableDirectory {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new UnusableDirectory(directory + " is a file: a data directory is needed there");
        }
        if (!Files.exists(directory)) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
    }

    private static void release(@Nullable DirectoryLock lock) {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of the database that Flowstone uses. */
    public String jdbcUrl() {
        return jdbcUrl(DATABASE);
    }

    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + watch.running().port() + "/" + database;
    }

    /** The superuser, for migrations. */
    public Login admin() {
        return server.admin();
    }

    /** The ports' configuration on this server. */
    public PostgresConfig config() {
        return PostgresConfig.of(jdbcUrl(), admin());
    }

    public int port() {
        return watch.running().port();
    }

    /** Of the server's first process. */
    public long processId() {
        return watch.running().processId();
    }

    /** Whether the server had outlived another Flowstone and was taken over. */
    public boolean adopted() {
        return watch.running().adopted();
    }

    /** Stops the server: open transactions are rolled back, nothing that was acknowledged is lost. */
    @Override
    public void close() {
        watch.end();
        try {
            server.stop();
        } catch (IOException e) {
            throw new UncheckedIOException("the embedded PostgreSQL did not stop", e);
        } finally {
            release(lock);
        }
    }
}
