package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.state.RunStatus;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** cases.md 27: a pool of one connection for the engine and one for readers: slower, but it goes on. */
final class OneConnectionTest {
    private static final Map<String, String> SMALL =
            Map.of("database.shards", "2", "database.engineConnections", "1", "database.apiConnections", "1");
    private static final String DEFINITION = """
            {"id": "small", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "edges": [{"targetNode": "b"}, {"targetNode": "c"}]},
              {"id": "b", "actionType": "core.sometimes-fails", "edges": [{"targetNode": "d"}],
               "policies": {"retry": {"maxAttempts": 2, "baseDelayMs": 10}}},
              {"id": "c", "actionType": "core.delay", "parameters": {"durationMs": 20}, "edges": [{"targetNode": "d"}]},
              {"id": "d", "actionType": "core.echo", "parameters": {"n": "{{ trigger.n }}"}}]}""";

    @TempDir
    Path data = Path.of("");

    @Test
    void twoShardsMakeProgressOnOneConnection() throws Exception {
        try (House house = House.open(data, SMALL, BuiltInActions.registry());
                var callers = Executors.newFixedThreadPool(16)) {
            house.publish(DEFINITION);
            List<Future<RunId>> starts = IntStream.range(0, 40)
                    .mapToObj(i -> callers.submit(() ->
                            house.start("small", "{\"requestId\": \"r" + i + "\", \"trigger\": {\"n\": " + i + "}}")))
                    .toList();
            Set<Boolean> shards = new HashSet<>();
            for (Future<RunId> start : starts) {
                RunId run = start.get();
                assertEquals(RunStatus.SUCCEEDED, house.await(run).status());
                shards.add(run.slot().number() < Slot.COUNT / 2);
            }
            assertEquals(2, shards.size(), "both shards had work");
            assertTrue(house.verifier().all().whole());
        }
    }

    /** Each of it by the same connection. */
    @Test
    void peopleTimersSignalsAndListsTakeTurns() throws Exception {
        try (House house = House.open(data, SMALL, BuiltInActions.registry())) {
            PeopleStories.play(house, 24);
        }
    }
}
