package dev.flowstone.bench.torture.company;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.pair.DatabasePair;
import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.bench.torture.net.FaultProxies;
import dev.flowstone.bench.worker.EffectWorker;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.postgres.PostgresConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Three nodes on one database, of one server or a pair, and the worker of their tasks, which webhooks go to. */
public final class Company {
    private static final int NODES = 3;
    private static final int SHARDS = 6;
    private static final int CONNECTIONS = 4;
    private static final int DISK_MEGABYTES = 1_024;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration GLANCE = Duration.ofMillis(100);
    private static final Duration CALL = Duration.ofSeconds(10);

    private final CompanyDatabase database;
    private final Optional<SmallDisk> disk;
    private final List<Node> nodes;
    private final EffectProcess worker;
    private final Rest rest;

    private Company(
            CompanyDatabase database, Optional<SmallDisk> disk, List<Node> nodes, EffectProcess worker, Rest rest) {
        this.database = requireNonNull(database);
        this.disk = requireNonNull(disk);
        this.nodes = List.copyOf(nodes);
        this.worker = requireNonNull(worker);
        this.rest = requireNonNull(rest);
    }

    /**
     * Starts it and waits until every node takes commands.
     *
     * @param opened has each process from its first moment on, and ends it; what it wrote stays
     */
    public static Company start(CompanyConfig config, Opened opened, Consumer<String> progress) throws Exception {
        Files.createDirectories(config.folder());
        progress.accept("starting the database");
        Path small = config.folder().resolve("disk");
        Optional<SmallDisk> disk = config.smallDisk()
                ? Optional.of(opened.open(() -> SmallDisk.mount(small, DISK_MEGABYTES)))
                : Optional.empty();
        CompanyDatabase database =
                config.pair() ? opened.open(() -> TwoServers.in(config)) : opened.open(() -> OneServer.in(config));
        NodeCertificates certificates = NodeCertificates.in(config.folder().resolve("certificates"));
        int receiver = FreePort.next();
        List<Node> nodes = new ArrayList<>();
        for (int i = 1; i <= NODES; i++) {
            String name = "node-" + i;
            nodes.add(opened.open(() -> node(config, name, database, certificates, receiver)));
        }
        EffectProcess worker = opened.open(() -> EffectProcess.start(config.folder(), receiver, nodes));
        Company company = new Company(database, disk, nodes, worker, opened.open(Rest::new));
        for (Node node : nodes) {
            progress.accept("starting " + node.name());
            node.start();
            company.awaitReady(node);
        }
        return company;
    }

    private static Node node(
            CompanyConfig config, String name, CompanyDatabase database, NodeCertificates certificates, int receiver)
            throws IOException {
        FaultProxies proxies = FaultProxies.to(database.addresses());
        int port = FreePort.next();
        Map<String, String> settings = new HashMap<>(certificates.settings());
        settings.put("database.url", by(proxies, database));
        settings.put("database.user", database.config().admin().user());
        settings.put("database.shards", Integer.toString(SHARDS));
        settings.put("database.engineConnections", Integer.toString(CONNECTIONS));
        settings.put("database.apiConnections", Integer.toString(CONNECTIONS));
        settings.put("node.name", name);
        settings.put("node.address", "127.0.0.1:" + FreePort.next());
        settings.put("lease.timeToLive", config.lease().toString());
        settings.put("worker.actions", String.join(",", config.actions()));
        settings.put("webhook." + CompanyConfig.ENDPOINT + ".url", "http://127.0.0.1:" + receiver + "/");
        settings.put("webhook." + CompanyConfig.ENDPOINT + ".secret", EffectWorker.SECRET);
        List<String> arguments = new ArrayList<>(
                List.of(config.main(), "serve", "--until-input-ends", "--port", Integer.toString(port)));
        settings.forEach((setting, value) -> arguments.addAll(List.of("--set", setting + "=" + value)));
        Path folder = config.folder();
        Optional<FakeClock> clock =
                config.fakeClocks() ? FakeClock.in(folder.resolve(name + ".clock")) : Optional.empty();
        String password = database.config().admin().password();
        return new Node(name, port, arguments, password, folder.resolve(name + ".log"), proxies, clock);
    }

    /** The database's URL, with proxies where it names servers. */
    private static String by(FaultProxies proxies, CompanyDatabase database) {
        String url = database.config().url();
        List<InetSocketAddress> servers = database.addresses();
        for (int i = 0; i < servers.size(); i++) {
            InetSocketAddress server = servers.get(i);
            url = url.replace(
                    server.getAddress().getHostAddress() + ":" + server.getPort(),
                    "127.0.0.1:" + proxies.ports().get(i));
        }
        return url;
    }

    public List<Node> nodes() {
        return nodes;
    }

    public EffectProcess worker() {
        return worker;
    }

    public Rest rest() {
        return rest;
    }

    /** The file system of the database, if it is a small one. */
    public Optional<SmallDisk> disk() {
        return disk;
    }

    /** The database, past all proxies. */
    public PostgresConfig database() {
        return database.config();
    }

    /** The same as the superuser. */
    public PostgresConfig superuser() throws IOException, InterruptedException {
        return database.superuser();
    }

    /** The database's servers, if there are two. */
    public Optional<DatabasePair> pair() {
        return database instanceof TwoServers(DatabasePair pair) ? Optional.of(pair) : Optional.empty();
    }

    /** Answers to commits that got lost on their way to nodes, ever. */
    public int lostAnswers() {
        return nodes.stream().mapToInt(node -> node.database().lostAnswers()).sum();
    }

    /** The database server stops at once, as when it crashes; it is started again by itself, on the same port. */
    public void crashDatabase() throws IOException, InterruptedException {
        database.crash();
    }

    /** Waits until the database has every server that it had at first: there is somebody to take over again. */
    public void awaitWholeDatabase() throws IOException, InterruptedException {
        database.awaitWhole();
    }

    /** Who of it doesn't run now, by name. */
    public List<String> absent() {
        List<String> absent = new ArrayList<>();
        nodes.stream().filter(node -> !node.isAlive()).map(Node::name).forEach(absent::add);
        if (!worker.isAlive()) {
            absent.add("the worker");
        }
        return absent;
    }

    /** Waits until a node that was just started takes commands, or stands by. */
    public void awaitReady(Node node) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (rest.get(node, "/health/ready", CALL).filter(Rest.Answer::isOk).isEmpty()) {
            node.requireAlive();
            if (System.nanoTime() > end) {
                throw new IllegalStateException(node.name() + " wasn't ready within " + PATIENCE.toSeconds() + " s");
            }
            Thread.sleep(GLANCE);
        }
    }

    /** Makes a workflow, which every node knows from then on. */
    public void publish(String id, JsonObject definition) throws InterruptedException {
        Node node = nodes.getFirst();
        require(rest.post(node, "/api/v1/workflows", definition, Map.of(), CALL), id);
        require(rest.post(node, "/api/v1/workflows/" + id + "/publish", JsonObject.EMPTY, Map.of(), CALL), id);
    }

    private static void require(Optional<Rest.Answer> answer, String what) {
        if (answer.filter(Rest.Answer::isOk).isEmpty()) {
            throw new IllegalStateException("the workflow '" + what + "' can't be published: " + answer);
        }
    }
}
