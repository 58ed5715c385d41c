package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.bench.rig.NodeCertificates;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.sdk.worker.Worker;
import dev.flowstone.sdk.worker.WorkerConfig;
import dev.flowstone.server.node.CannotStartException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes on one database: whichever is called, the call is answered by the one that has its run. */
final class CompanyTest {
    private static final String WAITS = """
            {"id": "waits", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.delay", "parameters": {"durationMs": 600000}}]}""";
    private static final String REMOTE = """
            {"id": "remote", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "company.work", "parameters": {"n": 1}}]}""";

    private static final List<String> NAMES = List.of("one", "two", "three");

    @TempDir
    static Path folder = Path.of("");

    private static NodeCertificates certificates;
    private static EmbeddedPostgres server;
    private static List<House> houses;
    private static List<Integer> doors;

    @BeforeAll
    static void open() throws Exception {
        certificates = NodeCertificates.in(folder.resolve("certificates"));
        server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")));
        houses = new ArrayList<>();
        doors = new ArrayList<>();
        for (String name : NAMES) {
            int door = FreePort.next();
            doors.add(door);
            houses.add(house(name, door, Map.of()));
        }
        untilTheyKnow();
        houses.getFirst().publish(WAITS);
        houses.getFirst().publish(REMOTE);
    }

    @AfterAll
    static void close() {
        houses.forEach(House::close);
        server.close();
    }

    private static House house(String name, int door, Map<String, String> other) throws Exception {
        PostgresConfig config = server.config();
        Map<String, String> settings = new HashMap<>(certificates.settings());
        settings.put("database.url", config.url());
        settings.put("database.user", config.admin().user());
        settings.put("database.password", config.admin().password());
        settings.put("database.shards", "4");
        settings.put("node.name", name);
        settings.put("node.address", "127.0.0.1:" + door);
        settings.put("worker.actions", "company.work");
        settings.putAll(other);
        return House.open(folder.resolve(name), settings, BuiltInActions.registry());
    }

    private static long shards(House house) {
        NodeLoad load = house.flowstone().load();
        return load.shards().stream().filter(shard -> shard.ready()).count();
    }

    private static void until(String what, Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.call()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** Each has its part, and knows who has the others. */
    private static void untilTheyKnow() throws Exception {
        until("each has its part", () -> houses.stream().allMatch(house -> shards(house) >= 1));
        until(
                "each knows the others",
                () -> houses.stream()
                        .allMatch(house -> IntStream.range(0, 4)
                                .allMatch(shard -> has(house, shard) != isElsewhere(house, shard))));
    }

    private static boolean has(House house, int shard) {
        return house.flowstone().load().shards().stream()
                .anyMatch(own -> own.shard().number() == shard && own.ready());
    }

    /** Whether it knows of another that has it. */
    private static boolean isElsewhere(House house, int shard) {
        Slot slot = new Slot(shard * Slot.COUNT / 4);
        return house.flowstone()
                .engine()
                .elsewhere(RunId.of(Instant.EPOCH.plusSeconds(1), slot, 0))
                .map(member -> NAMES.indexOf(member.name()))
                .filter(index -> index >= 0 && has(houses.get(index), shard))
                .isPresent();
    }

    private static House owner(RunId run) {
        int shard = run.slot().number() * 4 / Slot.COUNT;
        return houses.stream().filter(house -> has(house, shard)).findFirst().orElseThrow();
    }

    @Test
    void aRequestIdStartsOneRunWhereverItIsSent() throws Exception {
        Set<House> owners = new HashSet<>();
        for (int i = 0; i < 24; i++) {
            String body = "{\"requestId\": \"company-" + i + "\"}";
            House.Answer first =
                    houses.get(i % 3).post("/workflows/waits/execute", body).expect(202);
            House.Answer again = houses.get((i + 1) % 3)
                    .post("/workflows/waits/execute", body)
                    .expect(200);
            assertEquals(first.text("executionId"), again.text("executionId"));
            owners.add(owner(RunId.parse(first.text("executionId"))));
        }
        assertEquals(3, owners.size(), "each node has some of them");
    }

    @Test
    void whatIsAskedOfARunIsDoneByItsNodeAndToldByAny() throws Exception {
        for (int i = 0; i < 12; i++) {
            RunId run = houses.get(i % 3).start("waits", "{\"requestId\": \"asked-" + i + "\"}");
            for (int j = 0; j < 3; j++) {
                House.Answer done = houses.get((i + j) % 3)
                        .post(
                                "/executions/" + run + "/cancel",
                                "{\"reason\": \"enough\"}",
                                "Idempotency-Key",
                                "same",
                                "Flowstone-Principal",
                                "user:ann")
                        .expect(200);
                assertEquals(JsonBoolean.of(j > 0), done.object().get("repeated"), done::text);
            }
            assertEquals(RunStatus.CANCELED, houses.get((i + 2) % 3).await(run).status());
            assertTrue(
                    houses.getFirst()
                            .get("/executions/" + run + "?include=events")
                            .text()
                            .contains("user:ann"),
                    "who asked is who is recorded");
        }
    }

    @Test
    void anyNodeShowsTheCluster() throws Exception {
        for (House house : houses) {
            House.Answer answer = house.get("/cluster").expect(200);
            for (String name : NAMES) {
                assertTrue(answer.text().contains("\"node\":\"" + name + "\""), answer::text);
            }
            assertTrue(
                    answer.object().get("shards") instanceof JsonArray(List<JsonValue> all)
                            && all.size() == 4
                            && all.stream().allMatch(CompanyTest::isToldWithItsLag),
                    answer::text);
        }
    }

    /** Whoever has it. */
    private static boolean isToldWithItsLag(JsonValue shard) {
        JsonObject of = (JsonObject) shard;
        return new JsonString("RUNNING").equals(of.get("status"))
                && of.get("node") instanceof JsonString(String node)
                && NAMES.contains(node)
                && Stream.of("epoch", "leaseSeconds", "waiting", "timersLateSeconds", "clockAheadSeconds")
                        .allMatch(name -> of.get(name) instanceof JsonNumber);
    }

    @Test
    void aWorkerAtOneNodeDoesTheTasksOfAll() throws Exception {
        Map<String, Integer> made = new ConcurrentHashMap<>();
        List<RunId> runs = new ArrayList<>();
        WorkerConfig config = WorkerConfig.of(
                        URI.create("http://127.0.0.1:" + houses.getFirst().port()))
                .withPoll(Duration.ofSeconds(5));
        try (Worker worker = Worker.of(config)
                .handleJson("company.work", (input, task) -> {
                    made.merge(task.key(), 1, Integer::sum);
                    return input;
                })
                .start()) {
            for (int i = 0; i < 60; i++) {
                runs.add(houses.get(i % 3).start("remote", "{\"requestId\": \"work-" + i + "\"}"));
            }
            for (RunId run : runs) {
                assertEquals(RunStatus.SUCCEEDED, houses.getFirst().await(run).status());
            }
            until("all is heard", () -> worker.counts().heard() == 60);
        }
        assertEquals(60, made.size());
        assertEquals(Set.of(1), Set.copyOf(made.values()));
    }

    /** Its own node forwards for it until it has left, and the others take its shards. */
    @Test
    void aNodeThatLeavesLosesNothing() throws Exception {
        House four = house("four", FreePort.next(), Map.of());
        until("it has its part", () -> shards(four) == 1);
        List<RunId> runs = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            runs.add(four.start("waits", "{\"requestId\": \"leaves-" + i + "\"}"));
        }
        four.close();

        for (RunId run : runs) {
            until(
                    "it can be asked",
                    () -> houses.getFirst()
                                    .post("/executions/" + run + "/cancel", "{\"reason\": \"enough\"}")
                                    .status()
                            == 200);
        }
        untilTheyKnow();
    }

