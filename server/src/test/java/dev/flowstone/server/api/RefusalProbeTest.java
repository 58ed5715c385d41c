package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.ownership.Leases;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.api.GoodCalls.GoodCall;
import dev.flowstone.server.api.RefusedCalls.RefusedCall;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.api.Stage.Request;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

    private static final AtomicInteger TENANTS = new AtomicInteger();
    private static final AtomicBoolean CHANGING = new AtomicBoolean();
    private static RestFixture rest;
    private static RestFixture stored;
    private static Map<String, Operation> operations = Map.of();

    @BeforeAll
    static void serve(@TempDir Path data) throws Exception {
        rest = new RestFixture(RefusedCalls.FLAGS, RefusalProbeTest::moved);
        stored = RestFixture.onPostgres(data, RefusedCalls.FLAGS);
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
        WorkflowStore workflows = Instead.of(WorkflowStore.class, ports.workflows(), (method, _) -> {
            if (!CHANGING.get()) {
                return Optional.empty();
            }
            return method.equals("save")
                    ? Optional.of(Optional.empty())
                    : method.equals("deleteDraft") ? Optional.of(false) : Optional.empty();
        });
        return with(ports, ports.leases(), runs, workflows);
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
        boolean inDatabase = known(operation).path().matches("/api/v1/(subscriptions|triggers|events)\\b.*");
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

    @Test
    void aNodeWithoutShardsDecidesNothing() throws Exception {
        try (RestFixture idle = new RestFixture(Map.of(), RefusalProbeTest::idle)) {
            refused("fireTimer", "BUSY", idle.post("/api/v1/executions/" + ARCHIVED + "/timers/t/fire", ""));
        }
    }

    private static Ports idle(Ports ports) {
        Leases leases = Instead.of(
                Leases.class,
                ports.leases(),
                (method, _) -> method.equals("acquire") ? Optional.of(Optional.empty()) : Optional.empty());
        return with(ports, leases, ports.runs(), ports.workflows());
    }

    @Test
    void aTenantHasNoMoreTriggersThanItMay() throws Exception {
        Triggers full = Instead.of(
                Triggers.class,
                Triggers.none(),
                (method, _) ->
                        method.equals("create") ? Optional.of(new Triggers.Change.TooMany()) : Optional.empty());
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
        }
    }
}
