package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.pair.DatabasePair;
import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.postgres.PostgresConfig;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Three nodes with their callers on a pair of servers that fails over by itself, set up with the very files of {@code deploy/ha}. */
final class NodesOnPair implements AutoCloseable {
    private static final int NODES = 3;
    private static final int CALLERS = 2;
    private static final int ENOUGH = 30;

    /** What the programs said stays, for whoever has to find out why they didn't. */
    private static final Path LOGS = Path.of("target", "pair");

    private static final String LOAD = """
            {"id": "NAME", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "edges": [{"targetNode": "b"}]},
              {"id": "b", "actionType": "core.delay", "parameters": {"durationMs": 300}, "edges": [{"targetNode": "c"}]},
              {"id": "c", "actionType": "core.echo"}]}""";

    /** Begun before the primary dies, and due while there is none. */
    private static final String NAPS = """
            {"id": "naps", "displayName": "N", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.delay", "parameters": {"durationMs": 5000}, "edges": [{"targetNode": "b"}]},
              {"id": "b", "actionType": "core.echo"}]}""";

    /** The last first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final DatabasePair pair;
    private final List<House> houses = new ArrayList<>();
    private final List<SteadyLoad> loads = new ArrayList<>();

    private NodesOnPair(DatabasePair pair) {
        this.pair = pair;
        opened.push(pair);
    }

    /** Callers are at work at once. */
    static NodesOnPair open(Path folder) throws Exception {
        NodesOnPair nodes = new NodesOnPair(DatabasePair.start(LOGS));
        try {
            nodes.begin(folder);
            return nodes;
        } catch (Exception | AssertionError e) {
            nodes.close();
            throw e;
        }
    }

    private void begin(Path folder) throws Exception {
        NodeCertificates certificates = NodeCertificates.in(folder.resolve("certificates"));
        for (int i = 0; i < NODES; i++) {
            House house = House.open(
                    folder.resolve("node-" + i), settings(pair, certificates, "node-" + i), BuiltInActions.registry());
            opened.push(house);
            houses.add(house);
        }
        houses.getFirst().publish(NAPS);
        for (int i = 0; i < NODES; i++) {
            String workflow = "load-" + i;
            houses.getFirst().publish(LOAD.replace("NAME", workflow));
            SteadyLoad load = SteadyLoad.on(houses.get(i), workflow, CALLERS);
            opened.push(load);
            loads.add(load);
        }
    }

    DatabasePair pair() {
        return pair;
    }

    private static Map<String, String> settings(DatabasePair pair, NodeCertificates certificates, String name)
            throws Exception {
        PostgresConfig config = pair.config();
        Map<String, String> settings = new HashMap<>(certificates.settings());
        settings.put("database.url", config.url());
        settings.put("database.user", config.admin().user());
        settings.put("database.password", config.admin().password());
        settings.put("database.shards", "6");
        settings.put("node.name", name);
        settings.put("node.address", "127.0.0.1:" + FreePort.next());
        return settings;
    }

    /** Two at each node; callers ask until they are answered. */
    List<RunId> naps(String prefix) throws Exception {
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 2 * NODES; i++) {
            House house = houses.get(i % NODES);
            String body = "{\"requestId\": \"" + prefix + "-" + i + "\"}";
            until("it is answered", () -> {
                House.Answer answer = house.post("/workflows/naps/execute", body);
                if (answer.status() == 503) {
                    return false;
                }
                assertTrue(answer.status() == 202 || answer.status() == 200, answer::toString);
                return runs.add(RunId.parse(answer.text("executionId")));
            });
        }
        return runs;
    }

    void untilMoreIsAcknowledged() throws Exception {
        List<Integer> before = loads.stream().map(SteadyLoad::acknowledged).toList();
        for (int i = 0; i < NODES; i++) {
            SteadyLoad load = loads.get(i);
            int enough = before.get(i) + ENOUGH;
            until("more is acknowledged at node " + i, () -> load.acknowledged() > enough);
        }
    }

    /** Holds of a node. */
    @FunctionalInterface
    interface Condition {
        boolean holds(House house) throws Exception;
    }

    void untilEach(String what, Condition condition) throws Exception {
        for (House house : houses) {
            until(what, () -> condition.holds(house));
        }
    }

    void assertEachSays(int health) throws Exception {
        for (House house : houses) {
            assertEquals(health, house.health().status());
        }
    }

    /** How many runs all callers were told of. */
    int acknowledged() {
        return loads.stream().mapToInt(SteadyLoad::acknowledged).sum();
    }

    /** Ends the callers: these runs and all others that were acknowledged are there and end, every chain is whole, every node is ready. */
    void nothingIsLost(List<RunId> naps) throws Exception {
        for (RunId run : naps) {
            assertEquals(RunStatus.SUCCEEDED, houses.getFirst().await(run).status());
        }
        loads.forEach(SteadyLoad::close);
        for (SteadyLoad load : loads) {
            load.everyRequestIsKept();
        }
        ChainReport report = houses.getFirst().verifier().all();
        assertTrue(report.whole(), report::toString);
        untilEach("it is ready", house -> house.health().status() == 200);
    }

    private static void until(String what, Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!holds.call()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    static void told(String what, long begun) {
        System.out.println(what + " after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms");
    }

    @Override
    public void close() {
        List<Exception> failed = new ArrayList<>();
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                failed.add(e);
            }
        }
        assertEquals(List.of(), failed);
    }
}
