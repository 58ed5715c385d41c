package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.server.api.GoodCalls.GoodCall;
import dev.flowstone.server.api.RefusedCalls.RefusedCall;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.api.Stage.Request;
import dev.flowstone.server.http.LoopbackCallers;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What an operation refuses for what it is about, where no other test has it: states, bounds, what has left, what others do
 * meanwhile. Each answer is held against the document ({@link ApiContract}) and written down ({@link RefusalLedger}).
 */
final class RefusalProbeTest {
    /** Of a month that has left. */
    private static final RunId ARCHIVED = RunId.of(Instant.parse("2026-01-01T00:00:00Z"), new Slot(1), 7);

    private static final int OF_A_READER = 50;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final AtomicInteger TENANTS = new AtomicInteger();
    private static final AtomicBoolean CHANGING = new AtomicBoolean();
    private static RestFixture rest;
    private static RestFixture stored;
    private static Map<String, Operation> operations = Map.of();

    @BeforeAll
    static void serve(@TempDir Path data) throws Exception {
        rest = new RestFixture(RefusedCalls.FLAGS, RefusalProbeTest::moved);
        stored = RestFixture.onPostgres(data, RefusedCalls.STORED);
        rest.until("/health/ready", ready -> ready.status() == 200);
        operations = Operation.of(rest.get("/api/v1/openapi.json").json()).stream()
                .collect(Collectors.toMap(Operation::id, Function.identity()));
    }

    @AfterAll
    static void stop() {
        rest.close();
        stored.close();
    }

    /** With a month that has left, and workflows that others change all the time once they do. */
    private static Ports moved(Ports ports) {
        RunReader runs = Instead.of(
                RunReader.class,
                ports.runs(),
                (method, arguments) -> method.equals("archives") && ARCHIVED.equals(arguments[1])
                        ? Optional.of(List.of("2026-01.fsa"))
                        : Optional.empty());
        WorkflowStore workflows = Instead.of(
                WorkflowStore.class,
                ports.workflows(),
                (method, arguments) ->
                        CHANGING.get() ? overtaken(ports.workflows(), method, arguments) : Optional.empty());
        return with(ports, ports.leases(), runs, workflows);
    }

    private static Optional<Object> overtaken(WorkflowStore store, String method, Object... arguments)
            throws JournalException {
        if (method.equals("deleteDraft")) {
            WorkflowRow row = store.find((TenantId) arguments[0], (WorkflowId) arguments[1])
                    .orElseThrow();
            assertTrue(store.save(row, row.revision(), Optional.empty()).isPresent());
            return Optional.of(false);
        }
        return method.equals("save") ? Optional.of(Optional.empty()) : Optional.empty();
    }

    private static Ports with(Ports ports, Leases leases, RunReader runs, WorkflowStore workflows) {
        return new Ports(
                ports.journal(),
                leases,
                ports.outbox(),
                ports.inbox(),
                runs,
                ports.humanTasks(),
                ports.feed(),
                workflows,
                ports.clock(),
                ports.subjects(),
                ports.transactions(),
                ports.settings(),
                ports.policies(),
                ports.projections(),
                ports.deadLetters());
    }

    private static Operation known(String operation) {
        return Optional.ofNullable(operations.get(operation))
                .orElseThrow(() -> new AssertionError(operation + " is no operation of the document"));
    }

    private static Stage stage(String operation) {
        boolean inDatabase = known(operation)
                .path()
                .matches("/api/v1/(subscriptions|triggers|templates|events|connectors|actions)\\b.*");
        return new Stage(inDatabase ? stored : rest, "refused-" + TENANTS.incrementAndGet());
    }

    private static void refused(String operation, String code, Answer answer) {
        assertEquals(code, answer.status() < 400 ? answer.toString() : answer.text("/code"), answer::toString);
        assertTrue(known(operation).refusals().contains(code), () -> operation + " is not said to give " + code);
    }

    static Stream<RefusedCall> calls() {
        return RefusedCalls.all().stream();
    }

    private static Stream<GoodCall> naming(String code) {
        return GoodCalls.all().stream()
                .filter(call -> known(call.operation()).refusals().contains(code));
    }

    static Stream<GoodCall> ofExecutions() {
        return naming("EXECUTION_ARCHIVED");
    }

    static Stream<GoodCall> ofWorkflows() {
        return naming("CHANGED_MEANWHILE");
    }

    @ParameterizedTest
    @MethodSource("calls")
    void itIsRefusedForWhatItIsAbout(RefusedCall call) throws Exception {
        Stage stage = stage(call.operation());
        Request request = call.prepared().on(stage);

        refused(call.operation(), call.code(), request.sent(stage.rest(), stage.tenant()));
    }

    @ParameterizedTest
    @MethodSource("ofExecutions")
    void whatHasLeftIsToldAsThat(GoodCall call) throws Exception {
        Stage stage = stage(call.operation());
        Request request = call.prepared().on(stage);
        String[] path = request.target().split("/", 6);
        path[4] = path[4].replaceFirst("[0-9a-f-]{36}", ARCHIVED.toString());

        Answer answer = new Request(request.method(), String.join("/", path), request.body())
                .sent(stage.rest(), stage.tenant());

        refused(call.operation(), "EXECUTION_ARCHIVED", answer);
        assertTrue(answer.text("/detail").contains("2026-01.fsa"), answer::toString);
    }

    @ParameterizedTest
    @MethodSource("ofWorkflows")
    void whatOthersChangeAllTheTimeIsLeftToThem(GoodCall call) throws Exception {
        Stage stage = stage(call.operation());
        Request request = call.prepared().on(stage);
        CHANGING.set(true);
        try {
            refused(call.operation(), "CHANGED_MEANWHILE", request.sent(stage.rest(), stage.tenant()));
        } finally {
            CHANGING.set(false);
        }
    }

