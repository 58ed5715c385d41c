package dev.flowstone.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A PgBouncer of one's own that pools by transaction, before the server of a database, whose roles it knows: for measurements,
 * and for tests that nothing of a session is relied on. Uses the machine's program; ends with its {@link #close}.
 */
public final class PgBouncer implements AutoCloseable {
    /** What is to be done where there is none. */
    public static final String MISSING =
            "there is no pgbouncer on this machine: apt-get install pgbouncer, as .ci/run does";

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

    private final Process process;
    private final Path directory;
    private final PostgresConfig config;

    private PgBouncer(Process process, Path directory, PostgresConfig config) {
        this.process = process;
        this.directory = directory;
        this.config = config;
    }

    /** How it treats sessions of the server. */
    public enum Sessions {
        /** Whatever a transaction leaves in a session is wiped before the next one has it: where handlers run SQL of theirs. */
        WIPED,
        /** Each transaction meets what those before left. */
        KEPT
    }

    /** The machine's program, if there is one. */
    public static Optional<Path> program() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("") + ":/usr/sbin";
        return Stream.of(path.split(":"))
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts one.
     *
     * @param server one host, without TLS
     * @param sessions of the server, at most, for each user of each database
     *
     * @throws IOException if there is no such program, or it doesn't start
     */
    public static PgBouncer before(PostgresConfig server, int sessions, Sessions kept) throws IOException {
        Path program = program().orElseThrow(() -> new IOException(MISSING));
        Path directory = Files.createTempDirectory("flowstone-pgbouncer-");
        int port = freePort();
        Files.writeString(directory.resolve("users"), users(server));
        Files.writeString(directory.resolve("pgbouncer.ini"), """
                [databases]
                * = host=%s port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = scram-sha-256
                auth_file = %s
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 1000
                server_idle_timeout = 1
                server_login_retry = 1
                ignore_startup_parameters = extra_float_digits
                server_reset_query = DISCARD ALL
                server_reset_query_always = %d
                """.formatted(
                        at(server).getHost(),
                        at(server).getPort() < 0 ? 5432 : at(server).getPort(),
                        port,
                        directory.resolve("users"),
                        sessions,
                        kept == Sessions.WIPED ? 1 : 0));
        String database = at(server).getPath().replaceFirst("^/", "");
        PostgresConfig config = server.withUrl("jdbc:postgresql://127.0.0.1:" + port + "/" + database)
                .withoutPreparedStatements();
        PgBouncer started = new PgBouncer(start(program, directory), directory, config);
        try {
            started.awaitReady(port);
        } catch (IOException e) {
            started.close();
            throw e;
        }
        return started;
    }

    private static URI at(PostgresConfig server) {
        return URI.create(server.url().substring("jdbc:".length()));
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

    /** It refuses to work as root; what holds passwords is then somebody else's, and still nobody's to read but that one's. */
    private static Process start(Path program, Path directory) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            UserPrincipal nobody =
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
            for (Path each : List.of(directory.resolve("users"), directory.resolve("pgbouncer.ini"), directory)) {
                Files.setOwner(each, nobody);
            }
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(directory.resolve("pgbouncer.ini").toString());
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady(int port) throws IOException {
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

    /** The server by way of here. This release of it may not follow prepared statements. */
    public PostgresConfig config() {
        return config;
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        for (String name : List.of("users", "pgbouncer.ini", "log")) {
            Files.deleteIfExists(directory.resolve(name));
        }
        Files.delete(directory);
    }
}
