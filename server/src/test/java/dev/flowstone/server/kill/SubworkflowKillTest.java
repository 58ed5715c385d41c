package dev.flowstone.server.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.node.ReadAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trees of three levels, their deepest run waiting, are cancelled and terminated from the top while the server gets SIGKILL, once
 * PostgreSQL too. In the end no run of any tree is left behind, and every chain stands.
 */
final class SubworkflowKillTest {
    private static final TenantId TENANT = new TenantId("default");
    private static final int TREES = 30;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final String LEAF = """
            {"id": "leaf", "displayName": "Leaf", "startNode": "wait", "nodes": [
              {"id": "wait", "actionType": "core.delay", "parameters": {"duration": "PT50M"}}]}""";
    private static final String CALLS = """
            {"id": "ID", "displayName": "Calls", "startNode": "call", "nodes": [
              {"id": "call", "nodeType": "subworkflow", "workflowId": "BELOW"}]}""";

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Callers callers = new Callers();

    @TempDir
    Path directory = Path.of("");

    @Test
    @Timeout(value = 6, unit = TimeUnit.MINUTES)
    void whatIsStoppedAtTheTopIsStoppedToTheBottom() throws Exception {
        ServerProcess server = ServerProcess.start(directory);
        publish(server, LEAF, "leaf");
        publish(server, CALLS.replace("ID", "middle").replace("BELOW", "leaf"), "middle");
        publish(server, CALLS.replace("ID", "top").replace("BELOW", "middle"), "top");
        callers.want(IntStream.range(0, TREES).mapToObj(i -> "tree-" + i).toList());
        for (int round = 0; round < 20 && callers.missing() > 0; round++) {
            assertTrue(callers.ask(server.url(), "top").awaitTermination(60, TimeUnit.SECONDS));
        }
        List<String> tops = List.copyOf(callers.acknowledged().values());
        assertEquals(TREES, tops.size(), message("acknowledged"));
        String leaves = server.url() + "/executions?workflowId=leaf&status=Running&limit=200";
        until("all trees have their leaves", () -> callers.count(leaves) == TREES);

        ExecutorService stopping = stop(server.url(), tops);
        pause(Duration.ofMillis(20 + random.nextInt(200)));
        server.kill();
        assertTrue(stopping.awaitTermination(60, TimeUnit.SECONDS), message("callers hang"));
        server = ServerProcess.start(directory);
        ExecutorService again = stop(server.url(), tops);
        pause(Duration.ofMillis(20 + random.nextInt(400)));
        server.kill();
        server.killDatabase();
        assertTrue(again.awaitTermination(60, TimeUnit.SECONDS), message("callers hang"));
        server = ServerProcess.start(directory);
        String url = server.url();
        String running = url + "/executions?status=Running&limit=200";
        until("no run is left behind", () -> {
            assertTrue(stop(url, tops).awaitTermination(60, TimeUnit.SECONDS), message("callers hang"));
            return callers.count(running) == 0;
        });
        assertEquals(143, server.stop(), message("exit code after SIGTERM"));
        compare();
    }

    private void publish(ServerProcess server, String definition, String id) throws Exception {
        assertEquals(201, callers.post(server.url() + "/workflows", definition).statusCode());
        assertEquals(
                200,
                callers.post(server.url() + "/workflows/" + id + "/publish", "").statusCode());
    }

    /** Half of the trees are cancelled, the others terminated; one that is over already answers so. */
    private ExecutorService stop(String url, List<String> tops) {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int i = 0; i < tops.size(); i++) {
            String path = url + "/executions/" + tops.get(i) + (i % 2 == 0 ? "/cancel" : "/terminate");
            threads.execute(() -> {
                try {
                    callers.post(path, "{\"reason\": \"enough\"}");
                } catch (IOException e) {
                    // The server was killed; the next round asks again.
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        threads.shutdown();
        return threads;
    }

    private void compare() throws Exception {
        Map<String, Integer> ended = new TreeMap<>();
        try (ReadAccess access = ReadAccess.open(LedgerServer.config(ServerProcess.data(directory)))) {
            assertTrue(access.verifier().all().whole(), message("chains"));
            Optional<RunId> before = Optional.empty();
            while (true) {
                List<RunRow> rows = access.runs().runs(TENANT, RunFilter.ALL, before, 100);
                if (rows.isEmpty()) {
                    break;
                }
                for (RunRow row : rows) {
                    assertTrue(
                            row.status() == RunStatus.CANCELED || row.status() == RunStatus.TERMINATED,
                            message(row.key() + " is " + row.status()));
                    ended.merge(row.workflow().value(), 1, Integer::sum);
                }
                before = Optional.of(rows.getLast().key().run());
            }
        }
        assertEquals(Map.of("leaf", TREES, "middle", TREES, "top", TREES), ended, message("ends by workflow"));
    }

    /** What is waited for. */
    @FunctionalInterface
    private interface Condition {
        boolean holds() throws Exception;
    }

    private void until(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            assertTrue(System.nanoTime() < end, message(what));
            pause(Duration.ofMillis(50));
        }
    }

    private String message(String what) {
        return what + " (seed " + seed + ", logs in " + directory + ")";
    }

    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
