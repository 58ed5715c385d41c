package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.subject.MutationException;
import dev.flowstone.engine.task.HandlerExecution;
import dev.flowstone.kernel.event.DataEvent.SubjectChanged;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.id.RunId;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactional tasks that fail, or whose node dies: what they did to their document is done once, or not at all (R17). */
final class SubjectFailureTest extends SubjectStories {
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
}
