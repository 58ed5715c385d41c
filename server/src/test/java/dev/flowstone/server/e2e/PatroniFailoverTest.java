package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.flowstone.bench.pair.DatabasePair;
import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.postgres.PostgresConfig;
import java.net.ServerSocket;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes on a pair of servers that fails over by itself, set up with the very files of {@code deploy/ha}: the primary's server dies,
 * comes back, its PostgreSQL dies alone, and an operator switches over. Nodes wait and go on by themselves, say meanwhile that they aren't
 * ready, and nothing that was acknowledged before, during or after is lost.
 */
final class PatroniFailoverTest {
    private static final int NODES = 3;
    private static final int CALLERS = 2;
    private static final int ENOUGH = 30;

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

    /** What the programs said stays, for whoever has to find out why they didn't. */
    private static final Path LOGS = Path.of("target", "pair");

    @TempDir
    Path folder = Path.of("");

    /** The last first. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final List<House> houses = new ArrayList<>();
    private final List<SteadyLoad> loads = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void whatWasAcknowledgedOutlivesItsServer() throws Exception {
        assumeTrue(
                DatabasePair.missing().isEmpty(), () -> DatabasePair.missing().orElseThrow());
        DatabasePair pair = open();
        untilMoreIsAcknowledged();
        List<RunId> naps = naps("before");

        long begun = System.nanoTime();
        String dead = pair.killLeader();
        untilEach("it says that it isn't ready", house -> house.health().status() == 503);
        told("the primary's server died: no node was ready", begun);
        untilMoreIsAcknowledged();
        told("every node had its callers' runs again", begun);
        untilEach("it is ready again", house -> house.health().status() == 200);
        told("every node was ready again", begun);
        assertNotEquals(dead, pair.leader().orElseThrow());
        naps.addAll(naps("after"));

        begun = System.nanoTime();
        pair.start(dead);
        pair.awaitWhole();
        told("the server came back: it was a standby with all that there is", begun);

        naps.addAll(naps("planned"));
        begun = System.nanoTime();
        pair.switchover();
        untilMoreIsAcknowledged();
        told("an operator switched over: every node had its callers' runs again", begun);
        pair.awaitWhole();
        assertEquals(dead, pair.leader().orElseThrow(), "the one that had died is the primary again");

        begun = System.nanoTime();
        pair.killLeadingPostgres();
        untilMoreIsAcknowledged();
        told("PostgreSQL died alone: every node had its callers' runs again", begun);

        for (RunId run : naps) {
            assertEquals(RunStatus.SUCCEEDED, houses.getFirst().await(run).status());
        }
        for (SteadyLoad load : loads) {
            load.nothingIsLost();
        }
        ChainReport report = houses.getFirst().verifier().all();
        assertTrue(report.whole(), report::toString);
        untilEach("it is ready", house -> house.health().status() == 200);
    }

    private DatabasePair open() throws Exception {
        DatabasePair pair = DatabasePair.start(LOGS);
        opened.push(pair);
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
        settings.put("node.address", "127.0.0.1:" + free());
        return settings;
    }

    private static int free() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Two at each node; callers ask until they are answered. */
    private List<RunId> naps(String prefix) throws Exception {
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

    private void untilMoreIsAcknowledged() throws Exception {
        List<Integer> before = loads.stream().map(SteadyLoad::acknowledged).toList();
        for (int i = 0; i < NODES; i++) {
            SteadyLoad load = loads.get(i);
            int enough = before.get(i) + ENOUGH;
            until("more is acknowledged at node " + i, () -> load.acknowledged() > enough);
        }
    }

    /** Holds of a node. */
    @FunctionalInterface
    private interface Condition {
        boolean holds(House house) throws Exception;
    }

    private void untilEach(String what, Condition condition) throws Exception {
        for (House house : houses) {
            until(what, () -> condition.holds(house));
        }
    }

    private static void until(String what, Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!holds.call()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static void told(String what, long begun) {
        System.out.println(what + " after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms");
    }
}
