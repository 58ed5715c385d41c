package dev.flowstone.postgres;

import dev.flowstone.postgres.PostgresConfig.Login;
import java.io.File;
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

/**
 * A PostgreSQL that is installed on the machine, such as Debian's, on data of its own: for tests on the oldest release that
 * Flowstone works with, and with that release's tools. Not durable; ends with its {@link #close}.
 */
public final class InstalledServer implements AutoCloseable {
    /** What is to be done where there is none. */
    public static final String MISSING =
            "PostgreSQL 15 isn't on this machine: apt-get install postgresql-15, as .ci/run does";

    private static final Login ADMIN = new Login("flowstone_admin", "installed");
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);

    private final Path home;
    private final Path directory;
    private final Process process;
    private final PostgresConfig config;

    private InstalledServer(Path home, Path directory, Process process, PostgresConfig config) {
        this.home = home;
        this.directory = directory;
        this.process = process;
        this.config = config;
    }

    public static boolean isAt(Path home) {
        return Files.isExecutable(home.resolve("bin").resolve("postgres"));
    }

    /**
     * Starts a server, on the cluster in the directory's {@code data}, or on a new one if there is none.
     *
     * @param home holds {@code bin}
     * @param directory becomes the server's
     * @param settings of the server, {@code name=value}
     * @throws IOException if it doesn't start
     */
    public static InstalledServer start(Path home, Path directory, String... settings)
            throws IOException, InterruptedException {
        Path data = directory.resolve("data");
        own(directory);
        if (!Files.exists(data.resolve("PG_VERSION"))) {
            make(home, directory, data);
        }
        int port = PgBouncer.freePort();
        List<String> command = new ArrayList<>(
                List.of(home.resolve("bin/postgres").toString(), "-D", data.toString(), "-p", Integer.toString(port)));
        List<String> all = new ArrayList<>(List.of(
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "shared_buffers=64MB",
                "max_connections=60",
                "jit=off",
                "max_parallel_workers_per_gather=0",
                "random_page_cost=1.1"));
        all.addAll(List.of(settings));
        all.forEach(setting -> command.addAll(List.of("-c", setting)));
        InstalledServer server = new InstalledServer(
                home,
                directory,
                process(directory, command).start(),
                PostgresConfig.of("jdbc:postgresql://127.0.0.1:" + port + "/postgres", ADMIN));
        try {
            server.awaitReady();
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return server;
    }

    private static void make(Path home, Path directory, Path data) throws IOException, InterruptedException {
        Path password = Files.writeString(directory.resolve("password"), ADMIN.password());
        own(password);
        run(
                directory,
                List.of(
                        home.resolve("bin/initdb").toString(),
                        "--pgdata=" + data,
                        "--username=" + ADMIN.user(),
                        "--pwfile=" + password,
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale=C.UTF-8",
                        "--no-sync"));
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

    private static ProcessBuilder process(Path directory, List<String> command) {
        List<String> all = new ArrayList<>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()));
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder;
    }

    private static void run(Path directory, List<String> command) throws IOException, InterruptedException {
        ended(directory, process(directory, command), command.getFirst());
    }

    private static void ended(Path directory, ProcessBuilder builder, String what)
            throws IOException, InterruptedException {
        int exit = builder.start().waitFor();
        if (exit != 0) {
            throw new IOException(what + " ended with " + exit + ": " + log(directory));
        }
    }

    /**
     * Runs a script of the shell as the server's user, in the server's directory: its programs are found, and they find the
     * server as its superuser.
     *
     * @throws IOException if a command of it fails
     */
    public void shell(String script) throws IOException, InterruptedException {
        ProcessBuilder builder = process(directory, List.of("/bin/sh", "-e", "-c", script));
        builder.environment()
                .merge("PATH", home.resolve("bin").toString(), (path, bin) -> bin + File.pathSeparator + path);
        builder.environment().put("PGHOST", "127.0.0.1");
        builder.environment().put("PGPORT", config.url().replaceFirst(".*:(\\d+)/.*", "$1"));
        builder.environment().put("PGUSER", ADMIN.user());
        builder.environment().put("PGPASSWORD", ADMIN.password());
        ended(directory, builder, script);
    }

    private static String log(Path directory) {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void awaitReady() throws IOException {
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

    public long processId() {
        return process.pid();
    }

    /** As its superuser, at the database {@code postgres}. */
    public PostgresConfig config() {
        return config;
    }

    /** Kills it. */
    @Override
    public void close() {
        List<ProcessHandle> sessions = process.children().toList();
        process.destroyForcibly().onExit().join();
        sessions.forEach(session -> {
            boolean _ = session.destroyForcibly();
        });
    }
}
