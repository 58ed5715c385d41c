package dev.flowstone.server.e2e;

import static dev.flowstone.server.e2e.AnyNode.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.bench.rig.NodeCertificates;
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

    private static Map<String, String> settings(EmbeddedPostgres server, NodeCertificates certificates, String name)
            throws Exception {
        PostgresConfig config = server.config();
        Map<String, String> settings = new HashMap<>(certificates.settings());
        settings.put("database.url", config.url());
        settings.put("database.user", config.admin().user());
        settings.put("database.password", config.admin().password());
        settings.put("database.shards", "4");
        settings.put("worker.actions", Journeys.ACTION);
        settings.put("node.name", name);
        settings.put("node.address", "127.0.0.1:" + FreePort.next());
        return settings;
    }

    @Test
    void anOlderReleaseWorksBesideThisOneAndAfterIt() throws Exception {
        Path built = OlderNode.build();
        Path log = folder.resolve("older.log");
        NodeCertificates certificates = NodeCertificates.in(folder.resolve("certificates"));
        List<String> waiting = new ArrayList<>();
        List<String> napping = new ArrayList<>();
        List<String> suspended = new ArrayList<>();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")))) {
            Map<String, String> older = settings(server, certificates, OLDER);
            int before;
            try (OlderNode process = OlderNode.start(built, older, log)) {
                AnyNode old = AnyNode.of(process);
                before = schema(server);
                assertTrue(before < Migrations.NEWEST, "an older schema: V" + before);
                publish(old);
                starts(old, OLDER, waiting, napping);
                suspended.add(Journeys.suspended(old, "left-by-older"));

                try (House house = newer(server, certificates)) {
                    assertEquals(Migrations.NEWEST, schema(server), "brought to this release's while the other works");
                    AnyNode young = AnyNode.of(house);
                    until("each has its part", () -> holders(young).equals(Set.of(OLDER, NEWER)));
                    until("the other says so", () -> holders(old).equals(Set.of(OLDER, NEWER)));
                    Journeys.resumed(young, suspended.removeFirst());
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
                    Journeys.play(old, young, "beside", 6);
                    suspended.add(Journeys.suspended(young, "left-by-newer"));
                    starts(young, "newer-last", waiting, napping);
                }

                until("the older release has all again", () -> holders(old).equals(Set.of(OLDER)));
                Journeys.resumed(old, suspended.removeFirst());
                starts(old, "older-after", waiting, napping);
                suspended.add(Journeys.suspended(old, "left-again"));
                for (String run : napping) {
                    ends(old, run, "Succeeded");
                }
            }

            try (OlderNode process = OlderNode.start(built, older, log)) {
                AnyNode old = AnyNode.of(process);
                assertEquals(Migrations.NEWEST, schema(server), "the schema stays");
                until("it has all", () -> holders(old).equals(Set.of(OLDER)));
                ends(old, start(old, "quick", "older-again"), "Succeeded");
                cancel(old, waiting.removeFirst());
            }

            try (House house = newer(server, certificates)) {
                AnyNode young = AnyNode.of(house);
                until("it has all", () -> holders(young).equals(Set.of(NEWER)));
                Journeys.resumed(young, suspended.removeFirst());
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

    private static void publish(AnyNode node) throws Exception {
        for (String definition : List.of(QUICK, NAPS, WAITS, Journeys.DEFINITION)) {
            node.post("/workflows", definition, PRINCIPAL, "user:ann").expect(201);
            String id = new House.Answer(200, definition).text("id");
            node.post("/workflows/" + id + "/publish", "", PRINCIPAL, "user:ann")
                    .expect(200);
        }
    }

    /** Six that wait, six that nap, and two that end at once. */
    private static void starts(AnyNode node, String prefix, List<String> waiting, List<String> napping)
            throws Exception {
        for (int i = 0; i < 6; i++) {
            waiting.add(start(node, "waits", prefix + "-" + i));
            napping.add(start(node, "naps", prefix + "-nap-" + i));
        }
        ends(node, start(node, "quick", prefix + "-quick-0"), "Succeeded");
        ends(node, start(node, "quick", prefix + "-quick-1"), "Succeeded");
    }

    private static String start(AnyNode node, String workflow, String request) throws Exception {
        House.Answer answer = node.asked(
                "/workflows/" + workflow + "/execute", "{\"requestId\": \"" + request + "\"}", PRINCIPAL, "user:ann");
        assertTrue(answer.status() == 202 || answer.status() == 200, answer::toString);
        return answer.text("executionId");
    }

    private static void cancelHalf(AnyNode one, AnyNode other, List<String> waiting) throws Exception {
        for (int i = 0; i < 4; i++) {
            cancel(i % 2 == 0 ? one : other, waiting.removeLast());
            cancel(i % 2 == 0 ? other : one, waiting.remove(1));
        }
    }

    private static void cancel(AnyNode node, String run) throws Exception {
        node.asked(
                        "/executions/" + run + "/cancel",
                        "{\"reason\": \"enough\"}",
                        PRINCIPAL,
                        "user:ann",
                        "Idempotency-Key",
                        "cancel-" + run)
                .expect(200);
        ends(node, run, "Cancelled");
    }

    private static void ends(AnyNode node, String run, String status) throws Exception {
        until(
                run + " ends as " + status,
                () -> node.get("/executions/" + run).expect(200).text("status").equals(status));
    }

    /** Who has the shards, if all have somebody. */
    private static Set<String> holders(AnyNode node) throws Exception {
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
}
