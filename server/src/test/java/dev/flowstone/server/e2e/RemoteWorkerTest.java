package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.ResourceClaimed;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.sdk.worker.FoundLink;
import dev.flowstone.sdk.worker.Link;
import dev.flowstone.sdk.worker.TaskFailure;
import dev.flowstone.sdk.worker.TaskSkipped;
import dev.flowstone.sdk.worker.Worker;
import dev.flowstone.sdk.worker.WorkerConfig;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The worker library against a real server on a real database. Each test has an action of its own. */
@ExtendWith(SharedHouse.class)
final class RemoteWorkerTest {
    private static final long PATIENCE = Duration.ofMinutes(2).toNanos();

    @TempDir
    Path data = Path.of("");

    /** What the typed tasks are about. */
    record Order(String id, int amount) {
        Order {
            if (amount < 0) {
                throw new IllegalArgumentException("an amount is not negative");
            }
        }
    }

    /** What comes of one. */
    record Receipt(String order, int paid) {}

    static URI address(House house) {
        return URI.create("http://127.0.0.1:" + house.port());
    }

    private static WorkerConfig config(House house) {
        return WorkerConfig.of(address(house)).withPoll(Duration.ofSeconds(5));
    }

    static String wide(String id, int width, String action) {
        StringBuilder nodes = new StringBuilder("{\"id\": \"first\", \"actionType\": \"core.echo\", \"edges\": [");
        StringBuilder more = new StringBuilder();
        for (int i = 0; i < width; i++) {
            nodes.append(i == 0 ? "" : ",")
                    .append("{\"targetNode\": \"n")
                    .append(i)
                    .append("\"}");
            more.append(
                    ", {\"id\": \"n%d\", \"actionType\": \"%s\", \"parameters\": {\"n\": %d}}".formatted(i, action, i));
        }
        nodes.append("]}").append(more);
        return "{\"id\": \"" + id + "\", \"displayName\": \"W\", \"startNode\": \"first\", \"nodes\": [" + nodes + "]}";
    }

    static String single(String id, String action, String parameters, int retries) {
        return """
                {"id": "ID", "displayName": "W", "startNode": "work", "nodes": [
                  {"id": "work", "actionType": "ACTION", "parameters": PARAMETERS,
                   "policies": {"retry": {"maxAttempts": ATTEMPTS, "baseDelayMs": 10}}}]}""".replace("ID", id)
                .replace("ACTION", action)
                .replace("PARAMETERS", parameters)
                .replace("ATTEMPTS", Integer.toString(1 + retries));
    }

