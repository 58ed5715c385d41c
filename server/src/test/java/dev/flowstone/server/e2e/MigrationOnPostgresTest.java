package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.e2e.House.Answer;
import dev.flowstone.testkit.scenario.History;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A published definition gets a second version; what waits in the first moves there, whatever happens to the process. */
final class MigrationOnPostgresTest {
    private static final String FIRST = """
            {"id": "order", "displayName": "Order", "startNode": "hold", "nodes": [
              {"id": "hold", "actionType": "core.delay", "parameters": {"durationMs": 7200000},
               "edges": [{"targetNode": "ship"}]},
              {"id": "ship", "actionType": "core.echo", "parameters": {"said": "old"}}]}""";
    private static final String SECOND = """
            {"id": "order", "displayName": "Order", "startNode": "hold", "nodes": [
              {"id": "hold", "actionType": "core.delay", "parameters": {"durationMs": 7200000},
               "edges": [{"targetNode": "ship"}]},
              {"id": "ship", "actionType": "core.echo", "parameters": {"said": "new"},
               "edges": [{"targetNode": "thank"}]},
              {"id": "thank", "actionType": "core.echo", "parameters": {"said": "thanks"}}]}""";

    @TempDir
    Path data = Path.of("");

    private static RunRow row(House house, RunId run) throws Exception {
        return house.flowstone().ports().runs().run(House.TENANT, run).orElseThrow();
    }

    private static RunId waiting(House house) throws Exception {
        RunId run = house.start("order", "{}");
        long end = System.nanoTime() + 60_000_000_000L;
        while (!house.get("/executions/" + run + "/timers").text().contains("hold#1")) {
            assertTrue(System.nanoTime() < end, "it never waits");
        }
        return run;
    }

    private static void second(House house) throws Exception {
        house.post("/workflows/order/draft", SECOND).expect(201);
        house.post("/workflows/order/publish", "").expect(200);
    }

    private static Answer fire(House house, RunId run) throws Exception {
        return house.post("/executions/" + run + "/timers/hold%231/fire", "");
    }

    private static List<String> tasks(House house, RunRow row) {
        return house.history(row).all(EventBody.TaskScheduled.class).stream()
                .map(it -> it.activation().node().value())
                .toList();
    }

    /** One moves alone, the others in a batch; the engine dies; what is left in the database goes on by the new version. */
    @Test
    void whatWasMovedFinishesOnTheNewVersionAfterTheProcessDied() throws Exception {
        RunId alone;
        RunId stays;
        List<RunId> batch = new ArrayList<>();
        try (House house = House.open(data)) {
            house.publish(FIRST);
            alone = waiting(house);
            stays = waiting(house);
            fire(house, stays).expect(200);
            house.await(stays);
            for (int i = 0; i < 3; i++) {
                batch.add(waiting(house));
            }
            second(house);
            assertTrue(house.post("/executions/" + alone + "/migrate", "{\"dryRun\": true}")
                    .expect(200)
                    .text()
                    .contains("\"possible\":true"));
            house.post("/executions/" + alone + "/migrate", "{\"version\": 2}").expect(200);
            Answer moved =
                    house.post("/workflows/order/migrate", "{\"version\": 2}").expect(200);
            assertTrue(moved.text().contains("\"moved\":3"), moved.text());
            assertTrue(moved.text().contains("\"skipped\":1"), moved.text());
            assertEquals(2, row(house, alone).version());
            assertInstanceOf(FlowstoneEngine.class, house.flowstone().engine()).crash();
        }
        try (House house = House.open(data)) {
            batch.add(alone);
            for (RunId run : batch) {
                fire(house, run).expect(200);
                RunRow over = house.await(run);
                assertEquals(RunStatus.SUCCEEDED, over.status());
                assertEquals(2, over.version());
                assertEquals(List.of("ship", "thank"), tasks(house, over));
                assertTrue(house.get("/executions/" + run).expect(200).text().contains("thanks"));
            }
            assertEquals(1, row(house, stays).version());
            assertEquals(List.of("ship"), tasks(house, row(house, stays)));

            Answer again = house.post("/executions/" + alone + "/reset", "{\"sequence\": 1}")
                    .expect(202);
            RunId reset = RunId.parse(again.text("executionId"));
            long end = System.nanoTime() + 60_000_000_000L;
            while (fire(house, reset).status() != 200) {
                assertTrue(System.nanoTime() < end, "it never waits");
            }
            RunRow over = house.await(reset);
            assertEquals(1, over.version(), "it begins by the program of that point");
            assertEquals(List.of("ship"), tasks(house, over));
            assertTrue(house.verifier().all().whole());
        }
    }

    /** Each pair meets in some order: the run goes on by one of the two programs, and both calls are answered truly. */
    @Test
    void aMoveAndATimerAtOnceLeaveOneTruth() throws Exception {
        try (House house = House.open(data)) {
            house.publish(FIRST);
            List<RunId> runs = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                runs.add(waiting(house));
            }
            second(house);
            for (RunId run : runs) {
                CyclicBarrier barrier = new CyclicBarrier(2);
                CompletableFuture<Answer> fired = new CompletableFuture<>();
                Thread.ofVirtual().start(() -> {
                    try {
                        barrier.await();
                        fired.complete(fire(house, run));
                    } catch (Exception e) {
                        fired.completeExceptionally(e);
                    }
                });
                barrier.await();
                boolean moved = house.post("/executions/" + run + "/migrate", "{\"version\": 2}")
                                .status()
                        == 200;
                assertEquals(200, fired.join().status());

                RunRow over = house.await(run);
                History history = house.history(over);
                assertEquals(RunStatus.SUCCEEDED, over.status());
                assertEquals(moved ? 1 : 0, history.count(ControlEvent.Migrated.class));
                assertEquals(moved ? 2 : 1, over.version());
                assertEquals(moved, tasks(house, over).contains("thank"));
            }
            assertTrue(house.verifier().all().whole());
        }
    }
}
