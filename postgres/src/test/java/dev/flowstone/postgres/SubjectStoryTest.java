package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.subject.Mutation;
import dev.flowstone.engine.subject.MutationAnswer;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.engine.subject.SubjectChange;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerExecution;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TransactionalHandler;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.DataEvent.SubjectChanged;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.read.EditWindow.Mode;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.Published;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs about documents, on the real database: engines, edits beside them, and nodes that die between (R15 to R17). */
final class SubjectStoryTest extends PostgresTest {
    private static final Executor AT_ONCE = Runnable::run;

    @BeforeEach
    void documents() throws Exception {
        admin(Documents.setUp(config(), "7", "8"));
    }

    private SteppedEngine engine(String name, Executor executor) {
        return engine(name, executor, Documents.step("posted"));
    }

    private SteppedEngine engine(String name, Executor executor, TransactionalHandler post) {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .transactional(description("doc.post"), post)
                .transactional(description("doc.stamp"), Documents.step("stamped"))
                .build();
        return new SteppedEngine(opened().ports(), name, handlers, executor);
    }

    private static ActionDescription description(String name) {
        return new ActionDescription(new HandlerName(name), "For a test.", List.of());
    }

    private Published publish(Program program) {
        return Published.in(opened().ports().workflows(), Moves.ACME, program, java.time.Instant.now());
    }

    /** Posts the document, locked, then waits with it amendable. */
    private Published posting(int attempts) {
        return publish(new DocumentPrograms()
                .task("post", "doc.post", attempts)
                .timer("wait", "PT1H")
                .edge("start", "post")
                .edge("post", "wait")
                .window("post", Mode.LOCKED)
                .window("wait", Mode.AMEND_ONLY)
                .build("posting"));
    }

    private static StartRequest about(StartRequest start, String document, boolean exclusive) {
        return start.about(new SubjectBinding(Documents.subject(document), 1, exclusive));
    }

    private static RunId start(SteppedEngine engine, StartRequest request) {
        CompletableFuture<StartAnswer> answer = engine.node.start(request);
        engine.until(answer::isDone);
        return assertInstanceOf(StartAnswer.Started.class, answer.join()).run();
    }

    private History history(RunId run) {
        return History.of(opened().ports().runs(), Moves.ACME, run);
    }

    private boolean has(RunId run, Class<? extends EventBody> kind) {
        return history(run).count(kind) > 0;
    }

    private MutationAnswer edit(long version) throws Exception {
        return opened().ports()
                .subjects()
                .mutate(
                        new SubjectChange(Moves.ACME, Documents.subject("7"), version, Set.of(), Optional.empty()),
                        Documents.edit("7", "edited"));
    }

    private void assertLocked(long version) throws Exception {
        assertEquals(
                MutationAnswer.Code.WORKFLOW_EDIT_LOCKED,
                assertInstanceOf(MutationAnswer.Refused.class, edit(version)).code());
    }

