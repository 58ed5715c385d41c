package dev.flowstone.server.api;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Sources;
import dev.flowstone.server.e2e.PreparedData;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.server.http.Routes;
import dev.flowstone.server.node.Below;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.server.node.Serving;
import dev.flowstone.server.trace.Tracing;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.scenario.Published;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A served Flowstone on an in-memory database, or an embedded PostgreSQL, and a client who holds each answer against the document. */
final class RestFixture implements AutoCloseable {
    static final int MAX_BODY = 64 << 10;

    private final Ports ports;
    private final Serving serving;
    private final HttpClient client = HttpClient.newHttpClient();

    /** Compiled once for all that serve the same. */
    private static final Map<String, ApiContract> CONTRACTS = new ConcurrentHashMap<>();

    private volatile @Nullable ApiContract contract;

    RestFixture() throws Exception {
        this(Map.of());
    }

    /** @param flags settings by name */
    RestFixture(Map<String, String> flags) throws Exception {
        this(flags, UnaryOperator.identity());
    }

    /**
     * One with others' settings.
     *
     * @param flags settings by name
     */
    RestFixture(Map<String, String> flags, UnaryOperator<Ports> around) throws Exception {
        this(flags, around, BuiltInActions.registry(), Tracing.off(), Map.of());
    }

    /** One whose handlers, followers and publishers are the test's, too. */
    RestFixture(
            Map<String, String> flags,
            UnaryOperator<Ports> around,
            HandlerRegistry handlers,
            Tracing tracing,
            Map<String, Publisher> publishers)
            throws Exception {
        this(flags, around, handlers, tracing, publishers, () -> {});
    }

    private RestFixture(
            Map<String, String> flags,
            UnaryOperator<Ports> around,
            HandlerRegistry handlers,
            Tracing tracing,
            Map<String, Publisher> publishers,
            Below below)
            throws Exception {
        Map<String, String> all = new HashMap<>(flags);
        all.put("http.maxBodyBytes", Integer.toString(MAX_BODY));
        FlowstoneConfig config = FlowstoneConfig.of(Sources.of(all, Map.of(), Optional.empty()));
        ports = around.apply(new InMemoryDatabase(Clock.SYSTEM, 2).ports());
        serving = Serving.start(
                InetAddress.getLoopbackAddress(),
                0,
                config.http(),
                "test",
                () -> Flowstone.on(ports, config, handlers, "test", "in memory", below, tracing, publishers));
    }

    /** One with other triggers than none. */
    static RestFixture with(Triggers triggers) throws Exception {
        Below below = new Below() {
            @Override
            public Triggers triggers() {
                return triggers;
            }

            @Override
            public void close() {}
        };
        return new RestFixture(
                Map.of(), UnaryOperator.identity(), BuiltInActions.registry(), Tracing.off(), Map.of(), below);
    }

    /** One with these actions, and other document templates than none. */
    static RestFixture with(HandlerRegistry handlers, Templates templates) throws Exception {
        Below below = new Below() {
            @Override
            public Templates templates() {
                return templates;
            }

            @Override
            public void close() {}
        };
        return new RestFixture(Map.of(), UnaryOperator.identity(), handlers, Tracing.off(), Map.of(), below);
    }

    private RestFixture(Ports ports, Serving serving) {
        this.ports = ports;
        this.serving = serving;
    }

    /** One on a PostgreSQL of its own, whose data lie there. */
    static RestFixture onPostgres(Path data) throws Exception {
        return onPostgres(data, Map.of());
    }

    /** @param flags settings by name */
    static RestFixture onPostgres(Path data, Map<String, String> flags) throws Exception {
        Map<String, String> all = new HashMap<>(flags);
        all.put("http.maxBodyBytes", Integer.toString(MAX_BODY));
        all.put("database.data", data.toString());
        FlowstoneConfig config = FlowstoneConfig.of(Sources.of(all, Map.of(), Optional.empty()));
        PreparedData.in(config.database());
        CompletableFuture<Flowstone> opened = new CompletableFuture<>();
        Serving serving = Serving.start(InetAddress.getLoopbackAddress(), 0, config.http(), "test", () -> {
            Flowstone flowstone = Flowstone.open(config, BuiltInActions.registry());
            opened.complete(flowstone);
            return flowstone;
        });
        return new RestFixture(opened.join().ports(), serving);
    }

    int port() {
        return serving.port();
    }

    /** An answer, its body read as JSON where it is some. */
    record Answer(HttpResponse<String> response) {
        int status() {
            return response.statusCode();
        }

        Optional<String> header(String name) {
            return response.headers().firstValue(name);
        }

        JsonObject json() {
            return json(response.body());
        }

