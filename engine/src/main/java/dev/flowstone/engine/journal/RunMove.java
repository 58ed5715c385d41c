package dev.flowstone.engine.journal;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How one run moves in a commit: from an expected event number to a new one, with everything that follows from it.
 *
 * @param expectedSequence number of the last event that the decision saw; 0 creates the run
 * @param entries one for each decision, gapless
 * @param awake whether the run must be loaded when its shard changes hands: an attempt is open, or it continues
 * @param timersSet inserted, or replaced if the generation grew
 * @param timersGone fired or canceled
 * @param receipts of the commands that were accepted
 * @param letters to other runs; in the order in which they were sent
 * @param tasksOpen human tasks that were opened or changed: written over what was there
 * @param tasksGone human tasks that are over
 * @param newProgram whether {@code version} and {@code program} are others than those of the run's row, which then tells
 *     them from this commit on; births always tell theirs
 * @param window of the run's subject, if it changes
 */
public record RunMove(
        RunKey key,
        WorkflowId workflow,
        int version,
        Sha256 program,
        String correlation,
        long expectedSequence,
        List<JournalEntry> entries,
        RunStatus status,
        boolean awake,
        Instant eventTime,
        List<TimerRow> timersSet,
        List<TimerId> timersGone,
        Optional<Snapshot> snapshot,
        List<Receipt> receipts,
        List<StoredPayload> payloads,
        List<OutboxMessage> outbox,
        List<Letter> letters,
        List<HumanTaskRow> tasksOpen,
        List<ActivationId> tasksGone,
        boolean newProgram,
        Optional<WindowRow> window) {
    /** A move of a run that keeps its program and leaves its subject's window alone. */
    public RunMove(
            RunKey key,
            WorkflowId workflow,
            int version,
            Sha256 program,
            String correlation,
            long expectedSequence,
            List<JournalEntry> entries,
            RunStatus status,
            boolean awake,
            Instant eventTime,
            List<TimerRow> timersSet,
            List<TimerId> timersGone,
            Optional<Snapshot> snapshot,
            List<Receipt> receipts,
            List<StoredPayload> payloads,
            List<OutboxMessage> outbox,
            List<Letter> letters,
            List<HumanTaskRow> tasksOpen,
            List<ActivationId> tasksGone) {
        this(
                key,
                workflow,
                version,
                program,
                correlation,
                expectedSequence,
                entries,
                status,
                awake,
                eventTime,
                timersSet,
                timersGone,
                snapshot,
                receipts,
                payloads,
                outbox,
                letters,
                tasksOpen,
                tasksGone,
                false,
                Optional.empty());
    }

    public RunMove {
        letters = List.copyOf(letters);
        tasksOpen = List.copyOf(tasksOpen);
        tasksGone = List.copyOf(tasksGone);
        requireNonNull(window);
        requireNonNull(key);
        requireNonNull(workflow);
        requireNonNull(program);
        requireNonNull(correlation);
        entries = List.copyOf(entries);
        requireNonNull(status);
        requireNonNull(eventTime);
        timersSet = List.copyOf(timersSet);
        timersGone = List.copyOf(timersGone);
        requireNonNull(snapshot);
        receipts = List.copyOf(receipts);
        payloads = List.copyOf(payloads);
        outbox = List.copyOf(outbox);
        if (entries.isEmpty() || entries.getFirst().firstSequence() != expectedSequence + 1) {
            throw new IllegalArgumentException("a move begins right after event " + expectedSequence);
        }
    }

    public long newSequence() {
        return entries.getLast().lastSequence();
    }

    public Sha256 newHash() {
        return entries.getLast().hash();
    }
}