    private String document() throws Exception {
        try (Connection admin = TestServer.admin(config());
                Statement statement = admin.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT status || ' ' || version || ' ' || edits FROM public.documents WHERE id = '7'")) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void aRunChangesItsSubjectOnceAndKnowsThatItDid() throws Exception {
        SteppedEngine engine = engine("a", AT_ONCE);

        RunId run = start(engine, about(posting(1).start(), "7", true));
        engine.until(() -> has(run, TaskCompleted.class));

        History history = history(run);
        assertEquals(List.of(new SubjectChanged(true, 2)), history.all(SubjectChanged.class));
        assertEquals(1, history.count(EventBody.TaskScheduled.class));
        assertEquals("posted 2 1", document());
        assertEquals(
                new SubjectBinding(Documents.subject("7"), 1, true),
                history.all(EventBody.RunStarted.class).getFirst().subject().orElseThrow());
        MutationAnswer.Done done = assertInstanceOf(MutationAnswer.Done.class, edit(2));
        assertEquals(Mode.AMEND_ONLY, done.window().mode());
        assertEquals(List.of(run), done.told());
        engine.until(() -> history(run).all(SubjectChanged.class).size() == 2);
        assertEquals(
                new SubjectChanged(false, 3),
                history(run).all(SubjectChanged.class).getLast());
        assertEquals("edited 3 2", document());
    }

    @Test
    void editsAreRefusedWithTheEngineDownAndAfterTheRunsEnd() throws Exception {
        Published closing = publish(new DocumentPrograms()
                .task("post", "doc.post", 1)
                .edge("start", "post")
                .window("post", Mode.LOCKED)
                .build("closing"));
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedEngine first = engine("a", handlers::add);
        RunId run = start(first, about(closing.start(), "7", true));
        first.crash();

        assertLocked(1);

        SteppedEngine second = takeOver("b");
        second.until(() -> has(run, EventBody.RunFailed.class) || has(run, EventBody.RunCompleted.class));
        second.crash();

        assertLocked(1);
        assertEquals("draft 1 0", document());
    }

    private SteppedEngine takeOver(String name) throws Exception {
        admin("UPDATE flowstone.heartbeats SET until = now() - interval '1 hour'");
        return engine(name, AT_ONCE);
    }

    @Test
    void aNodeThatDiesAfterTheMutationLosesNothingAndRepeatsNothing() throws Exception {
        SteppedEngine first = engine("a", handler -> ((HandlerExecution) handler).call());
        RunId run = start(first, about(posting(1).start(), "7", true));
        first.crash();
        assertEquals("posted 2 1", document());

        SteppedEngine second = takeOver("b");
        second.until(() -> has(run, TaskCompleted.class));

        assertEquals("posted 2 1", document());
        assertEquals(0, history(run).count(TaskFailed.class));
        assertEquals(1, history(run).all(TaskCompleted.class).getFirst().attempt());
        assertEquals(List.of(new SubjectChanged(true, 2)), history(run).all(SubjectChanged.class));
    }

    @Test
    void aNodeThatDiesBeforeTheMutationUsesUpItsAttempt() throws Exception {
        SteppedEngine first = engine("a", _ -> {});
        RunId run = start(first, about(posting(2).start(), "7", true));
        first.crash();

        SteppedEngine second = takeOver("b");
        second.until(() -> has(run, TaskCompleted.class));

        assertEquals("posted 2 1", document());
        assertEquals(
                "ATTEMPT_LOST",
                history(run).all(TaskFailed.class).getFirst().error().code());
        assertEquals(2, history(run).all(TaskCompleted.class).getFirst().attempt());
    }

    @Test
    void whatIsAskedOfARunWaitsWhileItIsInATransaction() throws Exception {
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedEngine engine = engine("a", handlers::add);
        RunId run = start(engine, about(posting(1).start(), "7", true));
        engine.until(() -> !handlers.isEmpty());

        CompletableFuture<CallAnswer> answer = engine.node.call(note(run));
        for (int i = 0; i < 100; i++) {
            engine.settle();
        }
        assertFalse(answer.isDone());
        handlers.remove().run();
        engine.until(answer::isDone);

        assertInstanceOf(CallAnswer.Done.class, answer.join());
        List<String> kinds = history(run).kinds();
        assertTrue(kinds.indexOf("TaskCompleted") < kinds.indexOf("VariablesSet"), kinds::toString);
    }

    @Test
    void whatHasWaitedComesBeforeTheRunsNextTransaction() throws Exception {
        Published chain = publish(new DocumentPrograms()
                .task("post", "doc.post", 1)
                .task("stamp", "doc.stamp", 1)
                .edge("start", "post")
                .edge("post", "stamp")
                .build("chain"));
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedEngine engine = engine("a", handlers::add);
        RunId run = start(engine, about(chain.start(), "7", true));
        engine.until(() -> !handlers.isEmpty());
        CompletableFuture<CallAnswer> answer = engine.node.call(note(run));
        engine.settle();

        handlers.remove().run();
        engine.until(() -> !handlers.isEmpty());

        assertInstanceOf(CallAnswer.Done.class, answer.getNow(null));
        handlers.remove().run();
        engine.until(() -> has(run, EventBody.RunCompleted.class));
        assertEquals("stamped 3 2", document());
    }

    private static CallRequest note(RunId run) {
        return new CallRequest(
                new RunKey(Moves.ACME, run),
                new DataCommand.SetVariables(Map.of("note", JsonNumber.of(1)), "for a test"),
                List.of(),
                new Actor("user", "tester"),
                Optional.empty(),
                Optional.empty(),
                Sha256.ZERO,
                "a correlation");
    }

    @Test
    void parallelBranchesTakeTurnsAndTheStrictestWindowHolds() throws Exception {
        Published both = publish(new DocumentPrograms()
                .task("post", "doc.post", 1)
                .task("stamp", "doc.stamp", 1)
                .timer("wait", "PT1H")
                .timer("short", "PT1H")
                .edge("start", "post")
                .edge("start", "stamp")
                .edge("post", "wait")
                .edge("stamp", "short")
                .window("wait", Mode.AMEND_ONLY)
                .window("short", Mode.LOCKED)
                .build("both"));
        SteppedEngine engine = engine("a", AT_ONCE);

        RunId run = start(engine, about(both.start(), "7", true));
        engine.until(() -> history(run).count(TaskCompleted.class) == 2);

        assertEquals(
                List.of(new SubjectChanged(true, 2), new SubjectChanged(true, 3)),
                history(run).all(SubjectChanged.class));
        assertEquals(0, history(run).count(TaskFailed.class));
        assertTrue(document().endsWith(" 3 2"), document());
        assertLocked(3);
    }

    @Test
    void ofTwoStartsThatMustBeAloneOneIsRefusedByName() throws Exception {
        SteppedEngine engine = engine("a", AT_ONCE);
        Published posting = posting(1);

        List<CompletableFuture<StartAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(engine.node.start(about(posting.start("request-" + i), "7", true)));
        }
        engine.until(() -> answers.stream().allMatch(CompletableFuture::isDone));

        List<RunId> started = answers.stream()
                .map(CompletableFuture::join)
                .filter(StartAnswer.Started.class::isInstance)
                .map(answer -> ((StartAnswer.Started) answer).run())
                .toList();
        assertEquals(1, started.size(), answers::toString);
        RunId run = started.getFirst();
        for (CompletableFuture<StartAnswer> answer : answers) {
            if (answer.join() instanceof StartAnswer.Refused refused) {
                assertEquals("SUBJECT_BUSY", refused.code());
                assertTrue(refused.reason().contains(run.toString()), refused.reason());
            }
        }
        CompletableFuture<StartAnswer> again = engine.node.start(about(posting.start("request-0"), "7", true));
        CompletableFuture<StartAnswer> elsewhere = engine.node.start(about(posting.start("request-0"), "8", true));
        engine.until(() -> again.isDone() && elsewhere.isDone());
        assertEquals(new StartAnswer.Existing(run), again.join());
        assertInstanceOf(StartAnswer.Started.class, elsewhere.join(), "request ids are a subject's own");
        assertEquals(2, number("SELECT count(*) FROM flowstone.runs"));
    }

