package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.torture.company.NodeCertificates;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.postgres.schema.Migrations;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node of the release before and one of this release on one database, which this one brings to its own schema while the
 * other works; and the way back: this one goes, the other goes on, also when it is started anew.
 */
final class SideBySideTest {
    private static final String QUICK = """
            {"id": "quick", "displayName": "Q", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "parameters": {"n": 1}, "edges": [{"targetNode": "b"}]},
              {"id": "b", "actionType": "core.echo", "parameters": {"n": 2}}]}""";
    private static final String NAPS = """
            {"id": "naps", "displayName": "N", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.delay", "parameters": {"durationMs": 4000}, "edges": [{"targetNode": "b"}]},
              {"id": "b", "actionType": "core.echo", "parameters": {"n": 2}}]}""";
    private static final String WAITS = """
            {"id": "waits", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.delay", "parameters": {"durationMs": 600000}}]}""";

    private static final String PRINCIPAL = "Flowstone-Principal";

    private static final String OLDER = "older";
    private static final String NEWER = "newer";

    @TempDir
    private Path folder = Path.of("");

    /** What a test asks of a node, of whichever release. */
    private interface Node {
        House.Answer post(String path, String body, String... headers) throws Exception;

        House.Answer get(String path) throws Exception;
    }

    private static Node node(OlderNode older) {
        return new Node() {
            @Override
            public House.Answer post(String path, String body, String... headers) throws Exception {
                return older.post(path, body, headers);
            }

            @Override
            public House.Answer get(String path) throws Exception {
                return older.get(path);
            }
        };
    }

    private static Node node(House newer) {
        return new Node() {
            @Override
            public House.Answer post(String path, String body, String... headers) throws Exception {
                return newer.post(path, body, headers);
            }

            @Override
            public House.Answer get(String path) throws Exception {
                return newer.get(path);
            }
        };
    }

    private static int free() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Map<String, String> settings(EmbeddedPostgres server, NodeCertificates certificates, String name)
            throws Exception {
        PostgresConfig config = server.config();
        Map<String, String> settings = new HashMap<>(certificates.settings());
        settings.put("database.url", config.url());
        settings.put("database.user", config.admin().user());
        settings.put("database.password", config.admin().password());
        settings.put("database.shards", "4");
        settings.put("node.name", name);
        settings.put("node.address", "127.0.0.1:" + free());
        return settings;
    }

