package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.outbound.WebhookSecret;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.server.e2e.Arrivals.Arrival;
import dev.flowstone.server.effect.Receiver;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes share the shards, and with them what there is to send; whoever takes a shard over goes on where the cursor is. */
final class EventsOutOfTwoNodesTest {
    private static final String STEPS = """
            {"id": "steps", "displayName": "Steps", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "edges": [{"targetNode": "b"}]},
              {"id": "b", "actionType": "core.echo"}]}""";

    @TempDir
    Path folder = Path.of("");

    private final Arrivals arrivals = new Arrivals();

    private House house(EmbeddedPostgres server, NodeCertificates certificates, Receiver receiver, String name)
            throws Exception {
        PostgresConfig config = server.config();
        Map<String, String> settings = new HashMap<>(certificates.settings());
        settings.put("database.url", config.url());
        settings.put("database.user", config.admin().user());
        settings.put("database.password", config.admin().password());
        settings.put("database.shards", "4");
        settings.put("node.name", name);
        settings.put("node.address", "127.0.0.1:" + FreePort.next());
        settings.put("webhook.crm.url", receiver.url());
        settings.put("webhook.crm.secret", WebhookSecret.generate().text());
        return House.open(folder.resolve(name), settings, BuiltInActions.registry());
    }

    private static void untilItHas(House house, int shards) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (house.flowstone().engine().leases().size() != shards) {
            assertTrue(System.nanoTime() < end, () -> house.flowstone().load().toString());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static void runs(House house, int count, Map<String, Long> events) throws Exception {
        for (int i = 0; i < count; i++) {
            RunRow row = house.run("steps", "{}");
            events.put(row.key().run().toString(), row.lastSequence());
        }
    }

    @Test
    void aTakeoverGoesOnWithoutAGapAndInOrder() throws Exception {
        NodeCertificates certificates = NodeCertificates.in(folder.resolve("certificates"));
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")));
                Receiver receiver = new Receiver()) {
            receiver.answering(received -> {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                arrivals.take(
                        Arrival.of((JsonObject) House.value(new String(received.body(), StandardCharsets.UTF_8))));
                return 204;
            });
            Map<String, Long> events = new HashMap<>();
            try (House one = house(server, certificates, receiver, "one")) {
                one.publish(STEPS);
                one.put("/subscriptions/crm", "{\"sink\": {\"webhook\": \"crm\"}, \"from\": \"beginning\"}")
                        .expect(201);
                try (House two = house(server, certificates, receiver, "two")) {
                    untilItHas(one, 2);
                    untilItHas(two, 2);
                    runs(one, 10, events);
                    runs(two, 10, events);
                    receiver.next();
                }
                untilItHas(one, 4);
                runs(one, 5, events);
                try (House two = house(server, certificates, receiver, "two")) {
                    // Shards are handed over while their events leave.
                    untilItHas(two, 2);
                    runs(two, 5, events);
                    arrivals.await(events);
                }
            }
            arrivals.assertInOrder();
        }
    }

    @Test
    void aNodeThatDiesIsFollowedByAnother() throws Exception {
        NodeCertificates certificates = NodeCertificates.in(folder.resolve("certificates"));
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")));
                Receiver receiver = new Receiver()) {
            receiver.answering(received -> {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
                arrivals.take(
                        Arrival.of((JsonObject) House.value(new String(received.body(), StandardCharsets.UTF_8))));
                return 204;
            });
            Map<String, Long> events = new HashMap<>();
            try (House one = house(server, certificates, receiver, "one")) {
                one.publish(STEPS);
                one.put("/subscriptions/crm", "{\"sink\": {\"webhook\": \"crm\"}, \"from\": \"beginning\"}")
                        .expect(201);
                House two = house(server, certificates, receiver, "two");
                untilItHas(two, 2);
                runs(two, 10, events);
                receiver.next();
                assertInstanceOf(FlowstoneEngine.class, two.flowstone().engine())
                        .crash();
                untilItHas(one, 4);
                runs(one, 3, events);
                arrivals.await(events);
                two.close();
            }
            arrivals.assertInOrder();
        }
    }
}