    @Test
    void aStartWithAnOldVersionIsRefused() throws Exception {
        SteppedEngine engine = engine("a", AT_ONCE);
        edit(1);

        CompletableFuture<StartAnswer> answer =
                engine.node.start(about(posting(1).start(), "7", false));
        engine.until(answer::isDone);

        assertEquals(
                "STALE_SUBJECT_VERSION",
                assertInstanceOf(StartAnswer.Refused.class, answer.join()).code());
    }

    @Test
    void aTaskWhoseSubjectWasChangedMeanwhileFails() throws Exception {
        ArrayDeque<Runnable> handlers = new ArrayDeque<>();
        SteppedEngine engine = engine("a", handlers::add);
        RunId run = start(engine, about(posting(3).start(), "7", true));
        engine.until(() -> !handlers.isEmpty());
        admin("UPDATE flowstone.subjects SET version = 9");

        handlers.remove().run();
        engine.until(() -> has(run, EventBody.RunFailed.class));

        assertEquals(
                "STALE_SUBJECT_VERSION",
                history(run).all(TaskFailed.class).getFirst().error().code());
        assertEquals("draft 1 0", document());
    }

    @Test
    void aHandlerThatFailsUndoesWhatItDidAndIsTriedAgain() throws Exception {
        SteppedEngine engine = engine("a", AT_ONCE, (call, transaction) -> {
            Documents.change(transaction.sql(), "7", "half", transaction.newVersion());
            if (call.attempt() == 1) {
                throw new IllegalStateException("on purpose");
            }
            return Documents.step("posted").handle(call, transaction);
        });

        RunId run = start(engine, about(posting(2).start(), "7", true));
        engine.until(() -> has(run, TaskCompleted.class));

        assertEquals("posted 2 2", document(), "both changes of the second attempt, none of the first");
        assertEquals(
                "HANDLER_THREW",
                history(run).all(TaskFailed.class).getFirst().error().code());
    }