    private static void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + PATIENCE;
        while (!holds.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    @Test
    void twoWorkersDoThousandsOfTasksEachOfThemOnce(House house) throws Exception {
        house.publish(wide("remote-many", 20, "remote.many"));
        Map<String, AtomicInteger> made = new ConcurrentHashMap<>();
        List<RunId> runs = new ArrayList<>();
        try (Worker one = counting(house, made, "one");
                Worker two = counting(house, made, "two")) {
            for (int i = 0; i < 100; i++) {
                runs.add(house.start("remote-many", "{}"));
            }
            for (RunId run : runs) {
                assertEquals(RunStatus.SUCCEEDED, house.await(run).status());
            }
            until(
                    "everything is heard",
                    () -> one.counts().heard() + two.counts().heard() == 2_000);
            assertTrue(one.counts().heard() > 0 && two.counts().heard() > 0, "both had their share");
            until("nothing is held", () -> one.counts().held() + two.counts().held() == 0);
        }

        assertEquals(2_000, made.size());
        assertTrue(made.values().stream().allMatch(times -> times.get() == 1));
        assertEquals(0, house.flowstone().engine().remoteTasks().held());
        assertTrue(house.verifier()
                .run(house.flowstone()
                        .ports()
                        .runs()
                        .run(House.TENANT, runs.getFirst())
                        .orElseThrow()
                        .key())
                .whole());
    }

    private static Worker counting(House house, Map<String, AtomicInteger> made, String name) {
        return Worker.of(config(house).withName(name))
                .handleJson("remote.many", (input, task) -> {
                    made.computeIfAbsent(task.key(), key -> new AtomicInteger()).incrementAndGet();
                    return input;
                })
                .start();
    }

    private static RunRow ran(House house, String id, String parameters, int retries) throws Exception {
        house.publish(single("remote-" + id, "remote.typed", parameters, retries));
        return house.run("remote-" + id, "{}");
    }

    @Test
    void inputsAndOutputsAreRecordsAndFailuresHaveTheirClass(House house) throws Exception {
        AtomicInteger tries = new AtomicInteger();
        try (Worker worker = Worker.of(config(house))
                .handle("remote.typed", Order.class, (order, task) -> switch (order.id()) {
                    case "stockless" ->
                        throw TaskFailure.permanent("NO_STOCK", "nothing is left")
                                .with(Map.of("warehouse", 7));
                    case "shaky" -> {
                        if (tries.incrementAndGet() < 3) {
                            throw new IllegalStateException("not yet");
                        }
                        yield new Receipt(order.id(), task.attempt());
                    }
                    case "void" -> throw new TaskSkipped("nothing to pay");
                    case "forbidden" -> throw TaskFailure.policyDenied("EMBARGO", "we don't sell there");
                    default -> new Receipt(order.id(), order.amount());
                })
                .start()) {
            RunRow paid = ran(house, "paid", "{\"id\": \"4711\", \"amount\": 12}", 1);
            assertEquals(RunStatus.SUCCEEDED, paid.status());
            String told = house.get("/executions/" + paid.key().run() + "?include=actions")
                    .text();
            assertTrue(told.contains("\"order\":\"4711\"") && told.contains("\"paid\":12"), told);

            RunRow stockless = ran(house, "stockless", "{\"id\": \"stockless\", \"amount\": 1}", 3);
            assertEquals(RunStatus.FAILED, stockless.status());
            List<EventBody.TaskFailed> failures = house.history(stockless).all(EventBody.TaskFailed.class);
            assertEquals(1, failures.size(), "a permanent failure isn't tried again");
            assertEquals("NO_STOCK", failures.getFirst().error().code());
            assertTrue(failures.getFirst().error().details().toString().contains("warehouse"));

            assertEquals(
                    RunStatus.SUCCEEDED,
                    ran(house, "shaky", "{\"id\": \"shaky\", \"amount\": 1}", 5).status());
            assertEquals(3, tries.get());

            RunRow skipped = ran(house, "void", "{\"id\": \"void\", \"amount\": 1}", 1);
            assertEquals(1, house.history(skipped).count(EventBody.TaskSkipped.class));

            assertEquals("EMBARGO", code(house, ran(house, "forbidden", "{\"id\": \"forbidden\", \"amount\": 1}", 3)));
            assertEquals("INPUT_MISMATCH", code(house, ran(house, "text", "{\"id\": \"x\", \"amount\": \"many\"}", 3)));
            assertEquals("INPUT_MISMATCH", code(house, ran(house, "negative", "{\"id\": \"x\", \"amount\": -1}", 3)));
            until("all is told", () -> worker.counts().held() == 0);
        }
    }

    private static String code(House house, RunRow row) {
        assertEquals(RunStatus.FAILED, row.status());
        List<EventBody.TaskFailed> failures = house.history(row).all(EventBody.TaskFailed.class);
        assertEquals(1, failures.size());
        return failures.getFirst().error().code();
    }

    @Test
    void whatAWorkerHeldThatWasKilledIsDoneByAnother(House house) throws Exception {
        house.publish(single("remote-killed", "remote.killed", "{\"n\": 1}", 3));
        Path begun = data.resolve("begun");
        Process process = BlockedWorker.launch(address(house), "remote.killed", begun);
        try {
            RunId run = house.start("remote-killed", "{}");
            until("the worker begins", () -> Files.exists(begun));
            process.destroyForcibly().waitFor();

            List<Integer> attempts = new ArrayList<>();
            try (Worker _ = Worker.of(config(house))
                    .handleJson("remote.killed", (input, task) -> {
                        attempts.add(task.attempt());
                        return input;
                    })
                    .start()) {
                assertEquals(RunStatus.SUCCEEDED, house.await(run).status());
            }
            assertEquals(List.of(2), attempts);
        } finally {
            process.destroyForcibly();
        }
    }

    /** cases.md 24. */
    @Test
    void ofASlowWorkerAndItsRescuerOneCountsAndTheOtherIsTold(House house) throws Exception {
        house.publish(single("remote-slow", "remote.slow", "{\"n\": 1}", 3));
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            runs.add(house.start("remote-slow", "{}"));
        }

        new SlowWorkers("remote.slow", house, house).play(runs);
    }

