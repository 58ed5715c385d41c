package dev.flowstone.postgres;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.journal.WindowRow;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.RunStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Moves of one entry each, plain or with one of everything that a move can carry. */
final class Moves {
    static final TenantId ACME = new TenantId("acme");
    static final TenantId OTHER = new TenantId("other");

    private static final AtomicLong RANDOM = new AtomicLong();

    private Moves() {}

    static RunKey run(Lease lease) {
        return run(lease, ACME, Instant.now());
    }

    static RunKey run(Lease lease, TenantId tenant, Instant birth) {
        return new RunKey(tenant, RunId.of(birth, new Slot(lease.shard().firstSlot()), RANDOM.incrementAndGet()));
    }

    static RunMove plain(RunKey key, long expected) {
        return move(key, expected, "plain", false);
    }

    /** A run's first move, which binds it to a subject. */
    static RunMove bound(RunKey key, WindowRow window) {
        RunMove move = plain(key, 0);
        return new RunMove(
                move.key(),
                move.workflow(),
                move.version(),
                move.program(),
                move.correlation(),
                move.expectedSequence(),
                move.entries(),
                move.status(),
                move.awake(),
                move.eventTime(),
                move.timersSet(),
                move.timersGone(),
                move.snapshot(),
                move.receipts(),
                move.payloads(),
                move.outbox(),
                move.letters(),
                move.tasksOpen(),
                move.tasksGone(),
                move.newProgram(),
                Optional.of(window));
    }

    /** A plain move of a workflow's run into a status. */
    static RunMove into(RunStatus status, RunKey key, WorkflowId workflow, long expected) {
        RunMove move = plain(key, expected);
        return new RunMove(
                move.key(),
                workflow,
                move.version(),
                move.program(),
                move.correlation(),
                move.expectedSequence(),
                move.entries(),
                status,
                !status.isFinal(),
                move.eventTime(),
                move.timersSet(),
                move.timersGone(),
                move.snapshot(),
                move.receipts(),
                move.payloads(),
                move.outbox(),
                move.letters(),
                move.tasksOpen(),
                move.tasksGone());
    }

    static RunMove full(RunKey key, long expected) {
        return move(key, expected, "full", true);
    }

    static RunMove correlated(RunKey key, String correlation) {
        return move(key, 0, correlation, false);
    }

    private static RunMove move(RunKey key, long expected, String correlation, boolean full) {
        byte[] bytes = (key + " after " + expected).getBytes(StandardCharsets.UTF_8);
        long sequence = expected + 1;
        return new RunMove(
                key,
                new WorkflowId("w"),
                1,
                Sha256.ZERO,
                correlation,
                expected,
                List.of(new JournalEntry(sequence, sequence, bytes, Sha256.digest(bytes))),
                RunStatus.RUNNING,
                true,
                Instant.now(),
                full ? List.of(new TimerRow(key, new TimerId("t" + sequence), 1, Instant.now())) : List.of(),
                full ? List.of(new TimerId("t" + expected)) : List.of(),
                full ? Optional.of(new Snapshot(sequence, bytes)) : Optional.empty(),
                full ? List.of(receipt(key, "r" + key.run() + sequence)) : List.of(),
                full ? List.of(new StoredPayload(Sha256.digest(bytes), bytes)) : List.of(),
                full ? List.of(new OutboxMessage(sequence, 0, "mail", JsonObject.EMPTY)) : List.of(),
                full ? List.of(letter(key, sequence)) : List.of(),
                full ? List.of(task("n", sequence)) : List.of(),
                full ? List.of(task("n", expected).activation()) : List.of());
    }

    private static Letter letter(RunKey sender, long number) {
        return new Letter(new LetterKey(sender.tenant(), sender.run(), number, sender.run()), JsonObject.EMPTY);
    }

    private static HumanTaskRow task(String node, long visit) {
        return new HumanTaskRow(
                new ActivationId(new NodeId(node), (int) visit + 1),
                Instant.now(),
                List.of("user:ada"),
                Optional.empty(),
                Optional.empty(),
                JsonObject.EMPTY);
    }

    static Receipt receipt(RunKey run, String key) {
        return new Receipt(
                new ReceiptKey(run.tenant(), "start", key),
                Sha256.ZERO,
                run.run(),
                JsonObject.EMPTY,
                Instant.now().plusSeconds(600));
    }

    static Commit commit(Lease lease, List<RunMove> moves) {
        List<RunMove> sorted = new ArrayList<>(moves);
        sorted.sort((a, b) -> a.key().compareTo(b.key()));
        return new Commit(lease, sorted, List.of());
    }

    static Commit commit(Lease lease, RunMove... moves) {
        return commit(lease, List.of(moves));
    }
}