    @Test
    void anOlderReleaseWorksBesideThisOneAndAfterIt() throws Exception {
        Path built = OlderNode.build();
        Path log = folder.resolve("older.log");
        NodeCertificates certificates = NodeCertificates.in(folder.resolve("certificates"));
        List<String> waiting = new ArrayList<>();
        List<String> napping = new ArrayList<>();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")))) {
            Map<String, String> older = settings(server, certificates, OLDER);
            int before;
            try (OlderNode process = OlderNode.start(built, older, log)) {
                Node old = node(process);
                before = schema(server);
                assertTrue(before < Migrations.NEWEST, "an older schema: V" + before);
                publish(old);
                starts(old, OLDER, waiting, napping);

                try (House house = newer(server, certificates)) {
                    assertEquals(Migrations.NEWEST, schema(server), "brought to this release's while the other works");
                    Node young = node(house);
                    until("each has its part", () -> holders(young).equals(Set.of(OLDER, NEWER)));
                    until("the other says so", () -> holders(old).equals(Set.of(OLDER, NEWER)));
                    starts(young, NEWER, waiting, napping);
                    starts(old, "older-beside", waiting, napping);
                    assertEquals(
                            waiting.getFirst(),
                            start(young, "waits", OLDER + "-0"),
                            "what was started before is known under its id");
                    for (String run : napping) {
                        ends(young, run, "Succeeded");
                    }
                    cancelHalf(young, old, waiting);
                    starts(young, "newer-last", waiting, napping);
                }

                until("the older release has all again", () -> holders(old).equals(Set.of(OLDER)));
                starts(old, "older-after", waiting, napping);
                for (String run : napping) {
                    ends(old, run, "Succeeded");
                }
            }

            try (OlderNode process = OlderNode.start(built, older, log)) {
                Node old = node(process);
                assertEquals(Migrations.NEWEST, schema(server), "the schema stays");
                until("it has all", () -> holders(old).equals(Set.of(OLDER)));
                ends(old, start(old, "quick", "older-again"), "Succeeded");
                cancel(old, waiting.removeFirst());
            }

            try (House house = newer(server, certificates)) {
                Node young = node(house);
                until("it has all", () -> holders(young).equals(Set.of(NEWER)));
                for (String run : waiting) {
                    cancel(young, run);
                }
                ChainReport report = house.verifier().all();
                assertTrue(report.whole(), report::toString);
            }
        }
    }

    private House newer(EmbeddedPostgres server, NodeCertificates certificates) throws Exception {
        return House.open(folder.resolve(NEWER), settings(server, certificates, NEWER), BuiltInActions.registry());
    }

    private static int schema(EmbeddedPostgres server) throws Exception {
        PostgresConfig config = server.config();
        try (Connection connection = DriverManager.getConnection(
                        config.url(), config.admin().user(), config.admin().password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT max(version::integer) FROM flowstone.flyway_schema_history WHERE success")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void publish(Node node) throws Exception {
        for (String definition : List.of(QUICK, NAPS, WAITS)) {
            node.post("/workflows", definition, PRINCIPAL, "user:ann").expect(201);
            String id = new House.Answer(200, definition).text("id");
            node.post("/workflows/" + id + "/publish", "", PRINCIPAL, "user:ann")
                    .expect(200);
        }
    }

    /** Six that wait, six that nap, and two that end at once. */
    private static void starts(Node node, String prefix, List<String> waiting, List<String> napping) throws Exception {
        for (int i = 0; i < 6; i++) {
            waiting.add(start(node, "waits", prefix + "-" + i));
            napping.add(start(node, "naps", prefix + "-nap-" + i));
        }
        ends(node, start(node, "quick", prefix + "-quick-0"), "Succeeded");
        ends(node, start(node, "quick", prefix + "-quick-1"), "Succeeded");
    }

    /** Again while it is told that nobody has the run's shard right now. */
    private static String start(Node node, String workflow, String request) throws Exception {
        House.Answer answer = asked(
                node,
                "/workflows/" + workflow + "/execute",
                "{\"requestId\": \"" + request + "\"}",
                PRINCIPAL,
                "user:ann");
        assertTrue(answer.status() == 202 || answer.status() == 200, answer::toString);
        return answer.text("executionId");
    }

    private static House.Answer asked(Node node, String path, String body, String... headers) throws Exception {
        List<House.Answer> last = new ArrayList<>();
        until("it is answered: " + path, () -> {
            last.clear();
            last.add(node.post(path, body, headers));
            return last.getFirst().status() != 503;
        });
        return last.getFirst();
    }

    private static void cancelHalf(Node one, Node other, List<String> waiting) throws Exception {
        for (int i = 0; i < 4; i++) {
            cancel(i % 2 == 0 ? one : other, waiting.removeLast());
            cancel(i % 2 == 0 ? other : one, waiting.remove(1));
        }
    }

    private static void cancel(Node node, String run) throws Exception {
        asked(
                        node,
                        "/executions/" + run + "/cancel",
                        "{\"reason\": \"enough\"}",
                        PRINCIPAL,
                        "user:ann",
                        "Idempotency-Key",
                        "cancel-" + run)
                .expect(200);
        ends(node, run, "Cancelled");
    }

    private static void ends(Node node, String run, String status) throws Exception {
        until(
                run + " ends as " + status,
                () -> node.get("/executions/" + run).expect(200).text("status").equals(status));
    }

    /** Who has the shards, if all have somebody. */
    private static Set<String> holders(Node node) throws Exception {
        Set<String> holders = new HashSet<>();
        if (node.get("/cluster").expect(200).object().get("shards") instanceof JsonArray(List<JsonValue> shards)) {
            for (JsonValue shard : shards) {
                JsonObject told = (JsonObject) shard;
                holders.add(
                        told.get("status") instanceof JsonString(String status)
                                        && status.equals("RUNNING")
                                        && told.get("node") instanceof JsonString(String holder)
                                ? holder
                                : "nobody");
            }
        }
        return holders;
    }

    private static void until(String what, Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.call()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
