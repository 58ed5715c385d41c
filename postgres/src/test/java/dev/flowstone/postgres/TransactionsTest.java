package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.effect.TransactionMessage;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.subject.SubjectChange;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionRequest;
import dev.flowstone.engine.task.Transactions.Outcome;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.read.EditWindow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A mutation and the record of its result are one transaction, made once (R17). */
final class TransactionsTest extends SubjectTransactions {
    @Test
    void theMutationAndItsResultAreOneTransaction() throws Exception {
        Outcome outcome = execute(request(1), POSTS);

        TransactionMessage message = recorded(outcome);
        assertEquals(
                new TransactionMessage(POST, 1, new TaskResult.Ok(new JsonString("done")), Optional.of(2L)), message);
        assertEquals(1, edits());
        assertEquals(2, version());
        List<InboxMessage> inbox = journal().inbox(lease, 10);
        assertEquals(1, inbox.size());
        assertEquals(TransactionRequest.key(run, POST, 1), inbox.getFirst().key());
        assertEquals(message.content(), inbox.getFirst().content());
        assertEquals(
                Set.of(TransactionRequest.key(run, POST, 1)),
                opened().ports()
                        .transactions()
                        .recorded(
                                lease,
                                List.of(TransactionRequest.key(run, POST, 1), TransactionRequest.key(run, POST, 2))));
    }

    @Test
    void theSameAttemptIsMadeOnce() throws Exception {
        TransactionMessage first = recorded(execute(request(1), POSTS));

        assertEquals(first, recorded(execute(request(1), POSTS)));

        assertEquals(1, edits());
        assertEquals(2, version());
    }

    @Test
    void aLaterAttemptFindsWhatAnEarlierOneHasRecorded() throws Exception {
        recorded(execute(request(1), POSTS));

        assertEquals(
                1,
                recorded(execute(request(lease, 2, 2, Duration.ofSeconds(5)), POSTS))
                        .attempt());

        assertEquals(1, edits());
    }

    @Test
    void aVersionThatTheRunDoesNotKnowIsAConflict() throws Exception {
        TaskResult.Failed failed = failed(execute(request(lease, 1, 0, Duration.ofSeconds(5)), POSTS));

        assertEquals("STALE_SUBJECT_VERSION", failed.error().code());
        assertEquals(FailureClass.PERMANENT, failed.failure());
        assertEquals(0, edits());
    }

    @Test
    void whatIsNoSuccessIsUndone() throws Exception {
        Outcome skipped = execute(request(1), transaction -> {
            POSTS.run(transaction);
            return new TaskResult.Skipped("nothing to post");
        });
        assertInstanceOf(
                TaskResult.Skipped.class,
                assertInstanceOf(Outcome.Undone.class, skipped).result());

        assertThrows(
                IllegalStateException.class,
                () -> execute(request(1), transaction -> {
                    POSTS.run(transaction);
                    throw new IllegalStateException("on purpose");
                }));

        assertEquals(0, edits());
        assertEquals(1, version());
        assertEquals(List.of(), journal().inbox(lease, 10));
    }

    @Test
    void whatWasRecordedIsFoundByAnAttemptAndThoseAfterIt() throws Exception {
        assertEquals(Optional.empty(), find(1));
        TransactionMessage first = recorded(execute(request(1), POSTS));

        assertEquals(first, recorded(find(1).orElseThrow()));
        assertEquals(first, recorded(find(2).orElseThrow()));
        assertEquals(1, edits());
    }

    @Test
    void otherRunsOnTheSubjectHearOfItAndTheOneThatDidItDoesNot() throws Exception {
        RunKey other = Moves.run(lease);
        journal().commit(Moves.commit(lease, bound(other, EditWindow.OPEN)));

        execute(request(1), POSTS);

        List<InboxMessage> told = journal().inbox(lease, 10).stream()
                .filter(message -> message.kind().equals("subject-changed"))
                .toList();
        assertEquals(1, told.size());
        assertEquals(other.run(), told.getFirst().run());
    }

    @Test
    void aHandlerMayLeaveTheVersionAsItIs() throws Exception {
        Outcome outcome = execute(request(1), transaction -> {
            transaction.keepVersion();
            return TaskResult.ok(new JsonString("looked"));
        });

        assertEquals(Optional.empty(), recorded(outcome).subjectVersion());
        assertEquals(1, version());
    }

    @Test
    void anEditAndATransactionTakeTurns() throws Exception {
        recorded(execute(request(1), POSTS));
        admin("UPDATE flowstone.subject_windows SET mode = 'EDITABLE'");

        opened().ports()
                .subjects()
                .mutate(
                        new SubjectChange(run.tenant(), Documents.subject("7"), 2, Set.of(), Optional.empty()),
                        Documents.edit("7", "reopened"));

        assertEquals(2, edits());
        assertEquals(3, version());
        assertEquals(
                "STALE_SUBJECT_VERSION",
                failed(opened().ports()
                                .transactions()
                                .execute(
                                        new TransactionRequest(
                                                lease,
                                                run,
                                                Documents.subject("7"),
                                                2,
                                                new ActivationId(new NodeId("post"), 2),
                                                1,
                                                Duration.ofSeconds(5)),
                                        POSTS))
                        .error()
                        .code());
    }
}
