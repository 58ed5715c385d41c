package dev.flowstone.server.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.node.ReadAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server with 300 runs in flight gets SIGKILL five times at random moments, in two of them PostgreSQL too. Handlers write
 * to a ledger outside the database. In the end, every acknowledged execution has succeeded exactly once, every chain is
 * gapless and stands, no step was recorded twice, and ledger and log agree.
 */
final class KillTest {
    private static final TenantId TENANT = new TenantId("default");
    private static final int IN_FLIGHT = 300;
    private static final int KILLS = 5;
    private static final Set<Integer> WITH_DATABASE = Set.of(2, 4);
    private static final Set<String> STEPS = Set.of("take", "left", "right", "join", "last");

    private static final String WORKFLOW =
            """
            {"id": "killed", "displayName": "Killed", "startNode": "take", "nodes": [
              {"id": "take", "actionType": "test.ledger", "parameters": {"n": "{{ trigger.n }}"}, RETRY,
               "edges": [{"targetNode": "left"}, {"targetNode": "right"}]},
              {"id": "left", "actionType": "test.ledger", RETRY, "edges": [{"targetNode": "join"}]},
              {"id": "right", "actionType": "test.ledger", RETRY, "edges": [{"targetNode": "join"}]},
              {"id": "join", "actionType": "test.ledger", RETRY, "edges": [{"targetNode": "wait"}]},
              {"id": "wait", "actionType": "core.delay", "parameters": {"durationMs": 2500},
               "edges": [{"targetNode": "last"}]},
              {"id": "last", "actionType": "test.ledger", "parameters": {"n": "{{ context.data.take.n }}"}, RETRY}
            ]}""".replace("RETRY", "\"policies\": {\"retry\": {\"maxAttempts\": 21, \"baseDelayMs\": 10}}");

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Callers callers = new Callers();

    @TempDir
    Path directory = Path.of("");

    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void everyAcknowledgedExecutionSucceedsExactlyOnce() throws Exception {
        ServerProcess server = ServerProcess.start(directory);
        assertEquals(201, callers.post(server.url() + "/workflows", WORKFLOW).statusCode());
        assertEquals(
                200,
                callers.post(server.url() + "/workflows/killed/publish", "").statusCode());

        for (int kill = 1; kill <= KILLS; kill++) {
            int wave = kill;
            callers.want(IntStream.range(0, IN_FLIGHT)
                    .mapToObj(i -> "request-" + wave + "-" + i)
                    .toList());
            ExecutorService asking = callers.ask(server.url(), "killed");
            pause(Duration.ofMillis(200 + random.nextInt(1800)));
            server.kill();
            if (WITH_DATABASE.contains(kill)) {
                server.killDatabase();
            }
            assertTrue(asking.awaitTermination(60, TimeUnit.SECONDS), message("callers hang"));
            server = ServerProcess.start(directory);
        }
        awaitEnd(server);
        assertEquals(List.of(), List.copyOf(callers.odd()), message("odd answers"));
        assertEquals(143, server.stop(), message("exit code after SIGTERM"));
        compare();
    }

    private void awaitEnd(ServerProcess server) throws Exception {
        for (int round = 0; round < 20 && callers.missing() > 0; round++) {
            assertTrue(callers.ask(server.url(), "killed").awaitTermination(60, TimeUnit.SECONDS));
        }
        assertEquals(IN_FLIGHT * KILLS, callers.acknowledged().size(), message("acknowledged"));
        List<String> open = new ArrayList<>(callers.acknowledged().values());
        long end = System.nanoTime() + Duration.ofMinutes(3).toNanos();
        while (!open.isEmpty()) {
            String execution = open.getLast();
            String status = callers.status(server.url(), execution);
            if (status.equals("Succeeded")) {
                open.removeLast();
            } else {
                assertTrue(
                        (status.equals("Running") || status.equals("Pending")) && System.nanoTime() < end,
                        message(execution + " is " + status + ", " + open.size() + " are open"));
                pause(Duration.ofMillis(50));
            }
        }
    }

    private void compare() throws Exception {
        Set<String> called = new HashSet<>();
        for (String line : Ledger.read(ServerProcess.ledger(directory))) {
            assertTrue(called.add(line), message("an attempt ran twice: " + line));
        }
        Map<String, String> runOfRequest = new HashMap<>();
        try (ReadAccess access = ReadAccess.open(LedgerServer.config(ServerProcess.data(directory)))) {
            ChainReport report = access.verifier().all();
            assertTrue(report.whole(), message("chains: " + report));
            Set<String> scheduled = new HashSet<>();
            Optional<RunId> before = Optional.empty();
            while (true) {
                List<RunRow> rows = access.runs().runs(TENANT, RunFilter.ALL, before, 100);
                if (rows.isEmpty()) {
                    break;
                }
                for (RunRow row : rows) {
                    assertEquals(RunStatus.SUCCEEDED, row.status(), message("run " + row.key()));
                    check(row, events(access, row), called, scheduled, runOfRequest);
                }
                before = Optional.of(rows.getLast().key().run());
            }
            called.removeAll(scheduled);
            assertEquals(Set.of(), called, message("called before it was durably scheduled"));
        }
        assertEquals(callers.acknowledged(), new java.util.TreeMap<>(runOfRequest), message("runs by request"));
    }

    private static List<Event> events(ReadAccess access, RunRow row) throws Exception {
        List<Event> events = new ArrayList<>();
        Sha256 hash = Sha256.ZERO;
        for (StoredEntry entry : access.runs().entries(TENANT, row.key().run(), 1, 1_000)) {
            events.addAll(JournalEntry.decode(entry.bytes(), entry.firstSequence(), hash));
            hash = events.getLast().hash();
        }
        return events;
    }

    private void check(
            RunRow row,
            List<Event> events,
            Set<String> called,
            Set<String> scheduled,
            Map<String, String> runOfRequest) {
        String run = row.key().run().toString();
        Set<String> completed = new HashSet<>();
        long ends = 0;
        for (Event event : events) {
            switch (event.body()) {
                case EventBody.RunStarted started ->
                    assertEquals(
                            null,
                            runOfRequest.put(started.requestId().orElseThrow(), run),
                            message("two runs of " + started.requestId()));
                case EventBody.TaskScheduled task ->
                    scheduled.add(Ledger.line(run, task.activation().toString(), task.attempt()));
                case EventBody.TaskCompleted task -> {
                    assertTrue(
                            completed.add(task.activation().node().value()),
                            message("recorded twice: " + task.activation() + " of " + run));
                    String line = Ledger.line(run, task.activation().toString(), task.attempt());
                    assertTrue(called.contains(line), message("recorded and never called: " + line));
                }
                case EventBody.RunCompleted _ -> ends++;
                default -> {}
            }
        }
        assertEquals(STEPS, completed, message("steps of " + run));
        assertEquals(1, ends, message("ends of " + run));
        assertEquals(row.lastSequence(), events.size(), message("events of " + run));
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
