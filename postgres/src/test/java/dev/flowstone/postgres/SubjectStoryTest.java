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
import dev.flowstone.engine.subject.Mutation;
import dev.flowstone.engine.subject.MutationAnswer;
import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.engine.subject.SubjectChange;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.DataEvent.SubjectChanged;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.read.EditWindow.Mode;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.Published;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Runs about documents, on the real database: engines, and edits beside them (R15 to R17). */
final class SubjectStoryTest extends SubjectStories {
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
