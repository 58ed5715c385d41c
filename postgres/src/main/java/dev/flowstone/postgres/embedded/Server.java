package dev.flowstone.postgres.embedded;

import dev.flowstone.postgres.PostgresConfig.Login;
import dev.flowstone.postgres.embedded.EmbeddedPostgresException.StartFailed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Starts, takes over and stops the server of a cluster, by its own {@code pg_ctl}. The caller holds the directory's lock. */
final class Server {
    private static final String LOG = "postgres.log";
    private static final int LONGEST_LOG = 10 << 20;
    private static final int PORTS_TRIED = 5;

    /** What PostgreSQL says while processes of a server that was killed still use its memory, hence its files. */
    private static final String ORPHANS = "pre-existing shared memory block";

    private static final Duration LOOK = Duration.ofMillis(200);

    private final Path directory;
    private final Cluster cluster;
    private final PostgresBinaries binaries;
    private final Identity identity;
    private final Duration patience;

    private Server(Path directory, Cluster cluster, PostgresBinaries binaries, Identity identity, Duration patience) {
        this.directory = directory;
        this.cluster = cluster;
        this.binaries = binaries;
        this.identity = identity;
        this.patience = patience;
    }

    static Server in(EmbeddedConfig config) throws IOException, EmbeddedPostgresException {
        Path directory = config.directory();
        Identity identity = Identity.choose(directory, directory.resolve(Cluster.FOLDER));
        PostgresBinaries binaries = PostgresBinaries.unpack(config, identity);
        Cluster cluster = Cluster.openOrCreate(config, binaries, identity);
        return new Server(directory, cluster, binaries, identity, config.patience());
    }

    Login admin() {
        return cluster.admin();
    }

    RunningServer run() throws IOException, EmbeddedPostgresException {
        Optional<RunningServer> survivor = adopt();
        return durable(survivor.isPresent() ? survivor.get() : start(Optional.empty()));
    }

    /** Starts the server again where its clients look for it; for one that died under a living Flowstone. */
    RunningServer restart(int port) throws IOException, EmbeddedPostgresException {
        stop();
        PostmasterPid.delete(cluster.path());
        return durable(start(Optional.of(port)));
    }

    /** Whether that very server still lives. */
    boolean isAlive(RunningServer server) {
        return new PostmasterPid(server.processId(), server.port()).serves(cluster.path());
    }

    private RunningServer durable(RunningServer running) throws IOException, EmbeddedPostgresException {
        try {
            ServerCheck.durable(running.port(), admin(), cluster.path());
        } catch (EmbeddedPostgresException e) {
            stop();
            throw e;
        }
        return running;
    }

    /** A server that outlived its Flowstone and still answers to our password goes on; any other is stopped. */
    private Optional<RunningServer> adopt() throws IOException, EmbeddedPostgresException {
        Optional<PostmasterPid> found = PostmasterPid.read(cluster.path());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        PostmasterPid pid = found.get();
        if (!pid.serves(cluster.path())) {
            PostmasterPid.delete(cluster.path());
            return Optional.empty();
        }
        if (pid.port() != 0 && ServerCheck.answers(pid.port(), admin(), cluster.path())) {
            return Optional.of(new RunningServer(pid.processId(), pid.port(), true));
        }
        stop();
        // One that died by itself meanwhile has left it, and whoever starts takes its process, not yet buried, for a
        // server.
        PostmasterPid.delete(cluster.path());
        return Optional.empty();
    }

    private RunningServer start(Optional<Integer> wanted) throws IOException, EmbeddedPostgresException {
        Path log = rotatedLog();
        long end = System.nanoTime() + patience.toNanos();
        String failure = "";
        for (int attempt = 0; attempt < PORTS_TRIED; ) {
            int port = wanted.isPresent() ? wanted.get() : freePort();
            cluster.configure(port);
            long logged = Files.exists(log) ? Files.size(log) : 0;
            Command.Result result = pgCtl("start", "-w", "-s", "-t", seconds(), "-l", LOG);
            if (result.exitCode() == 0) {
                PostmasterPid pid = PostmasterPid.read(cluster.path())
                        .orElseThrow(() -> new StartFailed(
                                "PostgreSQL in " + directory + " started and stopped at once: see " + log));
                return new RunningServer(pid.processId(), port, false);
            }
            failure = result.output() + "\n" + since(log, logged);
            if (failure.contains(ORPHANS) && System.nanoTime() < end) {
                // The first process was killed, and another one of its is in a statement, which its timeout ends.
                LockSupport.parkNanos(LOOK.toNanos());
            } else if (failure.contains("Address already in use")) {
                attempt++;
            } else {
                throw Failures.of(directory, "starting PostgreSQL", failure);
            }
        }
        throw new StartFailed(
                "no port on 127.0.0.1 could be used for PostgreSQL after " + PORTS_TRIED + " tries:\n" + failure);
    }

    /** Fast: sessions are ended, transactions rolled back, the log is flushed. Immediate if that takes too long. */
    void stop() throws IOException {
        if (PostmasterPid.read(cluster.path())
                .filter(pid -> pid.serves(cluster.path()))
                .isEmpty()) {
            return;
        }
        Command.Result fast = pgCtl("stop", "-w", "-s", "-m", "fast", "-t", seconds());
        if (fast.exitCode() != 0 && PostmasterPid.read(cluster.path()).isPresent()) {
            Command.Result immediate = pgCtl("stop", "-w", "-s", "-m", "immediate", "-t", seconds());
            if (immediate.exitCode() != 0 && PostmasterPid.read(cluster.path()).isPresent()) {
                throw new IOException("PostgreSQL in " + directory + " does not stop: " + immediate.output());
            }
        }
    }

    /** The data directory goes by the environment and the log by a relative name: pg_ctl hands both to a shell otherwise. */
    private Command.Result pgCtl(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(identity.prefix());
        command.add(binaries.program("pg_ctl").toString());
        command.addAll(List.of(arguments));
        return Command.run(command, directory, Map.of("PGDATA", cluster.path().toString()));
    }

    private String seconds() {
        return Long.toString(Math.max(1, patience.toSeconds()));
    }

    private Path rotatedLog() throws IOException {
        Path log = directory.resolve(LOG);
        if (Files.exists(log) && Files.size(log) > LONGEST_LOG) {
            Files.move(log, directory.resolve(LOG + ".old"), StandardCopyOption.REPLACE_EXISTING);
        }
        if (!Files.exists(log)) {
            Files.createFile(log);
        }
        if (identity.owner().isPresent()) {
            Trees.chown(log, identity.owner().get());
        }
        return log;
    }

    private static String since(Path log, long offset) throws IOException {
        if (!Files.exists(log)) {
            return "";
        }
        try (var in = Files.newInputStream(log)) {
            in.skipNBytes(offset);
            return new String(in.readNBytes(1 << 16), StandardCharsets.UTF_8);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }
}
