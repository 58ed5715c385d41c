package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.postgres.PostgresConfig.Login;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A PostgreSQL that is installed on the machine, such as Debian's, on data of its own. */
final class InstalledServer {
    /** What is to be done where there is none. */
    static final String MISSING = "PostgreSQL 15 isn't on this machine: apt-get install postgresql-15, as .ci/run does";

    private static final Login ADMIN = new Login("flowstone_admin", "installed");
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);

    private final Process process;
    private final PostgresConfig config;

    private InstalledServer(Process process, PostgresConfig config) {
        this.process = process;
        this.config = config;
    }

    static boolean isAt(Path home) {
        return Files.isExecutable(home.resolve("bin").resolve("postgres"));
    }

    /**
     * Makes a cluster and starts its server.
     *
     * @param home holds {@code bin}
     * @param directory empty
     */
    static InstalledServer start(Path home, Path directory) throws Exception {
        Path data = directory.resolve("data");
        Path password = Files.writeString(directory.resolve("password"), ADMIN.password());
        own(password);
        own(directory);
        Process made = process(
                        directory,
                        home.resolve("bin/initdb").toString(),
                        "--pgdata=" + data,
                        "--username=" + ADMIN.user(),
                        "--pwfile=" + password,
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale=C.UTF-8",
                        "--no-sync")
                .start();
        assertEquals(0, made.waitFor(), () -> "initdb: " + log(directory));
        int port = PgBouncer.freePort();
        Process process = process(
                        directory,
                        home.resolve("bin/postgres").toString(),
                        "-D",
                        data.toString(),
                        "-p",
                        Integer.toString(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "shared_buffers=64MB",
                        "-c",
                        "max_connections=60",
                        "-c",
                        "jit=off",
                        "-c",
                        "max_parallel_workers_per_gather=0",
                        "-c",
                        "random_page_cost=1.1")
                .start();
        InstalledServer server = new InstalledServer(
                process, PostgresConfig.of("jdbc:postgresql://127.0.0.1:" + port + "/postgres", ADMIN));
        server.awaitReady(directory);
        return server;
    }

    /** PostgreSQL refuses to work as root; Debian's package has made a user for it. */
    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static void own(Path path) throws IOException {
        if (isRoot()) {
            Files.setOwner(
                    path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("postgres"));
        }
    }

    private static ProcessBuilder process(Path directory, String... command) {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        all.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()));
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder;
    }

    private static String log(Path directory) {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void awaitReady(Path directory) throws IOException {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            try (Connection _ = DriverManager.getConnection(config.url(), ADMIN.user(), ADMIN.password())) {
                return;
            } catch (SQLException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw new IOException("it doesn't start: " + log(directory), e);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    long processId() {
        return process.pid();
    }

    PostgresConfig config() {
        return config;
    }
}