    /** What a batch can't do here is done where it can be. */
    @Test
    void allRunsOfAWorkflowAreMovedWhereverTheyAre() throws Exception {
        houses.getFirst().publish(WAITS.replace("\"waits\"", "\"moves\""));
        for (int i = 0; i < 12; i++) {
            houses.get(i % 3).start("moves", "{\"requestId\": \"moves-" + i + "\"}");
        }
        houses.get(1)
                .post(
                        "/workflows/moves/draft",
                        WAITS.replace("\"waits\"", "\"moves\"").replace("\"W\"", "\"X\""));
        houses.get(1).post("/workflows/moves/publish", "").expect(200);

        House.Answer moved = houses.get(2)
                .post("/workflows/moves/migrate", "{\"version\": 2}")
                .expect(200);

        assertEquals(JsonNumber.of(12), moved.object().get("moved"), moved::text);
    }

    /** Whoever says at the port for callers who they are in the way of nodes is not believed. */
    @Test
    void aForgedCallerIsNoCaller() throws Exception {
        House.Answer answer = houses.getFirst()
                .post("/workflows/waits/execute", "{}", "Flowstone-Caller", "bm9ib2R5", "Flowstone-Tenant", "nobody");
        answer.expect(404);
    }

    @Test
    void thePortOfNodesIsForNodesOnly() throws Exception {
        URI address = URI.create("https://127.0.0.1:" + doors.getFirst() + "/api/v1/workflows");
        HttpClient stranger = HttpClient.newBuilder()
                .sslContext(trusting())
                .connectTimeout(Duration.ofSeconds(10))
                .build();

        assertThrows(
                IOException.class,
                () -> stranger.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()));
    }

    /** Whoever shows no certificate, but trusts ours. */
    private static SSLContext trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (var in = Files.newInputStream(certificates.authority())) {
            trusted.setCertificateEntry("ca", (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void whatDoesNotGoTogetherIsTold() throws Exception {
        Files.writeString(folder.resolve("empty.pem"), "");
        for (Map<String, String> wrong : List.of(
                Map.of("node.certificate", folder.resolve("missing.pem").toString()),
                Map.of("node.key", folder.resolve("empty.pem").toString()),
                Map.of("node.authority", folder.resolve("empty.pem").toString()),
                Map.of("node.address", "127.0.0.1:" + doors.getFirst()))) {
            CannotStartException told =
                    assertThrows(CannotStartException.class, () -> house("wrong", FreePort.next(), wrong));
            assertTrue(
                    String.valueOf(told.getMessage()).matches(".*(missing.pem|empty.pem|node.address).*"),
                    told::getMessage);
        }
    }
}
