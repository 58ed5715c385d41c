package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.server.catalog.ActionSwitches;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two nodes share the shards, and with them what there is to send; whoever takes a shard over goes on where the cursor is. */
@Execution(ExecutionMode.CONCURRENT) // each waits most of its time, on a database of its own
final class EventsOutOfTwoNodesTest {
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(3);

    @TempDir
    Path folder = Path.of("");

    private House house(EmbeddedPostgres server, NodeCertificates certificates, Crm crm, String name) throws Exception {
        PostgresConfig config = server.config();
        Map<String, String> settings = new HashMap<>(certificates.settings());
        settings.put("database.url", config.url());
        settings.put("database.user", config.admin().user());
        settings.put("database.password", config.admin().password());
        settings.put("database.shards", "4");
        settings.put("node.name", name);
        settings.put("node.address", "127.0.0.1:" + FreePort.next());
        settings.put("webhook.crm.url", crm.receiver.url());
        settings.put("webhook.crm.secret", Crm.SECRET.text());
        return House.open(folder.resolve(name), settings, BuiltInActions.registry());
    }

    private static void untilItHas(House house, int shards) {
        long end = System.nanoTime() + PATIENCE;
        while (house.flowstone().engine().leases().size() != shards) {
            assertTrue(System.nanoTime() < end, () -> house.flowstone().load().toString());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private static void runs(House house, int count, Map<String, Long> events) throws Exception {
        for (int i = 0; i < count; i++) {
            RunRow row = house.await(start(house));
            events.put(row.key().run().toString(), row.lastSequence());
        }
    }

    /** Asks again while a shard is on its way from one node to the other. */
    private static RunId start(House house) throws Exception {
        String body = "{\"requestId\": \"" + UUID.randomUUID() + "\"}";
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            House.Answer answer = house.post("/workflows/steps/execute", body);
            if (answer.status() != 503) {
                return RunId.parse(answer.expect(202).text("executionId"));
            }
            assertTrue(System.nanoTime() < end, answer::text);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    /** Takes its time, so that there is something under way when a node goes. */
    private static Crm slow() throws Exception {
        Crm crm = new Crm();
        crm.answering(_ -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            return 204;
        });
        return crm;
    }

    /** The two are here already: what one is told of the catalog of actions, the other heeds. */
    private static void switchesAreHeeded(House told, House other) throws Exception {
        ActionSwitches here = other.flowstone().actions().switches();
        House.Answer _ = told.post("/actions/core.fail/disable", "").expect(200);
        until(() -> here.refusal("core.fail").isPresent());
        House.Answer _ = told.post("/actions/core.fail/enable", "").expect(200);
        until(here::areAllOn);
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "never as it should be");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @Test
    void aTakeoverGoesOnWithoutAGapAndInOrder() throws Exception {
        NodeCertificates certificates = NodeCertificates.in(folder.resolve("certificates"));
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")));
                Crm crm = slow()) {
            Map<String, Long> events = new HashMap<>();
            try (House one = house(server, certificates, crm, "one")) {
                one.publish(Crm.STEPS);
                one.put(Crm.NAME, Crm.WISH).expect(201);
                try (House two = house(server, certificates, crm, "two")) {
                    untilItHas(one, 2);
                    untilItHas(two, 2);
                    switchesAreHeeded(one, two);
                    runs(one, 10, events);
                    runs(two, 10, events);
                    crm.receiver.next();
                }
                untilItHas(one, 4);
                runs(one, 5, events);
                try (House two = house(server, certificates, crm, "two")) {
                    // Shards are handed over while their events leave.
                    untilItHas(two, 2);
                    runs(two, 5, events);
                    crm.arrivals.await(events);
                }
            }
            crm.arrivals.assertInOrder();
        }
    }

    @Test
    void aNodeThatDiesIsFollowedByAnother() throws Exception {
        NodeCertificates certificates = NodeCertificates.in(folder.resolve("certificates"));
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")));
                Crm crm = slow()) {
            Map<String, Long> events = new HashMap<>();
            try (House one = house(server, certificates, crm, "one")) {
                one.publish(Crm.STEPS);
                one.put(Crm.NAME, Crm.WISH).expect(201);
                try (House two = house(server, certificates, crm, "two")) {
                    untilItHas(two, 2);
                    runs(two, 10, events);
                    crm.receiver.next();
                    assertInstanceOf(FlowstoneEngine.class, two.flowstone().engine())
                            .crash();
                    untilItHas(one, 4);
                    runs(one, 3, events);
                    crm.arrivals.await(events);
                }
            }
            crm.arrivals.assertInOrder();
        }
    }
}
