package dev.flowstone.postgres.embedded;

import dev.flowstone.postgres.PostgresConfig.Login;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.UnusableDirectory;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.WrongVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The files of a database: made whole or not at all, recognised as ours, configured before every start. */
final class Cluster {
    static final String FOLDER = "postgres";

    private static final String PASSWORD_FILE = "postgres.password";
    private static final String USER = "flowstone_admin";

    /** Of the log's files, so many are kept for use again. */
    private static final int SHORTEST_LOG_MEGABYTES = 256;

    /** Nobody is trusted: not by address, not by a local socket. */
    private static final String ACCESS = """
            # Written by Flowstone at every start.
            # TYPE  DATABASE  USER  ADDRESS       METHOD
            host    all       all   127.0.0.1/32  scram-sha-256
            """;

    private final Path path;
    private final String password;
    private final EmbeddedConfig config;
    private final Identity identity;

    private Cluster(Path path, String password, EmbeddedConfig config, Identity identity) {
        this.path = path;
        this.password = password;
        this.config = config;
        this.identity = identity;
    }

    Path path() {
        return path;
    }

    Login admin() {
        return new Login(USER, password);
    }

    /** The superuser of the database in this directory, with the password that lies there. */
    static Login admin(Path directory) throws IOException {
        return new Login(
                USER, Files.readString(directory.resolve(PASSWORD_FILE)).strip());
    }

    static Cluster openOrCreate(EmbeddedConfig config, PostgresBinaries binaries, Identity identity)
            throws IOException, EmbeddedPostgresException {
        Path path = config.directory().resolve(FOLDER);
        Path passwordFile = config.directory().resolve(PASSWORD_FILE);
        if (!Files.exists(path)) {
            create(config, binaries, identity, path, passwordFile);
        }
        checkVersion(path, binaries);
        if (!Files.isReadable(passwordFile)) {
            throw new UnusableDirectory("the database in " + path + " has no password file " + passwordFile
                    + ": it isn't Flowstone's, or the file was removed; bring it back, or use another data directory");
        }
        return new Cluster(path, Files.readString(passwordFile).strip(), config, identity);
    }

    /** Beside its place, then renamed: a start that is killed in between leaves nothing that looks like a database. */
    private static void create(
            EmbeddedConfig config, PostgresBinaries binaries, Identity identity, Path path, Path passwordFile)
            throws IOException, EmbeddedPostgresException {
        removeLeftovers(config.directory());
        Path fresh = Files.createTempDirectory(config.directory(), FOLDER + ".new-");
        writePassword(passwordFile);
        Path readable = Files.copy(passwordFile, fresh.resolve("password"), StandardCopyOption.COPY_ATTRIBUTES);
        Path data = Files.createDirectory(
                fresh.resolve("data"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (identity.owner().isPresent()) {
            Trees.chown(fresh, identity.owner().get());
        }
        List<String> command = new ArrayList<>(identity.prefix());
        command.addAll(List.of(
                binaries.program("initdb").toString(),
                "--username=" + USER,
                "--auth=scram-sha-256",
                "--pwfile=" + readable,
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--no-instructions"));
        Command.Result result = Command.run(command, config.directory(), Map.of("PGDATA", data.toString()));
        if (result.exitCode() != 0) {
            Trees.delete(fresh);
            throw Failures.of(config.directory(), "making a database", result.output());
        }
        Files.move(data, path, StandardCopyOption.ATOMIC_MOVE);
        Trees.delete(fresh);
    }

    private static void writePassword(Path file) throws IOException {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                file,
                Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n",
                StandardOpenOption.WRITE,
                StandardOpenOption.SYNC);
    }

    private static void removeLeftovers(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path leftover : files.filter(
                            file -> file.getFileName().toString().startsWith(FOLDER + ".new-"))
                    .toList()) {
                Trees.delete(leftover);
            }
        }
    }

    private static void checkVersion(Path path, PostgresBinaries binaries)
            throws IOException, EmbeddedPostgresException {
        Path versionFile = path.resolve("PG_VERSION");
        if (!Files.isRegularFile(versionFile)) {
            throw new UnusableDirectory(path + " is no PostgreSQL database (it has no PG_VERSION): restore it from a"
                    + " backup, move it away, or use another data directory");
        }
        String found = Files.readString(versionFile).strip();
        String ours = binaries.majorVersion();
        if (!found.equals(ours)) {
            throw new WrongVersion(path, found, ours);
        }
    }

    /** The whole configuration is ours and written before each start. */
    void configure(int port) throws IOException {
        write("pg_hba.conf", ACCESS);
        write("postgresql.conf", settings(port));
    }

    private String settings(int port) {
        return """
                # Written by Flowstone at every start; changes are lost.
                listen_addresses = '127.0.0.1'
                port = %d
                unix_socket_directories = ''
                max_connections = %d
                password_encryption = 'scram-sha-256'

                # What was acknowledged survives. Asked back from the running server.
                fsync = on
                full_page_writes = on
                synchronous_commit = on

                # Few checkpoints: each makes the next change of every page log the whole page.
                shared_buffers = '%dMB'
                checkpoint_timeout = '15min'
                max_wal_size = '%dMB'
                min_wal_size = '%dMB'
                wal_level = replica
                max_wal_senders = 2

                # Small machines: many short transactions, no parallel plans, nothing to compile.
                jit = off
                max_parallel_workers_per_gather = 0
                huge_pages = try
                work_mem = '8MB'
                maintenance_work_mem = '64MB'
                effective_cache_size = '1GB'
                random_page_cost = 1.1
                autovacuum_naptime = '20s'
                autovacuum_max_workers = 2
                track_io_timing = off

                log_timezone = 'UTC'
                timezone = 'UTC'
                datestyle = 'iso, mdy'
                lc_messages = 'C'
                log_line_prefix = '%%m [%%p] '
                log_checkpoints = off
                log_min_messages = warning
                log_min_error_statement = panic
                """.formatted(
                        port,
                        config.maxConnections(),
                        config.sharedBuffersMegabytes(),
                        config.logMegabytes(),
                        Math.min(SHORTEST_LOG_MEGABYTES, config.logMegabytes()));
    }

    /** In place, so that the file keeps its owner. */
    private void write(String name, String content) throws IOException {
        Path file = path.resolve(name);
        Files.writeString(file, content);
        if (identity.owner().isPresent()) {
            Trees.chown(file, identity.owner().get());
        }
    }
}