        private static JsonObject json(String text) {
            try {
                return (JsonObject) JsonParser.parse(text.getBytes(StandardCharsets.UTF_8), JsonLimits.STORED);
            } catch (JsonSyntaxException e) {
                throw new AssertionError("no JSON: " + text, e);
            }
        }

        JsonValue at(String pointer) {
            return JsonPointer.parse(pointer)
                    .find(json())
                    .orElseThrow(() -> new AssertionError("nothing at " + pointer + " in " + response.body()));
        }

        String text(String pointer) {
            return ((JsonString) at(pointer)).value();
        }

        @Override
        public String toString() {
            return status() + " " + response.body();
        }
    }

    Answer get(String path, String... headers) throws IOException, InterruptedException {
        return call("GET", path, Optional.empty(), headers);
    }

    Answer post(String path, String body, String... headers) throws IOException, InterruptedException {
        return call("POST", path, Optional.of(body), headers);
    }

    Answer delete(String path, String... headers) throws IOException, InterruptedException {
        return call("DELETE", path, Optional.empty(), headers);
    }

    Answer call(String method, String path, Optional<String> body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .method(method, body.map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody));
        if (body.filter(it -> !it.isEmpty()).isPresent()) {
            request.setHeader("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        Answer answer = new Answer(client.send(request.build(), BodyHandlers.ofString()));
        contract().check(method, path, body, answer);
        return answer;
    }

    /** The document that this server serves, and that each of its answers is held against. */
    ApiContract contract() throws IOException, InterruptedException {
        ApiContract known = contract;
        if (known == null) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + port() + "/api/v1/openapi.json"))
                    .build();
            known = CONTRACTS.computeIfAbsent(
                    client.send(request, BodyHandlers.ofString()).body(), text -> new ApiContract(Answer.json(text)));
            contract = known;
        }
        return known;
    }

    Ports ports() {
        return ports;
    }

    Routes routes() {
        return serving.routes();
    }

    /** Sends these very bytes as JSON. */
    Answer post(String path, byte[] body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        Answer answer = new Answer(client.send(request, BodyHandlers.ofString()));
        contract().check("POST", path, Optional.empty(), answer);
        return answer;
    }

    /** Writes a workflow's row past what the API offers: turned on or off, with this draft if there is one. */
    void rewrite(String workflow, boolean enabled, Optional<String> draft) throws Exception {
        WorkflowRow row = ports.workflows()
                .find(LoopbackCallers.DEFAULT_TENANT, new WorkflowId(workflow))
                .orElseThrow();
        WorkflowRow next = new WorkflowRow(
                row.tenant(),
                row.id(),
                row.displayName(),
                row.description(),
                row.status(),
                enabled,
                row.currentVersion(),
                row.latestVersion(),
                draft.map(text -> text.getBytes(StandardCharsets.UTF_8)),
                row.createdAt(),
                row.updatedAt(),
                row.revision());
        if (ports.workflows().save(next, row.revision(), Optional.empty()).isEmpty()) {
            throw new AssertionError("somebody else has changed " + workflow);
        }
    }

    /** Publishes a program that no dialect can say yet, and starts it; waits until it asks somebody or is over. */
    String start(Program program, String tenant) throws Exception {
        Published.in(
                ports.workflows(), new TenantId(tenant), program, ports.clock().now());
        Answer started =
                post("/api/v1/workflows/" + program.workflow() + "/execute", "", LoopbackCallers.TENANT, tenant);
        if (started.status() != 202) {
            throw new AssertionError(started.toString());
        }
        return started.text("/executionId");
    }

    /** Asks until the answer is as it should be. */
    Answer until(String path, Predicate<Answer> good, String... headers) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            Answer answer = get(path, headers);
            if (good.test(answer)) {
                return answer;
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("never as it should be: " + answer);
            }
        }
    }

    /** Publishes a definition, all the way to active. */
    void publish(String definition) throws IOException, InterruptedException {
        Answer saved = post("/api/v1/workflows", definition);
        if (saved.status() != 201) {
            throw new AssertionError(saved.toString());
        }
        Answer published = post("/api/v1/workflows/" + saved.text("/id") + "/publish", "");
        if (published.status() != 200) {
            throw new AssertionError(published.toString());
        }
    }

    /** Asks until the execution is over. */
    Answer finished(String executionId, String query) throws IOException, InterruptedException {
        while (true) {
            Answer answer = get("/api/v1/executions/" + executionId + query);
            if (answer.status() != 200 || !answer.text("/status").equals("Running")) {
                return answer;
            }
        }
    }

    @Override
    public void close() {
        serving.close();
    }
}
