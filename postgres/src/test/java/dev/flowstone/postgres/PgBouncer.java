package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real PgBouncer that pools by transaction, in front of the server of a database; it knows that database's roles. */
final class PgBouncer implements AutoCloseable {
    private static final String MISSING =
            "there is no pgbouncer on this machine: apt-get install pgbouncer, as .ci/run does (cases.md 26)";

    /** Sessions of the server for each role: fewer than clients, so that each serves many. */
    private static final int SESSIONS = 2;

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

    private final Process process;
    private final Path directory;
    private final int port;

    private PgBouncer(Process process, Path directory, int port) {
        this.process = process;
        this.directory = directory;
        this.port = port;
    }

    /** Starts one. Where there is none the test says so; on the build machine it fails. */
    static PgBouncer before(PostgresConfig server) throws Exception {
        Path program = program().orElseGet(PgBouncer::missing);
        Path directory = TestFiles.directory("flowstone-pgbouncer-");
        int port = freePort();
        Files.writeString(directory.resolve("users"), users(server));
        Files.writeString(directory.resolve("pgbouncer.ini"), """
                [databases]
                * = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = scram-sha-256
                auth_file = %s
                pool_mode = transaction
                default_pool_size = %d
                ignore_startup_parameters = extra_float_digits
                server_reset_query = DISCARD ALL
                server_reset_query_always = 1
                """.formatted(
                        port(server), port, directory.resolve("users"), SESSIONS));
        PgBouncer started = new PgBouncer(start(program, directory), directory, port);
        started.awaitReady();
        return started;
    }

    private static Optional<Path> program() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("") + ":/usr/sbin";
        return Stream.of(path.split(":"))
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Path missing() {
        if ("true".equals(System.getenv("CI"))) {
            return fail(MISSING);
        }
        return Assumptions.abort(MISSING);
    }

    private static String users(PostgresConfig server) {
        Passwords passwords = Passwords.of(server);
        return """
                "%s" "%s"
                "%s" "%s"
                "%s" "%s"
                """.formatted(
                        server.admin().user(),
                        server.admin().password(),
                        server.roles().engine(),
                        passwords.engine(),
                        server.roles().api(),
                        passwords.api());
    }

    /** It refuses to work as root. */
    private static Process start(Path program, Path directory) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(directory.resolve("pgbouncer.ini").toString());
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private static int port(PostgresConfig server) {
        return URI.create(server.url().substring("jdbc:".length())).getPort();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady() throws IOException {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw new IOException("pgbouncer didn't start:\n" + Files.readString(directory.resolve("log")), e);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    /** The same database, by way of here. This release of it may not follow prepared statements. */
    PostgresConfig config(PostgresConfig server) {
        return new PostgresConfig(
                server.url().replaceFirst(":" + port(server) + "/", ":" + port + "/"),
                server.admin(),
                server.roles(),
                server.enginePassword(),
                server.apiPassword(),
                server.shards(),
                server.engineConnections(),
                server.apiConnections(),
                false);
    }

    @Override
    public void close() {
        TestProcesses.kill(process.pid());
        TestFiles.delete(directory);
    }
}
