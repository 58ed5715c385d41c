package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.server.effect.Receiver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * cases.md 27, of a company: three nodes, each with one connection for the engine and one for readers. Commits, leases, the outbox,
 * calls that go through the database, the look for stuck runs, and lists take turns at them.
 */
final class SmallCompanyTest {
    private static final int RUNS = 45;
    private static final WebhookSecret SECRET = WebhookSecret.generate();
    private static final String TELLS = """
            {"id": "tells", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "edges": [{"targetNode": "b"}]},
              {"id": "b", "actionType": "core.webhook", "edges": [{"targetNode": "c"}],
               "parameters": {"endpoint": "shop", "type": "paid", "data": {"n": "{{ trigger.n }}"}}},
              {"id": "c", "actionType": "core.delay", "parameters": {"durationMs": 50}}]}""";
    private static final String WAITS = """
            {"id": "waits", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.delay", "parameters": {"durationMs": 600000}}]}""";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void threeNodesWithAConnectionOfEachKindGoOn() throws Exception {
        try (Receiver receiver = new Receiver();
                Company company = new Company(folder)) {
            Map<String, String> small = Map.of(
                    "database.engineConnections",
                    "1",
                    "database.apiConnections",
                    "1",
                    "webhook.shop.url",
                    receiver.url(),
                    "webhook.shop.secret",
                    SECRET.text(),
                    "stuck.every",
                    "200ms");
            company.join("one", small);
            company.join("two", small);
            // At this address nobody listens: what is asked of its runs goes through the database.
            company.join("three", "127.0.0.9", small);
            company.untilEachHasItsPart();
            List<House> houses = company.houses();
            houses.getFirst().publish(TELLS);
            houses.getFirst().publish(WAITS);

            tell(houses, receiver);
            cancel(houses);
            PeopleStories.play(houses.get(1), 12);

            for (House house : houses) {
                assertTrue(Company.shards(house) >= 1, "none lost its leases for want of a connection");
                assertEquals(200, house.health().status());
                assertTrue(house.verifier().all().whole());
            }
        }
    }

    /** Runs that each send a message, while everybody reads. */
    private static void tell(List<House> houses, Receiver receiver) throws Exception {
        try (var callers = Executors.newFixedThreadPool(12)) {
            List<Future<RunId>> starts = IntStream.range(0, RUNS)
                    .mapToObj(i -> callers.submit(() -> houses.get(i % 3)
                            .start("tells", "{\"requestId\": \"t" + i + "\", \"trigger\": {\"n\": " + i + "}}")))
                    .toList();
            List<Future<Integer>> reads = IntStream.range(0, RUNS)
                    .mapToObj(i -> callers.submit(() -> houses.get(i % 3)
                            .get(List.of("/executions", "/cluster", "/stuck").get(i / 3 % 3))
                            .status()))
                    .toList();
            Set<Integer> nodes = new HashSet<>();
            for (Future<RunId> start : starts) {
                RunId run = start.get();
                assertEquals(RunStatus.SUCCEEDED, houses.getFirst().await(run).status());
                IntStream.range(0, 3)
                        .filter(i -> Company.owns(houses.get(i), run))
                        .forEach(nodes::add);
            }
            assertEquals(Set.of(0, 1, 2), nodes, "each had some of them");
            for (Future<Integer> read : reads) {
                assertEquals(200, read.get());
            }
        }
        Set<String> keys = new HashSet<>();
        while (keys.size() < RUNS) {
            keys.add(receiver.next().header("webhook-id"));
        }
        Company.until(
                "everything has left",
                () -> houses.getFirst().get("/outbox").expect(200).text().contains("\"items\":[]"));
    }

    /** What another than its node is asked, also through the database. */
    private static void cancel(List<House> houses) throws Exception {
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            runs.add(houses.get(i % 3).start("waits", "{\"requestId\": \"w" + i + "\"}"));
        }
        for (int i = 0; i < runs.size(); i++) {
            for (int j = 0; j < 3; j++) {
                houses.get((i + j) % 3)
                        .post(
                                "/executions/" + runs.get(i) + "/cancel",
                                "{\"reason\": \"enough\"}",
                                "Idempotency-Key",
                                "same")
                        .expect(200);
            }
            assertEquals(
                    RunStatus.CANCELED, houses.get(i % 3).await(runs.get(i)).status());
        }
    }
}
