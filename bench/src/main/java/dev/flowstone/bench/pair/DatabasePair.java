package dev.flowstone.bench.pair;

import static java.util.Objects.requireNonNull;

import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.PostgresConfig.Login;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Two PostgreSQL servers, of which one is the primary and the other takes its place by itself when that dies: Patroni and etcd as
 * {@code deploy/ha} sets them up. All processes end with this one's; what they stored goes with {@link #close}.
 */
public final class DatabasePair implements AutoCloseable {
    private static final String DATABASE = "flowstone";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration GLANCE = Duration.ofMillis(50);

    private final PairFiles files;
    private final Path logs;
    private final List<PairServer> servers = new ArrayList<>();
    private final Map<String, TiedProcess> etcd = new LinkedHashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();

    /** The last first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private DatabasePair(PairFiles files, Path logs) {
        this.files = requireNonNull(files);
        this.logs = requireNonNull(logs);
    }

    /** Why there can be none on this machine; empty if there can. */
    public static Optional<String> missing() {
        return PairPrograms.missing();
    }

    /**
     * Starts it, and returns when one is the primary, the other has all that it has, and there is an empty database.
     *
     * @param logs a folder for what the programs say, which stays
     */
    public static DatabasePair start(Path logs) throws IOException, InterruptedException {
        Files.createDirectories(logs);
        // The user of PostgreSQL has to be able to get there.
        Path folder = Files.createTempDirectory("flowstone-pair-");
        DatabasePair pair = new DatabasePair(new PairFiles(LoopbackNetwork.free(RANDOM), folder, secret()), logs);
        try {
            pair.open();
            return pair;
        } catch (IOException | InterruptedException | RuntimeException e) {
            pair.close();
            throw e;
        }
    }

    private void open() throws IOException, InterruptedException {
        opened.push(client);
        opened.push(() -> delete(files.folder()));
        PairPrograms.own(files.folder());
        for (String member : PairFiles.HOSTS.keySet()) {
            PairPrograms.own(Files.createDirectory(files.place(member)));
            startEtcd(member);
        }
        for (String name : PairFiles.SERVERS) {
            PairServer server = PairServer.of(name, files, logs);
            opened.push(server);
            servers.add(server);
            server.start();
        }
        awaitWhole();
        createDatabase();
    }

    private void startEtcd(String member) throws IOException {
        TiedProcess started = TiedProcess.start(
                List.of(PairPrograms.ETCD.toString()), files.etcd(member), logs.resolve("etcd-" + member + ".log"));
        etcd.put(member, started);
        opened.push(started);
    }

    private static String secret() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** As docs/operations.md says. */
    private void createDatabase() throws IOException, InterruptedException {
        String hosts =
                addresses().stream().map(InetSocketAddress::getHostString).collect(Collectors.joining(","));
        run(List.of(
                PairPrograms.POSTGRES.resolve("psql").toString(),
                "host=" + hosts + " user=" + PairFiles.SUPERUSER + " dbname=postgres target_session_attrs=read-write",
                "--no-psqlrc",
                "--set=ON_ERROR_STOP=1",
                "--command=CREATE ROLE flowstone LOGIN CREATEROLE PASSWORD '" + files.password() + "'",
                "--command=CREATE DATABASE flowstone OWNER flowstone"));
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        logs.resolve("commands.log").toFile()));
        builder.environment().put("PGPASSWORD", files.password());
        Process process = builder.start();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(Path.of(command.getFirst()).getFileName() + " failed: see " + logs);
        }
    }

    /** Of PostgreSQL, on both servers. */
    public List<InetSocketAddress> addresses() {
        return PairFiles.SERVERS.stream().map(this::address).toList();
    }

    private InetSocketAddress address(String server) {
        return new InetSocketAddress(files.address(server), LoopbackNetwork.POSTGRES_PORT);
    }

    /** The database for nodes, wherever the primary is. */
    public PostgresConfig config() {
        return PostgresConfig.of(url(addresses()), new Login("flowstone", files.password()));
    }

    /**
     * The same as the superuser, on the server alone that is the primary now: what it refuses is told as it says it, and not as that
     * none of two could be reached.
     */
    public PostgresConfig superuser() throws IOException, InterruptedException {
        String leader = leader().orElseThrow(() -> new IOException("there is no primary; see " + logs));
        return PostgresConfig.of(url(List.of(address(leader))), new Login(PairFiles.SUPERUSER, files.password()));
    }

    private static String url(List<InetSocketAddress> servers) {
        return servers.stream()
                .map(address -> address.getHostString() + ":" + address.getPort())
                .collect(Collectors.joining(",", "jdbc:postgresql://", "/" + DATABASE + "?targetServerType=primary"));
    }

    /** The primary's name; empty while there is none. */
    public Optional<String> leader() throws InterruptedException {
        return PairMember.leader(members());
    }

    private List<PairMember> members() throws InterruptedException {
        for (PairServer server : servers) {
            List<PairMember> members = server.members(client);
            if (!members.isEmpty()) {
                return members;
            }
        }
        return List.of();
    }

    /** Waits until there is a primary, and a standby that has all that it has. */
    public void awaitWhole() throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (List<PairMember> members = members();
                PairMember.leader(members).isEmpty() || members.stream().noneMatch(PairMember::isSyncStandby);
                members = members()) {
            if (System.nanoTime() > end) {
                throw new IOException("the pair isn't whole: " + members + "; see " + logs);
            }
            Thread.sleep(GLANCE);
        }
    }

    /** SIGKILL for all of the primary's server; its name. It stays away until it is started. */
    public String killLeader() throws IOException, InterruptedException {
        String name = leader().orElseThrow(() -> new IOException("there is no primary that could be killed"));
        server(name).kill();
        return name;
    }

    /** SIGKILL for the primary's PostgreSQL alone. */
    public void killLeadingPostgres() throws IOException, InterruptedException {
        server(leader().orElseThrow(() -> new IOException("there is no primary that could be killed")))
                .killPostgres();
    }

    /** SIGKILL for all of etcd's members but one: nobody can say any more who is primary. */
    public void killMajority() {
        etcd.values().stream().skip(1).forEach(TiedProcess::kill);
    }

    /** Starts those members of etcd again. */
    public void startMajority() throws IOException {
        for (String member : etcd.keySet().stream().skip(1).toList()) {
            startEtcd(member);
        }
    }

    /** Starts a server that was killed, which comes back as a standby. */
    public void start(String name) throws IOException {
        server(name).start();
    }

    private PairServer server(String name) {
        return servers.stream()
                .filter(server -> server.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no server '" + name + "'"));
    }

    /** A planned change, as an operator makes it; returns when the other one is the primary. */
    public void switchover() throws IOException, InterruptedException {
        run(List.of(
                PairPrograms.PATRONICTL.toString(),
                "--config-file",
                servers.getFirst().configuration().toString(),
                "switchover",
                "--force"));
    }

    /** What was just killed may take a moment to let go. */
    private static void delete(Path folder) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (true) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
                return;
            } catch (IOException | UncheckedIOException e) {
                if (System.nanoTime() > end) {
                    throw new IOException(folder + " can't be removed", e);
                }
                Thread.sleep(GLANCE);
            }
        }
    }

    @Override
    public void close() throws IOException {
        IOException failed = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                failed = failed == null ? new IOException("the pair can't be removed", e) : failed;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
