package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.archive.ArchiveResult;
import dev.flowstone.engine.archive.ArchiveStage;
import dev.flowstone.engine.call.CallAnswer;
import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.effect.TaskAnswerMessage;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.MessageCodec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is sent to a run between the archive's last look and its commit fares like what is sent to it years later. */
@Timeout(120)
final class ArchiveLateMessageTest extends ArchiveStories {
    private static final String UNREAD = "SELECT count(*) FROM flowstone.inbox WHERE NOT consumed";
    private static final String LETTERS = "SELECT count(*) FROM flowstone.letters";

    private RunKey old;

    @SuppressWarnings("NullAway.Init")
    ArchiveLateMessageTest() {}

    /** One whose receipt the archive deletes after it has looked for the last time whether something has come. */
    @BeforeEach
    void anOldRun() throws Exception {
        old = OldRuns.key(lease, Moves.ACME);
        Receipt spent = Moves.receipt(old, "spent");
        Receipt over = new Receipt(
                spent.key(),
                spent.request(),
                old.run(),
                spent.answer(),
                Instant.now().minusSeconds(1));
        commit(OldRuns.keeping(OldRuns.over(old), List.of(), List.of(over), List.of()));
    }

    /** Does something while the archive waits for the receipt, under the lock for which all commits wait. */
    private ArchiveResult archivedAround(Deed deed) throws Exception {
        try (Connection holder = TestServer.admin(config());
                var thread = Executors.newSingleThreadExecutor()) {
            holder.setAutoCommit(false);
            assertEquals(1, number(holder, "SELECT 1 FROM flowstone.receipts FOR UPDATE"));
            Future<ArchiveResult> archived = thread.submit(() -> archive(ArchiveStage.Listener.NONE));
            while (waiting("l.locktype = 'transactionid'") == 0) {
                assertFalse(archived.isDone());
                Thread.onSpinWait();
            }
            try {
                deed.run();
                assertFalse(archived.isDone());
            } finally {
                holder.rollback();
            }
            return archived.get();
        }
    }

    /** Who waits for such a lock in this database. */
    private long waiting(String lock) throws SQLException {
        return number("SELECT count(*) FROM pg_locks l JOIN pg_stat_activity s USING (pid)"
                + " WHERE NOT l.granted AND s.datname = current_database() AND " + lock);
    }

    private InboxMessage answer(int attempt) {
        return new TaskAnswerMessage(ActivationId.parse("a#1"), attempt, new TaskResult.Ok(JsonNumber.of(1)))
                .to(old, "worker", Instant.now());
    }

    private Letter letter(RunKey sender, long number) {
        return new Letter(
                new LetterKey(sender.tenant(), sender.run(), number, old.run()),
                JsonObject.builder()
                        .put("correlation", "c")
                        .put("message", MessageCodec.write(new Message.Control(Message.Operation.CANCEL, "late")))
                        .put(LetterMessage.SENT_AT, Instant.now().toString())
                        .build());
    }

    private boolean accept(InboxMessage message) throws Exception {
        return opened().ports().inbox().accept(message);
    }

    private SteppedEngine engine() throws Exception {
        opened().ports().leases().release(lease);
        return new SteppedEngine(
                opened().ports(), "later", HandlerRegistry.builder().build(), Runnable::run);
    }

    private CallAnswer call(SteppedEngine engine) {
        CompletableFuture<CallAnswer> answer = engine.node.call(new CallRequest(
                old,
                new DataCommand.SetVariables(Map.of("note", JsonNumber.of(1)), "late"),
                List.of(),
                new Actor("user", "tester"),
                Optional.empty(),
                Optional.empty(),
                Sha256.ZERO,
                "c"));
        engine.until(answer::isDone);
        return answer.join();
    }

    @Test
    void whatComesAfterTheLastLookIsReadRefusedAndDoneWith() throws Exception {
        RunKey sender = living();
        InboxMessage late = answer(1);

        ArchiveResult archived = archivedAround(() -> {
            assertTrue(accept(late), "nobody who posts waits for the archive");
            assertTrue(accept(LetterMessage.of(letter(sender, 7), Instant.now())));
        });

        assertEquals(
                1,
                assertInstanceOf(ArchiveResult.Archived.class, archived)
                        .record()
                        .runs());
        assertEquals(2, number(UNREAD));
        SteppedEngine engine = engine();
        engine.until(() -> count(UNREAD) == 0);
        CallAnswer soon = call(engine);
        assertTrue(accept(answer(2)), "years later");
        engine.until(() -> count(UNREAD) == 0);
        assertFalse(accept(late), "its key is remembered");
        assertEquals(new CallAnswer.Refused("NOT_STARTED", "there is no such run"), soon);
        assertEquals(soon, call(engine));
        engine.crash();
        assertFalse(isThere(old));
        assertAllChainsStand(1);
    }

    @Test
    void aCommitThatWritesToTheRunWaitsForTheArchiveAndItsLetterIsDoneWith() throws Exception {
        RunKey sender = OldRuns.key(lease, Moves.ACME);

        try (var thread = Executors.newSingleThreadExecutor()) {
            List<Future<RunKey>> sent = new ArrayList<>();
            ArchiveResult archived = archivedAround(() -> {
                sent.add(thread.submit(
                        () -> commit(OldRuns.writing(OldRuns.living(sender), List.of(letter(sender, 6))))));
                while (waiting("l.relation = 'flowstone.entries'::regclass") == 0) {
                    assertFalse(sent.getFirst().isDone());
                    Thread.onSpinWait();
                }
                assertEquals(0, number(LETTERS), "no letter of a run can come between look and commit");
            });
            assertInstanceOf(ArchiveResult.Archived.class, archived);
            assertEquals(sender, sent.getFirst().get());
        }

        assertEquals(1, number(LETTERS));
        SteppedEngine engine = engine();
        engine.until(() -> count(LETTERS) == 0);
        engine.crash();
        assertFalse(isThere(old));
        assertAllChainsStand(1);
    }

    private long count(String query) {
        try {
            return number(query);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
