package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Nodes in this process that share the four shards of one database. */
final class Company implements AutoCloseable {
    private static final int SHARDS = 4;
    private static final String LOOPBACK = "127.0.0.1";

    private final Path folder;
    private final NodeCertificates certificates;
    private final EmbeddedPostgres server;
    private final List<House> houses = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    /** A database; nodes join. */
    Company(Path folder) throws Exception {
        this.folder = folder;
        this.certificates = NodeCertificates.in(folder.resolve("certificates"));
        this.server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")));
    }

    /** A node with these settings beside those that make it one of the company; the port at which others find it. */
    int join(String name, Map<String, String> own) throws Exception {
        return join(name, LOOPBACK, own);
    }

    /** The same, whom the others look for at this address. */
    int join(String name, String address, Map<String, String> own) throws Exception {
        PostgresConfig config = server.config();
        int port = FreePort.next();
        Map<String, String> settings = new HashMap<>(certificates.settings());
        settings.put("database.url", config.url());
        settings.put("database.user", config.admin().user());
        settings.put("database.password", config.admin().password());
        settings.put("database.shards", Integer.toString(SHARDS));
        settings.put("node.name", name);
        settings.put("node.address", address + ":" + port);
        settings.put("node.host", LOOPBACK);
        settings.putAll(own);
        names.add(name);
        houses.add(House.open(folder.resolve(name), settings, BuiltInActions.registry()));
        return port;
    }

    /** The last that has joined stops. */
    void leave() {
        names.removeLast();
        houses.removeLast().close();
    }

    NodeCertificates certificates() {
        return certificates;
    }

    /** In the order in which they have joined. */
    List<House> houses() {
        return houses;
    }

    House any(int number) {
        return houses.get(Math.floorMod(number, houses.size()));
    }

    /** Who may do anything to the database; the caller closes it. */
    Connection superuser() throws Exception {
        PostgresConfig config = server.config();
        return DriverManager.getConnection(
                config.url(), config.admin().user(), config.admin().password());
    }

    /** All shards have an owner, each node owns some, and knows whose the others are. */
    void untilEachHasItsPart() throws Exception {
        until("each has its part", () -> houses.stream().allMatch(house -> shards(house) > 0));
        until(
                "each knows the others",
                () -> IntStream.range(0, SHARDS)
                        .mapToObj(shard ->
                                RunId.of(Instant.EPOCH.plusSeconds(1), new Slot(shard * Slot.COUNT / SHARDS), 0))
                        .allMatch(run ->
                                houses.stream().allMatch(house -> owns(house, run) || knowsTheOwner(house, run))));
    }

    private boolean knowsTheOwner(House house, RunId run) {
        return house.flowstone()
                .engine()
                .elsewhere(run)
                .map(member -> names.indexOf(member.name()))
                .filter(index -> index >= 0 && owns(houses.get(index), run))
                .isPresent();
    }

    static long shards(House house) {
        return house.flowstone().load().shards().stream()
                .filter(shard -> shard.ready())
                .count();
    }

    static boolean owns(House house, RunId run) {
        int number = run.slot().number() * SHARDS / Slot.COUNT;
        return house.flowstone().load().shards().stream()
                .anyMatch(shard -> shard.ready() && shard.shard().number() == number);
    }

    /** One that doesn't have the run. */
    House stranger(RunId run) {
        return houses.stream().filter(house -> !owns(house, run)).findFirst().orElseThrow();
    }

    static void until(String what, Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!holds.call()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @Override
    public void close() {
        houses.forEach(House::close);
        server.close();
    }
}
