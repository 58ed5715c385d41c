package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Sources;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.server.node.Serving;
import dev.flowstone.testkit.scenario.History;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A Flowstone on an embedded PostgreSQL behind real HTTP, and a client who knows the way about it. */
final class House implements AutoCloseable {
    static final TenantId TENANT = new TenantId("default");

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path data;
    private final Flowstone flowstone;
    private final Serving serving;
    private final HttpClient client;
    private final TenantId tenant;

    private House(Path data, Flowstone flowstone, Serving serving, HttpClient client, TenantId tenant) {
        this.data = data;
        this.flowstone = flowstone;
        this.serving = serving;
        this.client = client;
        this.tenant = tenant;
    }

    static House open(Path data) throws Exception {
        return open(data, Map.of(), BuiltInActions.registry());
    }

    /**
     * Opens it.
     *
     * @param flags settings by name
     */
    static House open(Path data, Map<String, String> flags, HandlerRegistry handlers) throws Exception {
        return open(data, flags, handlers, 0);
    }

    /** The same at a port, for clients who are to find it again. */
    static House open(Path data, Map<String, String> flags, HandlerRegistry handlers, int port) throws Exception {
        FlowstoneConfig config = config(data, flags);
        PreparedData.in(config.database());
        CompletableFuture<Flowstone> opened = new CompletableFuture<>();
        Serving serving = Serving.start(
                InetAddress.getLoopbackAddress(),
                port,
                config.http(),
                config.node().peers(),
                "test",
                () -> {
                    Flowstone flowstone = Flowstone.open(config, handlers);
                    opened.complete(flowstone);
                    return flowstone;
                });
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return new House(data, opened.join(), serving, client, TENANT);
    }

    /** The same for another tenant, who sees nothing of what others do here. */
    House as(String name) {
        return new House(data, flowstone, serving, client, new TenantId(name));
    }

    static FlowstoneConfig config(Path data, Map<String, String> flags) throws Exception {
        Map<String, String> all = new HashMap<>(flags);
        all.put("database.data", data.toString());
        return FlowstoneConfig.of(Sources.of(all, Map.of(), Optional.empty()));
    }

    Path data() {
        return data;
    }

    Flowstone flowstone() {
        return flowstone;
    }

    /** An answer, whatever it is. */
    record Answer(int status, String text) {
        JsonObject object() {
            return (JsonObject) value(text);
        }

        String text(String member) {
            JsonValue value = object().get(member);
            return value instanceof JsonString string ? string.value() : fail("no text '" + member + "' in " + text);
        }

        Answer expect(int expected) {
            assertEquals(expected, status, text);
            return this;
        }
    }

    Answer post(String path, String body) throws Exception {
        return post(path, body.getBytes(StandardCharsets.UTF_8));
    }

    Answer post(String path, byte[] body) throws Exception {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(body)));
    }

    /** The same with headers, by name and value. */
    Answer post(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request =
                request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    /** The same with its headers, in lower case, but for those that are of each answer alone. */
    Map<String, List<String>> headers(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request =
                request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        HttpResponse<byte[]> answer = client.send(
                (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofByteArray());
        Map<String, List<String>> told = new TreeMap<>(answer.headers().map());
        told.keySet().removeAll(Set.of("correlation-id", "date"));
        told.put(":status", List.of(Integer.toString(answer.statusCode())));
        told.put(
                ":body",
                List.of(new String(answer.body(), StandardCharsets.UTF_8)
                        .replaceAll("\"correlationId\":\"[^\"]*\"", "")));
        return told;
    }

    /** The same at a path that isn't below the interface's. */
    Answer postTo(String path, String body, String... headers) throws Exception {
        return send(at(path).header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .headers(headers));
    }

    Answer put(String path, String body) throws Exception {
        return send(request(path).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(body)));
    }

    /** The same with headers, by name and value. */
    Answer put(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request =
                request(path).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(body));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    /** Bytes of any type. */
    Answer send(String path, String type, byte[] body, String... headers) throws Exception {
        HttpRequest.Builder request = request(path).header("Content-Type", type).POST(BodyPublishers.ofByteArray(body));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    Answer delete(String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(path).DELETE();
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    int port() {
        return serving.port();
    }

    Answer get(String path) throws Exception {
        return send(request(path).GET());
    }

    /** The same with headers, by name and value. */
    Answer get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(path).GET();
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    Answer metrics() throws Exception {
        return send(at("/metrics").GET());
    }

    Answer health() throws Exception {
        return send(at("/health/ready").GET());
    }

    /** How everything fares. */
    Answer vitals() throws Exception {
        return send(at("/health").GET());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = at("/api/v1" + path);
        return tenant.equals(TENANT) ? request : request.header("Flowstone-Tenant", tenant.value());
    }

    private HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + serving.port() + path))
                .timeout(PATIENCE);
    }

    private Answer send(HttpRequest.Builder request) throws Exception {
        HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
        return new Answer(answer.statusCode(), new String(answer.body(), StandardCharsets.UTF_8));
    }

    /** Creates the workflow, or does nothing if it is there. */
    void draft(String definition) throws Exception {
        int status = post("/workflows", definition).status();
        assertTrue(status == 200 || status == 201, () -> "status " + status);
    }

    /** Creates the workflow and publishes it. */
    void publish(String definition) throws Exception {
        String id = ((JsonString) ((JsonObject) value(definition)).find("id").orElseThrow()).value();
        post("/workflows", definition).expect(201);
        post("/workflows/" + id + "/publish", "").expect(200);
    }

    /** Starts an execution with a body for it, and waits until it has ended. */
    RunRow run(String workflow, String body) throws Exception {
        return await(start(workflow, body));
    }

    RunId start(String workflow, String body) throws Exception {
        Answer answer = post("/workflows/" + workflow + "/execute", body).expect(202);
        return RunId.parse(answer.text("executionId"));
    }

    /** Waits for the end of a run; woken by its moves, ever more of them at once so that a long run isn't slowed down. */
    RunRow await(RunId run) throws Exception {
        Semaphore moved = new Semaphore(0);
        long end = System.nanoTime() + PATIENCE.toNanos();
        int moves = 1;
        try (AutoCloseable _ = flowstone.engine().onMoved(tenant, run, sequence -> moved.release())) {
            while (true) {
                RunRow row = flowstone.ports().runs().run(tenant, run).orElseThrow();
                if (row.status().isFinal()) {
                    return row;
                }
                assertTrue(System.nanoTime() < end, () -> run + " is " + row.status() + " at " + row.lastSequence());
                boolean _ = moved.tryAcquire(moves, 25, TimeUnit.MILLISECONDS);
                moved.drainPermits();
                moves = Math.min(2 * moves, 256);
            }
        }
    }

    /** A run's events, their chain recomputed. */
    History history(RunRow row) {
        return History.of(flowstone.ports().runs(), tenant, row.key().run());
    }

    /** Of the tenant's chains, as they stand in the database. */
    ChainVerifier verifier() {
        return new ChainVerifier(EntrySource.of(flowstone.ports().runs(), tenant));
    }

    static JsonValue value(String json) {
        try {
            return JsonParser.parse(json.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            return fail(e.getMessage() + " in " + json, e);
        }
    }

    @Override
    public void close() {
        serving.close();
    }
}
