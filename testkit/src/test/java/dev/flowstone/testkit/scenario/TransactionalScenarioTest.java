package dev.flowstone.testkit.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.aggregate.ChannelState;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import dev.flowstone.testkit.scenario.check.Observed;
import dev.flowstone.testkit.scenario.check.ObservedSubject;
import dev.flowstone.testkit.scenario.check.Surroundings;
import dev.flowstone.testkit.scenario.check.Together;
import dev.flowstone.testkit.scenario.file.DialectCompilers;
import dev.flowstone.testkit.scenario.file.ReadFile;
import dev.flowstone.testkit.scenario.file.Scenario;
import dev.flowstone.testkit.scenario.file.ScenarioFile;
import dev.flowstone.testkit.scenario.file.ScenarioReader;
import dev.flowstone.testkit.scenario.report.ScenarioResult;
import dev.flowstone.testkit.scenario.report.TestReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a scenario of a transactional task says when it is otherwise; that it passes when it isn't, scenario files show. */
final class TransactionalScenarioTest {
    private static final String ABOUT = "subject: {kind: order, id: O-7, version: 3, values: {status: open}}";
    private static final String POSTS = "{output: 1, sets: {status: posted}}";
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    /** The run is about an order, and its only task is in a transaction. */
    private ScenarioResult run(String answer, String when, String then) throws IOException {
        return run(ABOUT, answer, when, then);
    }

    private ScenarioResult run(String about, String answer, String when, String then) throws IOException {
        TestReport report = ScenarioFiles.run(
                Files.writeString(folder.resolve("a.scenario.yaml"), text(about, answer, when, then)));
        assertEquals(List.of(), report.faults());
        return report.results().getFirst();
    }

    private static String text(String about, String answer, String when, String then) {
        return """
                program:
                  flow:
                    post: {task: shop.post, to: done}
                    done: {end: success}
                  metadata: {windows: {post: {mode: LOCKED}}}
                scenarios:
                  - name: posts
                    given:
                      %s
                      handlers: {shop.post: {transaction: %s}}
                    when: %s
                    then: %s
                """.formatted(about, answer, when, then);
    }

    private static List<String> told(ScenarioResult result) {
        return result.differences().stream()
                .flatMap(it -> Stream.concat(Stream.of(it.key()), it.lines().stream()))
                .toList();
    }

    @Test
    void saysHowTheSubjectDiffersByPointer() throws IOException {
        ScenarioResult result = run(
                POSTS,
                "[]",
                "{subject: {version: 5, known: 3, values: {status: open, note: x}, contains: {status: closed}, changes: [outside]}}");

        assertEquals(
                List.of(
                        "then.subject",
                        "/version  expected 5, was 4",
                        "/known  expected 3, was 4",
                        "/contains/status  expected \"closed\", was \"posted\"",
                        "/changes/0/by  expected \"outside\", was \"post\"",
                        "/values/status  expected \"open\", was \"posted\"",
                        "/values/note  expected \"x\", is missing"),
                told(result));
        assertEquals(12, result.differences().getFirst().line());
    }

    @Test
    void aChangeThatNobodyExpectsIsADifference() throws IOException {
        ScenarioResult result = run(POSTS, "[]", "{subject: {changes: []}}");

        assertEquals(
                List.of(
                        "then.subject",
                        "/changes/0  not expected, was {\"attempt\":1,\"by\":\"post\",\"sets\":{\"status\":\"posted\"},\"told\":true,\"version\":4}"),
                told(result));
    }

    @Test
    void aStaleAnswerWhereNobodyCanEditIsAFaultOfTheStub() throws IOException {
        ScenarioResult result = run("{stale: {status: stolen}}", "[]", "{status: failed}");

        assertEquals(
                List.of(
                        "given.handlers",
                        "post#1 is to be stale, but nobody can edit the subject then: WORKFLOW_EDIT_LOCKED: order/O-7 may not be edited now"),
                told(result));
    }

    @Test
    void aRunThatIsAboutNothingCanDoNothingInATransaction() throws IOException {
        ScenarioResult result = run("input: 1", POSTS, "[]", "{status: failed, error: {code: NO_SUBJECT}}");

        assertTrue(result.passed(), result::told);
    }

