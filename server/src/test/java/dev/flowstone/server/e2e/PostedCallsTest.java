package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that can't reach each other, but the database: calls for the other are answered all the same. */
final class PostedCallsTest {
    private static final String WAITS = """
            {"id": "waits", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.delay", "parameters": {"durationMs": 600000}}]}""";

    @TempDir
    private Path folder = Path.of("");

    /** At an address where nobody listens. */
    private House unreachable(EmbeddedPostgres server, NodeCertificates certificates, String name) throws Exception {
        PostgresConfig config = server.config();
        Map<String, String> settings = new HashMap<>(certificates.settings());
        settings.put("database.url", config.url());
        settings.put("database.user", config.admin().user());
        settings.put("database.password", config.admin().password());
        settings.put("database.shards", "4");
        settings.put("node.name", name);
        settings.put("node.address", "127.0.0.9:" + FreePort.next());
        settings.put("node.host", "127.0.0.1");
        return House.open(folder.resolve(name), settings, BuiltInActions.registry());
    }

    @Test
    void aCallForANodeThatCannotBeReachedGoesThroughTheDatabase() throws Exception {
        NodeCertificates certificates = NodeCertificates.in(folder.resolve("certificates"));
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")));
                House one = unreachable(server, certificates, "one");
                House two = unreachable(server, certificates, "two")) {
            untilBothHaveSome(one, two);
            one.publish(WAITS);
            List<RunId> runs = new ArrayList<>();
            Set<Boolean> owners = new HashSet<>();
            for (int i = 0; i < 8; i++) {
                RunId run = (i % 2 == 0 ? one : two).start("waits", "{\"requestId\": \"posted-" + i + "\"}");
                runs.add(run);
                owners.add(one.flowstone().engine().elsewhere(run).isPresent());
            }
            assertEquals(Set.of(true, false), owners, "each has some");

            for (RunId run : runs) {
                for (House house : List.of(one, two)) {
                    House.Answer done = house.post(
                                    "/executions/" + run + "/cancel",
                                    "{\"reason\": \"enough\"}",
                                    "Idempotency-Key",
                                    "same",
                                    "Flowstone-Principal",
                                    "user:ann")
                            .expect(200);
                    assertEquals(
                            JsonBoolean.of(house.equals(two)), done.object().get("repeated"), done::text);
                }
                assertEquals(RunStatus.CANCELED, two.await(run).status());
                assertTrue(
                        one.get("/executions/" + run + "?include=events").text().contains("user:ann"),
                        "who asked is who is recorded");
            }
            for (House house : List.of(one, two)) {
                String code = house.post(
                                "/executions/" + runs.getFirst() + "/cancel",
                                "{\"reason\": \"late\"}",
                                "Idempotency-Key",
                                "other")
                        .expect(409)
                        .text("code");
                assertEquals("WFENG002", code, "a refusal is told as it was given");
            }
        }
    }

    private static void untilBothHaveSome(House one, House two) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (ready(one) != 2 || ready(two) != 2) {
            assertTrue(System.nanoTime() < end, "each has its part");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static long ready(House house) {
        return house.flowstone().load().shards().stream()
                .filter(shard -> shard.ready())
                .count();
    }
}