    /** cases.md 29, with processes. */
    @Test
    void theOnlyPlaceOfAWorkerThatWasKilledIsAnothersWithinItsLease(House house) throws Exception {
        house.publish(single("remote-limited", "remote.limited", "{\"n\": 1}", 3));
        Path begun = data.resolve("begun");
        Process process = BlockedWorker.launch(address(house), "remote.limited", begun);
        try {
            List<RunId> runs = List.of(house.start("remote-limited", "{}"), house.start("remote-limited", "{}"));
            until("the worker begins", () -> Files.exists(begun));
            assertEquals(
                    List.of(1),
                    List.copyOf(house.flowstone().load().tasks().running().values()));
            process.destroyForcibly().waitFor();
            long killed = System.nanoTime();

            try (Worker _ = Worker.of(config(house).withConcurrency(2))
                    .handleJson("remote.limited", (input, task) -> task.attempt())
                    .start()) {
                for (RunId run : runs) {
                    assertEquals(RunStatus.SUCCEEDED, house.await(run).status());
                }
            }
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed);
            assertTrue(took < 10_000, () -> "a lease of 2 s took " + took + " ms");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aWorkerGoesOnWhileItsServerIsStoppedAndStartedAgain() throws Exception {
        Path folder = data.resolve("restarted");
        CountDownLatch begun = new CountDownLatch(3);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        List<RunId> runs = new ArrayList<>();
        House first = House.open(folder, SharedHouse.RAISED, BuiltInActions.registry());
        int port = first.port();
        try (Worker worker = Worker.of(WorkerConfig.of(address(first))
                        .withLease(Duration.ofSeconds(2))
                        .withConcurrency(3))
                .handleJson("remote.restart", (input, task) -> {
                    calls.incrementAndGet();
                    begun.countDown();
                    mayEnd.await();
                    return input;
                })
                .start()) {
            try {
                first.publish(single("remote-restart", "remote.restart", "{\"n\": 1}", 0));
                for (int i = 0; i < 6; i++) {
                    runs.add(first.start("remote-restart", "{}"));
                }
                begun.await();
            } finally {
                first.close();
            }
            // What ends while nobody listens is told later.
            mayEnd.countDown();
            until("the handlers end", () -> worker.counts().worked() == 3);
            assertEquals(0, worker.counts().heard());

            try (House second = House.open(folder, SharedHouse.RAISED, BuiltInActions.registry(), port)) {
                for (RunId run : runs) {
                    RunRow row = second.await(run);
                    assertEquals(RunStatus.SUCCEEDED, row.status());
                    assertEquals(0, second.history(row).count(EventBody.TaskFailed.class));
                }
                until("all is told", () -> worker.counts().held() == 0);
                worker.stop(Duration.ofSeconds(5));
            }
        }
        // Given back by the stopping server, an attempt may have been made again before its worker was heard.
        assertTrue(calls.get() >= 6 && calls.get() <= 9, () -> "calls: " + calls);
    }

    @Test
    void aWorkerThatStopsEndsWhatItCanAndGivesBackTheRest(House house) throws Exception {
        house.publish(single("remote-stopped", "remote.stopped", "{\"n\": 1}", 0));
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<String> interrupted = new ArrayList<>();
        RunId quick = house.start("remote-stopped", "{}");
        RunId slow = house.start("remote-stopped", "{}");
        Worker worker = Worker.of(config(house))
                .handleJson("remote.stopped", (input, task) -> {
                    begun.countDown();
                    if (task.executionId().equals(quick.toString())) {
                        mayEnd.await();
                        return input;
                    }
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.add(task.executionId());
                        throw e;
                    }
                    return input;
                })
                .start();
        begun.await();
        mayEnd.countDown();

        worker.stop(Duration.ofMillis(1_500));

        assertEquals(RunStatus.SUCCEEDED, house.await(quick).status());
        assertEquals(1, worker.counts().returned());
        until("its handler is interrupted", () -> interrupted.equals(List.of(slow.toString())));
        try (Worker _ = Worker.of(config(house))
                .handleJson("remote.stopped", (input, task) -> task.attempt())
                .start()) {
            RunRow row = house.await(slow);
            assertEquals(RunStatus.SUCCEEDED, row.status(), "one attempt was all it had: giving it back used up none");
        }
    }

    @Test
    void aWorkerLinksWhatItMakesAndFindsWhatOthersHaveMade(House house) throws Exception {
        house.publish(single("remote-linking", "remote.linking", "{\"n\": 1}", 1));
        try (Worker _ = Worker.of(config(house))
                .handleJson("remote.linking", (input, task) -> {
                    assertEquals(Optional.empty(), task.find("Order", "none such"));
                    task.claim(new Link("Order", "a/1", Map.of("n", 1)));
                    Optional<FoundLink> found = task.find("Order", "a/1");
                    while (found.isEmpty()) {
                        found = task.find("Order", "a/1");
                    }
                    task.made(new Link("Order", "a/2", Map.of("n", 2)));
                    return found.get().executionId();
                })
                .start()) {
            RunRow row = house.run("remote-linking", "{}");

            assertEquals(RunStatus.SUCCEEDED, row.status());
            assertEquals(
                    List.of("a/1", "a/2"),
                    house.history(row).all(ResourceClaimed.class).stream()
                            .map(ResourceClaimed::key)
                            .toList());
        }
    }
}
