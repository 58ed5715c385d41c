package dev.flowstone.postgres;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.journal.WindowRow;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A commit's moves laid out as rows of each table, in the moves' order. Two moves with the same receipt can't both be
 * right: the later one is left out, as if it had met the other's in the database.
 */
record CommitRows(
        List<RunMove> moves,
        FeedCodec.Packed feed,
        List<Numbered> births,
        List<Numbered> updates,
        List<Of<JournalEntry>> entries,
        List<Of<TimerId>> timersGone,
        List<Of<TimerRow>> timersSet,
        List<Of<Snapshot>> snapshots,
        List<Of<Receipt>> receipts,
        List<Of<StoredPayload>> payloads,
        List<Of<OutboxMessage>> outbox,
        List<InboxKey> consumed,
        List<Of<Letter>> letters,
        List<LetterKey> delivered,
        List<Of<HumanTaskRow>> tasksOpen,
        List<Of<ActivationId>> tasksGone,
        List<Of<WindowRow>> windows) {

    /** A move with its number in the commit, from 1. */
    record Numbered(int number, RunMove move) {}

    /** Something that belongs to a move. */
    record Of<T>(int number, RunMove move, T value) {}

    static CommitRows of(Commit commit) {
        check(commit);
        List<RunMove> moves = withoutRepeatedReceipts(commit.moves());
        return new CommitRows(
                moves,
                FeedCodec.pack(moves),
                numbered(moves, true),
                numbered(moves, false),
                flat(moves, RunMove::entries),
                flat(moves, RunMove::timersGone),
                flat(moves, RunMove::timersSet),
                flat(moves, move -> move.snapshot().stream().toList()),
                flat(moves, RunMove::receipts),
                flat(moves, RunMove::payloads),
                flat(moves, RunMove::outbox),
                commit.consumed(),
                flat(moves, RunMove::letters),
                commit.delivered(),
                flat(moves, RunMove::tasksOpen),
                flat(moves, RunMove::tasksGone),
                flat(moves, move -> move.window().stream().toList()));
    }

    /** Sorted, each run once, all of the lease's shard: locks are then taken in one order everywhere. */
    private static void check(Commit commit) {
        RunMove before = null;
        for (RunMove move : commit.moves()) {
            if (before != null && before.key().compareTo(move.key()) >= 0) {
                throw new IllegalArgumentException("a commit's moves are sorted by key, each run once");
            }
            if (!commit.lease().shard().holds(move.key().run().slot())) {
                throw new IllegalArgumentException("the run " + move.key() + " lives in another shard");
            }
            before = move;
        }
    }

    private static List<Numbered> numbered(List<RunMove> moves, boolean births) {
        List<Numbered> rows = new ArrayList<>(moves.size());
        for (int i = 0; i < moves.size(); i++) {
            if ((moves.get(i).expectedSequence() == 0) == births) {
                rows.add(new Numbered(i + 1, moves.get(i)));
            }
        }
        return rows;
    }

    private static <T> List<Of<T>> flat(List<RunMove> moves, Function<RunMove, List<T>> children) {
        List<Of<T>> rows = new ArrayList<>(moves.size());
        for (int i = 0; i < moves.size(); i++) {
            RunMove move = moves.get(i);
            for (T child : children.apply(move)) {
                rows.add(new Of<>(i + 1, move, child));
            }
        }
        return rows;
    }

    private static List<RunMove> withoutRepeatedReceipts(List<RunMove> moves) {
        Set<ReceiptKey> seen = new HashSet<>();
        List<RunMove> kept = new ArrayList<>(moves.size());
        for (RunMove move : moves) {
            if (move.receipts().stream().map(Receipt::key).noneMatch(seen::contains)) {
                move.receipts().forEach(receipt -> seen.add(receipt.key()));
                kept.add(move);
            }
        }
        return kept;
    }
}