    @Test
    void whatIsSaidOfASubjectThatIsNoneIsToldWithARemedy() throws IOException {
        assertEquals(
                List.of("when.edit", "the run is about nothing; say what in given.subject"),
                told(run("input: 1", POSTS, "[{edit: {sets: {a: 1}}}]", "{status: failed}")));
        assertEquals(
                List.of("then.subject", "the scenario's run is about nothing; say what it is about in given.subject"),
                told(run("input: 1", POSTS, "[]", "{status: failed, subject: {version: 1}}")));
        assertEquals(
                List.of(
                        "when.subject",
                        "what the run is about is changed with 'edit: {sets: {…}}', which raises its version"),
                told(run(POSTS, "[{subject: {version: 9}}]", "{}")));
    }

    @Test
    void whatIsAskedWhileATransactionIsUnderWayWaits() throws IOException {
        ScenarioResult result = run(
                "{output: 1, sets: {status: posted}, unknown: done, unknownFor: 1m}",
                "[{terminate: {}}]",
                "{subject: {version: 4}}");

        assertEquals(
                List.of("when.terminate"),
                List.of(result.differences().getFirst().key()));
        assertTrue(
                result.told().contains("while a task of the run is in a transaction, what is asked of it waits"),
                result::told);
    }

    @Test
    void thePausesInWhichNobodyKnowsAreOfVirtualTime() throws IOException {
        ScenarioResult result = run(
                "{output: 1, sets: {status: posted}, unknown: done, unknownFor: 10m}",
                "[]",
                "{took: 10m, calls: {shop.post: 1}}");

        assertTrue(result.passed(), result::told);
        assertTrue(result.real().compareTo(SOON) < 0, result::told);
    }

    /** Neither an engine nor a database that tears them apart gets by, whatever the scenario says. */
    @Test
    void aResultWithoutItsChangeIsTold() {
        Observed whole = posted();
        assertEquals(List.of(), Together.torn(whole));

        Observed torn = with(whole, List.of());

        assertEquals(
                List.of("post#1 has a result, but its change of order/O-7 was never committed"), Together.torn(torn));
    }

    @Test
    void aScenarioOverADatabaseThatForgetsChangesFailsThoughItExpectsNothingOfThem() {
        ScenarioFile file = file();
        Scenario scenario = file.scenarios().getFirst();

        ScenarioResult result = ScenarioRunner.run(
                file,
                scenario,
                new ScenarioWorld(file.program(), scenario.given(), TransactionalScenarioTest::forgetful));

        assertEquals(
                List.of("subject", "post#1 has a result, but its change of order/O-7 was never committed"),
                told(result));
    }

    /** It answers that all was done. */
    private static Ports forgetful(Clock clock) {
        Ports all = new InMemoryDatabase(clock, 1).ports();
        return new Ports(
                all.journal(),
                all.leases(),
                all.outbox(),
                all.inbox(),
                all.runs(),
                all.humanTasks(),
                all.feed(),
                all.workflows(),
                all.clock(),
                all.subjects(),
                new Forgetful(clock),
                all.settings(),
                all.policies());
    }

    private record Forgetful(Clock clock) implements Transactions {
        @Override
        public Outcome execute(TransactionRequest request, Work work) {
            TransactionMessage done = new TransactionMessage(
                    request.activation(),
                    request.attempt(),
                    new TaskResult.Ok(JsonNull.NULL),
                    Optional.of(request.expectedVersion() + 1));
            return new Outcome.Recorded(new InboxMessage(
                    TransactionRequest.key(request.run(), request.activation(), request.attempt()),
                    request.run().run(),
                    TransactionMessage.KIND,
                    done.content(),
                    clock.now()));
        }

        @Override
        public Optional<Outcome.Recorded> find(TransactionRequest request) {
            return Optional.empty();
        }

        @Override
        public Set<InboxKey> recorded(Lease lease, Collection<InboxKey> keys) {
            return Set.of();
        }
    }

    @Test
    void aChangeWithoutItsResultIsTold() {
        Observed whole = posted();
        List<ObservedSubject.Change> changes =
                new ArrayList<>(whole.surroundings().subject().orElseThrow().changes());
        ObservedSubject.Change first = changes.getFirst();
        changes.add(new ObservedSubject.Change(first.by(), Optional.of(5L), JsonObject.EMPTY));

        assertEquals(
                List.of(
                        "post#1 has changed order/O-7 2 times",
                        "post#1 has given order/O-7 version 5, but the run was not told"),
                Together.torn(with(whole, changes)));

        Observed silent = with(whole, whole.events().subList(0, 1), whole.surroundings());

        assertEquals(List.of("post#1 has changed order/O-7, but the run has no result of it"), Together.torn(silent));
    }