    @Test
    void aTransactionalTaskOfARunWithoutASubjectFails() throws Exception {
        SteppedEngine engine = engine("a", AT_ONCE);

        RunId run = start(engine, posting(1).start());
        engine.until(() -> has(run, EventBody.RunFailed.class));

        assertEquals(
                "NO_SUBJECT",
                history(run).all(TaskFailed.class).getFirst().error().code());
    }

    /** Once it was given back and handed out again, for ever. */
    @Test
    void aMutationThatTheDatabaseRefusesFailsItsTask() throws Exception {
        SteppedEngine engine = engine("a", AT_ONCE, (call, transaction) -> {
            transaction.sql().update("UPDATE public.documents SET status = 'x' RETURNING id");
            return Documents.step("posted").handle(call, transaction);
        });

        RunId run = start(engine, about(posting(3).start(), "7", true));
        engine.until(() -> has(run, EventBody.RunFailed.class));

        assertEquals(
                "MUTATION_REFUSED",
                history(run).all(TaskFailed.class).getFirst().error().code());
        assertEquals(0, history(run).count(EventBody.TaskReturned.class));
    }

    @Test
    void aTransactionalHandlerLooksUpNoLinks() throws Exception {
        SteppedEngine engine = engine("a", AT_ONCE, (call, transaction) -> {
            call.links().find("Order", "4711");
            return Documents.step("posted").handle(call, transaction);
        });

        RunId run = start(engine, about(posting(3).start(), "7", true));
        engine.until(() -> has(run, EventBody.RunFailed.class));

        assertEquals(
                List.of(MutationException.REFUSED),
                history(run).all(TaskFailed.class).stream()
                        .map(failed -> failed.error().code())
                        .toList());
        assertEquals("draft 1 0", document());
    }

    @Test
    void anEditThatTakesTooLongAltogetherIsUndone() throws Exception {
        Mutation slow = new Mutation() {
            @Override
            public void apply(SqlHandle sql, long newVersion) {
                Documents.change(sql, "7", "slow", newVersion);
                for (int i = 0; i < 20; i++) {
                    sql.query("SELECT pg_sleep(0.5)");
                }
            }
        };

        MutationException late = assertThrows(
                MutationException.class,
                () -> opened().ports()
                        .subjects()
                        .mutate(
                                new SubjectChange(Moves.ACME, Documents.subject("7"), 1, Set.of(), Optional.empty()),
                                slow));

        assertEquals(MutationException.TIMEOUT, late.code());
        assertEquals("draft 1 0", document());
    }
}
