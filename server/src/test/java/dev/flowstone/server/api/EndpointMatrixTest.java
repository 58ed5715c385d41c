package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.api.GoodCalls.GoodCall;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.api.Stage.Request;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation of the served document, called by somebody who means well: it does what it is for, for nobody but its tenant, and
 * once if it is asked twice at the same time under one key. What is wrong with a call is in {@link HostileProbeTest}, {@link ScopeProbeTest} and
 * {@link HostileMutationTest}. Each answer is held against the document besides ({@link ApiContract}).
 */
final class EndpointMatrixTest {
    /** It has no end; see {@code EventStreamsTest}. */
    private static final Set<String> ENDLESS = Set.of("streamEvents");

    /** What is said to who comes second: it is done, it is gone, it has changed. */
    private static final Set<Integer> TOO_LATE = Set.of(404, 409, 412);

    /** Who repeats their very bytes is no sender that tries again, whatever key is beside them; see {@code WebhookInTest}. */
    private static final Set<String> SIGNED = Set.of("receiveWebhook");

    /** Their answers are the installation's, of all tenants; who operates it has their scope. */
    private static final String OF_THE_INSTALLATION = "metrics:read";

    /** What an answer says that has found nothing to do. */
    private static final Pattern NOTHING =
            Pattern.compile("\"(requeued|purged)\":0|\"(tasks|items)\":\\[]|\"state\":\"(gone|unknown|refused)\"");

    private static final Set<String> MAY_BE_EMPTY = Set.of("listStuck");

    /** What they set going is seen to move on, whoever asks again. */
    private static final Set<String> GOING_ON = Set.of(
            "requeueMessage", "requeueMessages", "requeueDeadLetter", "requeueDeadLetters", "rewindSubscription");

    /** Begins another execution; comes when one is over; is the same under every key. */
    private static final Set<String> OTHER_KEYS = Set.of("resetExecution", "attest", "linkResources");

    /** What tells only that something was written again, or moves by itself. */
    private static final Pattern PASSING = Pattern.compile(
            "\"(revision|behind|cursor|number|correlationId)\":(\\{[^}]*}|\"[^\"]*\"|\\d+)|\"\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z\"|,?\"deeds\":\\[[^]]*]");

    private static final Pattern RUN = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final AtomicInteger TENANTS = new AtomicInteger();
    private static RestFixture rest;

    /** For subscriptions and triggers, which live in a database only. */
    private static RestFixture stored;

    private static Map<String, Operation> operations = Map.of();

    @BeforeAll
    static void serve(@TempDir Path data) throws Exception {
        rest = new RestFixture(Stage.FLAGS);
        stored = RestFixture.onPostgres(data, Stage.FLAGS);
        rest.until("/health/ready", ready -> ready.status() == 200);
        JsonObject document = rest.get("/api/v1/openapi.json").json();
        operations = Operation.of(document).stream().collect(Collectors.toMap(Operation::id, Function.identity()));
    }

    @AfterAll
    static void stop() {
        rest.close();
        stored.close();
    }

    private static Stage stage(GoodCall call) {
        boolean inDatabase =
                operation(call).path().matches("/api/v1/(subscriptions|triggers|templates|connectors|actions)\\b.*")
                        || call.operation().equals("sendEvents");
        return new Stage(inDatabase ? stored : rest, "matrix-" + TENANTS.incrementAndGet());
    }

    private static Operation operation(GoodCall call) {
        return Optional.ofNullable(operations.get(call.operation()))
                .orElseThrow(() -> new AssertionError(call + " is no operation of the document"));
    }

    static Stream<GoodCall> calls() {
        return GoodCalls.all().stream();
    }

    static Stream<GoodCall> ofOneThing() {
        return calls().filter(call -> {
            Operation operation = operation(call);
            // Who puts something under a name puts their own there.
            return !operation.method().equals("PUT")
                    && !operation.scope().equals("public")
                    && !operation.isOfAllTenants()
                    && !operation.parameters("path").isEmpty();
        });
    }

    /** Lists, bulk calls, and those that name things in their bodies. */
    static Stream<GoodCall> ofAll() {
        return calls().filter(call -> {
            Operation operation = operation(call);
            return !Set.of("public", OF_THE_INSTALLATION).contains(operation.scope())
                    && operation.parameters("path").isEmpty();
        });
    }

    static Stream<GoodCall> mutations() {
        return calls().filter(call -> !operation(call).method().equals("GET"));
    }

    private static Stream<GoodCall> refusing(String code) {
        return calls().filter(call -> operation(call).refusals().contains(code));
    }

    static Stream<GoodCall> atRevisions() {
        return refusing("PRECONDITION_FAILED");
    }