    /** Also one that left the version as it was, of which the run is told nothing. */
    @Test
    void aSecondChangeOfOneActivationIsTold() {
        Observed whole = posted();
        ActivationId post = new ActivationId(new NodeId("post"), 1);
        ObservedSubject.Change first =
                whole.surroundings().subject().orElseThrow().changes().getFirst();

        Observed twice = with(whole, List.of(first, quiet(post, 2)));

        assertEquals(List.of("post#1 has changed order/O-7 2 times"), Together.torn(twice));
    }

    @Test
    void onlyAFailureThatSaysThatTheResultCouldNotBeUsedIsOne() {
        Observed whole = posted();
        ActivationId post = new ActivationId(new NodeId("post"), 1);
        Observed changed = with(whole, List.of(quiet(post, 1)));

        assertEquals(List.of(), Together.torn(failed(changed, post, 1, "RESULT_TOO_LARGE")));
        List<String> torn = List.of("post#1 has changed order/O-7, but the run has no result of it");
        assertEquals(torn, Together.torn(failed(changed, post, 1, "NO_STOCK")));
        assertEquals(torn, Together.torn(failed(changed, post, 2, "RESULT_TOO_LARGE")));
    }

    private static ObservedSubject.Change quiet(ActivationId by, int attempt) {
        return new ObservedSubject.Change(
                Optional.of(new ObservedSubject.Attempt(by, attempt)), Optional.empty(), JsonObject.EMPTY);
    }

    /** The same run, but that its task has failed. */
    private static Observed failed(Observed run, ActivationId task, int attempt, String code) {
        EventBody.TaskFailed failure =
                new EventBody.TaskFailed(task, attempt, FailureClass.PERMANENT, TaskError.of(code, "why"), true);
        List<Event> events = run.events().stream()
                .map(event -> event.body() instanceof EventBody.TaskCompleted
                        ? new Event(event.header(), event.sequence(), event.previousHash(), event.hash(), failure)
                        : event)
                .toList();
        return with(run, events, run.surroundings());
    }

    private static Observed with(Observed run, List<Event> events, Surroundings surroundings) {
        return new Observed(
                run.program(), run.refusal(), run.state(), events, run.calls(), run.start(), run.now(), surroundings);
    }

    private ScenarioFile file() {
        ReadFile read = new ScenarioReader(new DialectCompilers())
                .read(folder.resolve("a.yaml"), text(ABOUT, POSTS, "[]", "{}").getBytes(StandardCharsets.UTF_8));
        return assertInstanceOf(ReadFile.Sound.class, read).file();
    }

    private Observed posted() {
        ScenarioFile file = file();
        try (ScenarioWorld world =
                new ScenarioWorld(file.program(), file.scenarios().getFirst().given())) {
            world.start();
            world.runOn(Duration.ofHours(1));
            return world.observed();
        }
    }

    private static Observed with(Observed run, List<ObservedSubject.Change> changes) {
        ObservedSubject of = run.surroundings().subject().orElseThrow();
        ObservedSubject other =
                new ObservedSubject(of.subject(), of.version(), of.values(), changes, of.transactional());
        return with(run, run.events(), new About(run.surroundings(), other));
    }

    /** The same surroundings, with another subject. */
    private record About(Surroundings rest, ObservedSubject about) implements Surroundings {
        @Override
        public JsonValue value(Payload payload) {
            return rest.value(payload);
        }

        @Override
        public List<Program> programs() {
            return rest.programs();
        }

        @Override
        public Optional<Sha256> version(WorkflowId workflow, int version) {
            return rest.version(workflow, version);
        }

        @Override
        public Optional<ChannelState> channel(String type, String key) {
            return rest.channel(type, key);
        }

        @Override
        public Optional<ObservedSubject> subject() {
            return Optional.of(about);
        }

        @Override
        public Optional<Observed> run(RunId run) {
            return rest.run(run);
        }
    }
}