    /** Slots are the shards' in turn, or one stretch after the other: these two are of two shards. */
    @Test
    void whatIsNoShardsOfThisNodeItDoesNotDecide() throws Exception {
        Instant born = Instant.parse("2026-01-01T00:00:00Z");
        try (RestFixture half = new RestFixture(Map.of(), RefusalProbeTest::half)) {
            List<String> codes = new ArrayList<>();
            for (int slot : List.of(0, Slot.COUNT - 1)) {
                RunId run = RunId.of(born, new Slot(slot), 7);
                codes.add(half.post("/api/v1/executions/" + run + "/timers/t/fire", "")
                        .text("/code"));
            }
            assertEquals(Set.of("BUSY", "EXECUTION_NOT_FOUND"), Set.copyOf(codes));
        }
    }

    /** All that it gets is the first shard. */
    private static Ports half(Ports ports) {
        ShardId first = ports.leases().shards().getFirst().id();
        Leases leases = Instead.of(
                Leases.class,
                ports.leases(),
                (method, arguments) -> method.equals("acquire") && !first.equals(arguments[0])
                        ? Optional.of(Optional.empty())
                        : Optional.empty());
        return with(ports, leases, ports.runs(), ports.workflows());
    }

    @Test
    void aTenantHasNoMoreTriggersThanItMay() throws Exception {
        Triggers full = Instead.of(
                Triggers.class,
                Triggers.none(),
                (method, _) -> method.equals("create") ? Optional.of(new Triggers.Change.TooMany()) : Optional.empty());
        try (RestFixture crowded = RestFixture.with(full)) {
            Stage stage = new Stage(crowded, "crowded");
            refused("createTrigger", "LIMIT_EXCEEDED", stage.trigger().sent(crowded, stage.tenant()));
        }
    }

    /** Its log was damaged while no node had it. */
    @Test
    void whatAnExecutionIsAskedThatWasSetAsideIsRefused() throws Exception {
        InMemoryDatabase database = new InMemoryDatabase(Clock.SYSTEM, 2);
        String run;
        Request attest;
        try (RestFixture before = new RestFixture(Stage.FLAGS, _ -> database.ports())) {
            attest = new Stage(before, "aside").attestation("{'statement':'they know'}");
            run = attest.target().split("/", -1)[4];
        }
        database.corrupt(new RunKey(new TenantId("aside"), RunId.parse(run)), 0, 40);
        try (RestFixture after = new RestFixture(Stage.FLAGS, _ -> database.ports())) {
            after.until("/health/ready", ready -> ready.status() == 200);
            refused("attest", "WFENG002", attest.sent(after, "aside"));
            Request link = Stage.ask(run, "tasks/a%231/links", "{" + Stage.LINKED + "}");
            refused("linkResources", "WFENG002", link.sent(after, "aside"));
            Request rebuild = Stage.ask(run, "rebuild", "{'reason':'x'}");
            refused("rebuildExecution", "WFENG002", rebuild.sent(after, "aside"));
        }
    }

    @Test
    void whoReadsTooManyStreamsGetsNoMore() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer();
                RestFixture watched = new RestFixture(issuer.settings("auth.loose", "true"))) {
            watched.until("/health/ready", ready -> ready.status() == 200);
            String run = new Stage(watched, "acme").waiting();
            String[] reader = issuer.bearer("ann", "acme", "events:read executions:read");
            for (int i = 0; i < OF_A_READER; i++) {
                assertEquals(200, stream(watched, "", reader).statusCode());
            }
            refused("streamEvents", "BUSY", watched.get("/api/v1/events", reader));
            refused("streamExecution", "BUSY", watched.get("/api/v1/executions/" + run + "/stream", reader));
        }
    }

    private static HttpResponse<InputStream> stream(RestFixture server, String query, String... headers)
            throws Exception {
        URI events = URI.create("http://127.0.0.1:" + server.port() + "/api/v1/events" + query);
        return CLIENT.send(HttpRequest.newBuilder(events).headers(headers).build(), BodyHandlers.ofInputStream());
    }

    private static int status(HttpResponse<InputStream> answer) throws Exception {
        answer.body().close();
        return answer.statusCode();
    }

    /** The feed is swept soon, and who was at its beginning has missed something then. */
    @Test
    void whatTheFeedHasNoMoreIsTold() throws Exception {
        Stage stage = new Stage(stored, "late");
        stage.over();
        stage.done(Stage.subscribe());
        String[] tenant = {LoopbackCallers.TENANT, stage.tenant(), "Last-Event-ID", ""};
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                stream(stored, "?from=begin", tenant[0], tenant[1]).body(), StandardCharsets.UTF_8))) {
            tenant[3] = lines.lines()
                    .filter(line -> line.startsWith("id:"))
                    .findFirst()
                    .orElseThrow()
                    .substring(3)
                    .strip();
        }
        Request rewind = Stage.post("/api/v1/subscriptions/shop/rewind", "{'to':'2000-01-01T00:00:00Z'}");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (rewind.sent(stored, stage.tenant()).status() != 410 || status(stream(stored, "", tenant)) != 410) {
            assertTrue(System.nanoTime() < end, "the feed is never swept");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        refused("rewindSubscription", "EVENTS_GONE", rewind.sent(stored, stage.tenant()));
        refused("streamEvents", "EVENTS_GONE", stored.get("/api/v1/events", tenant));
    }
}