    static Stream<GoodCall> ofExecutionsUnderKeys() {
        return refusing("IDEMPOTENCY_KEY_REUSED")
                .filter(call -> operation(call).path().startsWith("/api/v1/executions/{id}/"))
                .filter(call -> !OTHER_KEYS.contains(call.operation()));
    }

    static Stream<GoodCall> readLate() {
        return calls().filter(call -> BorderProbeTest.READ_LATE.contains(call.operation()));
    }

    @Test
    void everyOperationHasAGoodCall() {
        Set<String> called = calls().map(GoodCall::operation).collect(Collectors.toCollection(TreeSet::new));
        called.addAll(ENDLESS);

        assertEquals(new TreeSet<>(operations.keySet()), called, "add a call of a new operation to GoodCalls");
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aGoodCallDoesWhatItIsFor(GoodCall call) throws Exception {
        Stage stage = stage(call);
        Request request = call.prepared().on(stage);
        Operation operation = operation(call);
        String path = request.target().replaceFirst("\\?.*", "");
        assertEquals(operation.method(), request.method());
        assertTrue(path.matches(operation.path().replaceAll("\\{[^}]+}", "[^/]+")), path);

        Answer answer = request.sent(stage.rest(), stage.tenant());

        assertEquals(call.status(), answer.status(), answer::toString);
    }

    /** What isn't theirs isn't there, and stays as it is. */
    @ParameterizedTest
    @MethodSource("ofOneThing")
    void anotherTenantsGoodCallFindsNothingAndChangesNothing(GoodCall call) throws Exception {
        Stage stage = stage(call);
        Request request = call.prepared().on(stage);

        Answer theirs = request.sent(stage.rest(), stage(call).tenant());
        Answer own = request.sent(stage.rest(), stage.tenant());

        assertEquals(404, theirs.status(), theirs::toString);
        assertTrue(theirs.text("/code").matches(".*NOT_FOUND|WFENG004"), theirs::toString);
        assertEquals(call.status(), own.status(), own::toString);
    }

    /** A list, or a call of many things, has none of theirs, and leaves theirs to them. */
    @ParameterizedTest
    @MethodSource("ofAll")
    void anotherTenantsGoodCallSeesAndTakesNothing(GoodCall call) throws Exception {
        Stage stage = stage(call);
        Request request = call.prepared().on(stage);
        Set<String> theirs = RUN.matcher(
                        stage.done(Stage.get("/api/v1/executions")).response().body())
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());

        String seen = request.sent(stage.rest(), stage(call).tenant())
                .response()
                .body()
                .replace(request.body().orElse("-"), "");
        Answer own = request.sent(stage.rest(), stage.tenant());

        assertFalse(
                Pattern.compile("\\b" + stage.tenant() + "\\b").matcher(seen).find(), seen);
        Set<String> asked = RUN.matcher(request.body().orElse(""))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
        for (String run : theirs) {
            assertTrue(asked.contains(run) || !seen.contains(run), seen);
        }
        assertEquals(call.status(), own.status(), own::toString);
        if (!MAY_BE_EMPTY.contains(call.operation())) {
            assertFalse(NOTHING.matcher(own.response().body()).find(), own::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("atRevisions")
    void atAnotherRevisionItIsNotDone(GoodCall call) throws Exception {
        Stage stage = stage(call);
        Request request = call.prepared().on(stage);
        if (request.method().equals("PUT")) {
            stage.done(request);
        }

        Answer refused = request.sent(stage.rest(), stage.tenant(), "If-Match", "\"r999\"");

        assertEquals(412, refused.status(), refused::toString);
        assertEquals("PRECONDITION_FAILED", refused.text("/code"));
        stage.done(request);
    }

    @ParameterizedTest
    @MethodSource("readLate")
    void whatIsNoJsonIsRefusedWhereTheThingIs(GoodCall call) throws Exception {
        Stage stage = stage(call);
        Request good = call.prepared().on(stage);

        Answer refused = new Request(good.method(), good.target(), Optional.of("{")).sent(stage.rest(), stage.tenant());

        assertEquals(400, refused.status(), refused::toString);
        assertEquals("MALFORMED_JSON", refused.text("/code"));
    }

    @ParameterizedTest
    @MethodSource("ofExecutionsUnderKeys")
    void underTheKeyOfAnotherRequestItIsNotDone(GoodCall call) throws Exception {
        Stage stage = stage(call);
        Request request = call.prepared().on(stage);
        String run = request.target().split("/", -1)[4];
        stage.done(new Request(
                "PATCH",
                "/api/v1/executions/" + run + "/variables",
                Optional.of("{\"variables\":{\"other\":1},\"reason\":\"x\"}"),
                List.of("Idempotency-Key", "one")));

        Answer refused = request.sent(stage.rest(), stage.tenant(), "Idempotency-Key", "one");

        assertEquals(409, refused.status(), refused::toString);
        assertEquals("IDEMPOTENCY_KEY_REUSED", refused.text("/code"));
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void askedTwiceAtOnceItIsDoneOnce(GoodCall call) throws Exception {
        Stage stage = stage(call);
        Request request = call.prepared().on(stage);

        List<Answer> both = atOnce(() -> request.sent(stage.rest(), stage.tenant(), "Idempotency-Key", "one"));

        List<Answer> good =
                both.stream().filter(answer -> answer.status() < 300).toList();
        assertFalse(good.isEmpty(), both::toString);
        assertTrue(
                both.stream().allMatch(answer -> answer.status() < 300 || TOO_LATE.contains(answer.status())),
                both::toString);
        assertTrue(good.stream().anyMatch(answer -> answer.status() == call.status()), both::toString);
        if (good.stream().allMatch(EndpointMatrixTest::tellsRepetition)) {
            assertEquals(1, good.stream().filter(answer -> !isRepeated(answer)).count(), both::toString);
        }
        if (good.stream().allMatch(EndpointMatrixTest::isStart)) {
            assertEquals(good.getFirst().text("/executionId"), good.getLast().text("/executionId"));
            // Of what is signed the second one is a replay, unless nobody knows yet what became of the first.
            assertTrue(good.size() == 2 || SIGNED.contains(call.operation()), both::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void askedAgainUnderItsKeyItChangesNothing(GoodCall call) throws Exception {
        Stage stage = stage(call);
        Request request = call.prepared().on(stage);

        Answer first = request.sent(stage.rest(), stage.tenant(), "Idempotency-Key", "one");
        String seen = seen(stage, call, request);
        Answer again = request.sent(stage.rest(), stage.tenant(), "Idempotency-Key", "one");

        assertEquals(call.status(), first.status(), first::toString);
        if (SIGNED.contains(call.operation())) {
            assertEquals(409, again.status(), again::toString);
        } else if (tellsRepetition(first)) {
            assertFalse(isRepeated(first), first::toString);
            assertTrue(again.status() == 200 && isRepeated(again), again::toString);
        } else if (isStart(first)) {
            assertEquals(200, again.status(), again::toString);
            assertEquals(first.text("/executionId"), again.text("/executionId"));
        } else {
            assertTrue(again.status() < 300 || TOO_LATE.contains(again.status()), again::toString);
            assertEquals(seen, seen(stage, call, request), again::toString);
        }
        if (first.response().body().contains("\"fate\":")) {
            assertEquals("repeated", again.text("/fate"));
        }
        if (call.operation().equals("completeWork")) {
            assertEquals("unchanged", again.text("/tasks/0/state"));
        }
    }

    /**
     * What the tenant sees of what a call was about, but for what {@link #PASSING} names: the workflow, the message, the list that it is in.
     * Nothing of what workers have: leases are taken anew, and what they bring is told as repeated.
     */
    private static String seen(Stage stage, GoodCall call, Request request) throws Exception {
        String[] path = request.target().replaceFirst("\\?.*", "").split("/", -1);
        if (GOING_ON.contains(call.operation())
                || Set.of("tasks", "signals", "events").contains(path[3])) {
            return "";
        }
        boolean one = path.length > 4
                && Set.of("workflows", "policies", "subscriptions", "triggers", "executions")
                        .contains(path[3]);
        String target = "/api/v1/" + path[3] + (one ? "/" + path[4] : "");
        Answer answer = Stage.get(target).sent(stage.rest(), stage.tenant());
        // Of scopes what is in force: each setting is kept, though it says what the one before has said.
        String told = path[3].equals("control")
                ? CanonicalJson.exactText(answer.at("/inForce"))
                : answer.response().body();
        return answer.status() + " " + PASSING.matcher(told).replaceAll("");
    }

    private static boolean tellsRepetition(Answer answer) {
        return answer.response().body().contains("\"repeated\":");
    }

    private static boolean isRepeated(Answer answer) {
        return answer.at("/repeated").equals(JsonBoolean.of(true));
    }

    private static boolean isStart(Answer answer) {
        return answer.response().body().contains("\"statusUrl\":");
    }

    private static List<Answer> atOnce(Callable<Answer> call) throws Exception {
        CyclicBarrier ready = new CyclicBarrier(2);
        Callable<Answer> one = () -> {
            ready.await();
            return call.call();
        };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> first = threads.submit(one);
            Future<Answer> second = threads.submit(one);
            return List.of(first.get(), second.get());
        }
    }
}
