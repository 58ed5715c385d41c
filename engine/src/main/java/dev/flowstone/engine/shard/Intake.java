package dev.flowstone.engine.shard;

import dev.flowstone.engine.dead.DeadLetterBox;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.time.DatabaseTime;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Gathers a round: what must be decided again first, then the shard's own work, due timers, results of handlers, messages
 * and starts. Each source has a share, so that none starves another; results go before starts, which ends work before new
 * work begins.
 *
 * <p>A letter of this node's runs comes directly, but the one before it of the same pair may have gone by the inbox: before
 * this node had both of their shards. It counts as delivered there, though nobody has read it yet. So the first letter that
 * comes directly after such a change waits until the inbox has been read to its end; then none overtakes another (R21).
 */
final class Intake {
    private static final int TIMER_SHARE = 4;
    private static final int LOCAL_SHARE = 4;
    private static final int START_SHARE = 8;
    private static final int MESSAGE_SHARE = 2;

    private final ShardConfig config;
    private final Shard shard;
    private final ShardQueue queue;
    private final ShardTimers timers;
    private final InboxReader inbox;
    private final DeadLetterBox dead;
    private final DatabaseTime time;
    private final RandomGenerator random;
    private final Observer observer;
    private final Tasks tasks;
    private final ArrayDeque<Work> redo;
    private final ArrayDeque<Work> local;

    /** Letters that wait for the inbox to be read. */
    private final ArrayDeque<CommandWork> held = new ArrayDeque<>();

    /** The last round had no room for messages, so that they come before results in this one. */
    private boolean passedOver;

    /** Letters up to this moment of the node may be decided: the inbox has been read to its end since. */
    private long readSince = Long.MIN_VALUE;

    Intake(
            ShardConfig config,
            Shard shard,
            ShardQueue queue,
            ShardTimers timers,
            InboxReader inbox,
            DeadLetterBox dead,
            DatabaseTime time,
            RandomGenerator random,
            Observer observer,
            Tasks tasks,
            ArrayDeque<Work> redo,
            ArrayDeque<Work> local) {
        this.config = config;
        this.shard = shard;
        this.queue = queue;
        this.timers = timers;
        this.inbox = inbox;
        this.dead = dead;
        this.time = time;
        this.random = random;
        this.observer = observer;
        this.tasks = tasks;
        this.redo = redo;
        this.local = local;
    }

    /** A round of a shard that takes up what its predecessor left: nothing from outside. */
    Batch recovering() {
        Batch batch = batch();
        take(redo, batch, config.batch());
        take(local, batch, config.batch());
        return batch;
    }

    /** A round of a shard that stops: what is open, no timers, no messages but for those that something open waits for. */
    Batch stopping() throws JournalException {
        Batch batch = recovering();
        results(batch);
        if (tasks.expects()) {
            long before = inbox.complete();
            inbox.hurry();
            messages(batch, batch.room());
            if (batch.isEmpty() && inbox.complete() > before) {
                tasks.expectNoMore();
            }
        }
        // Letters don't wait for the inbox any more: their senders send them again, to whoever has the shard next.
        held.clear();
        return batch;
    }

    Batch running() throws JournalException {
        Batch batch = batch();
        take(redo, batch, config.batch());
        take(local, batch, Math.max(1, config.batch() / LOCAL_SHARE));
        timers(batch);
        // A batch that is full by now leaves messages their turn.
        boolean first = !held.isEmpty() || (passedOver && batch.room() > 0);
        if (!held.isEmpty()) {
            messagesBefore(batch);
        } else if (first) {
            messages(batch, Math.max(1, batch.room() / MESSAGE_SHARE));
        }
        results(batch);
        if (!first) {
            passedOver = batch.room() == 0;
            messages(batch, batch.room());
        } else {
            passedOver = false;
        }
        return batch;
    }

    private Batch batch() {
        return new Batch(config.batch(), config.batchBytes(), work -> tasks.keeps(work, local));
    }

    /** Whether letters wait for the next round. */
    boolean hasMore() {
        return !held.isEmpty();
    }

    /** Reads the inbox for the letters that are held, which follow if that was all of it. */
    private void messagesBefore(Batch batch) throws JournalException {
        long before = inbox.complete();
        inbox.hurry();
        messages(batch, batch.room());
        if (inbox.complete() > before) {
            for (CommandWork letter : held) {
                readSince = Math.max(readSince, after(letter));
                add(letter, batch);
            }
            held.clear();
        }
    }

    /** When a letter was posted by this node; anything else may always be decided. */
    private static long after(CommandWork work) {
        return work.origin instanceof Origin.Post post && post.inbox().isEmpty() ? post.after() : Long.MIN_VALUE;
    }

    private static void take(ArrayDeque<Work> from, Batch batch, int share) {
        for (int i = 0; i < share && batch.room() > 0 && !from.isEmpty(); i++) {
            batch.add(from.remove());
        }
    }

    private void timers(Batch batch) {
        Instant now = time.now();
        List<TimerRow> due = new ArrayList<>(0);
        timers.take(now, Math.min(batch.room(), Math.max(1, config.batch() / TIMER_SHARE)), due);
        ShardId id = shard.id();
        for (TimerRow row : due) {
            observer.timerLag(id, Duration.between(row.dueAt(), now));
            batch.add(CommandWork.of(row.run(), new Command.FireTimer(row.timer(), row.generation()), now));
        }
    }

    private void results(Batch batch) {
        int room = batch.room();
        // The last place is a result's: in a batch of one, starts would else keep out the results that end work.
        int reserved = Math.max(0, Math.min(room - 1, Math.max(1, config.batch() / START_SHARE)));
        List<CommandWork> results = new ArrayList<>();
        List<Work> asked = new ArrayList<>();
        queue.drain(results, room - reserved, asked, reserved, batch.roomInBytes());
        for (CommandWork result : results) {
            if (isKnown(result)) {
                continue;
            }
            if (after(result) > readSince) {
                held.add(result);
            } else {
                add(result, batch);
            }
        }
        for (Work work : asked) {
            if (work instanceof StartWork start && !start.hasRun()) {
                start.run(newRun(start));
            }
            add(work, batch);
        }
    }

    /**
     * Whether a transaction's result has come, or comes, by the inbox, where it stands since the transaction: it must not be
     * decided twice, and one that its run doesn't wait for is in the inbox too.
     */
    private boolean isKnown(CommandWork result) {
        return result.origin instanceof Origin.Inbound recorded
                && result.command instanceof Command.CompleteTask complete
                && !(tasks.isOut(result.run, complete.activation()) && inbox.take(recorded.message()));
    }

    /** What is too much for this round in bytes is first in the next. */
    private void add(Work work, Batch batch) {
        if (batch.room() > 0) {
            batch.add(work);
        } else {
            redo.add(work);
        }
    }

    private RunKey newRun(StartWork start) {
        Slot slot = start.slot.orElseGet(() -> new Slot(random.nextInt(shard.firstSlot(), shard.lastSlot() + 1)));
        return new RunKey(start.request.tenant(), RunId.of(time.now(), slot, random.nextLong()));
    }

    private void messages(Batch batch, int most) throws JournalException {
        List<InboxReader.Refused> refused = new ArrayList<>(0);
        try {
            inbox.read(time.now(), Math.min(most, batch.room()), refused).forEach(batch::add);
            for (InboxReader.Refused one : refused) {
                dead.message(one.message(), DeadReason.DESERIALIZATION, one.reason());
            }
        } catch (JournalException | RuntimeException e) {
            refused.forEach(one -> inbox.release(one.message().key()));
            batch.works().forEach(redo::add);
            redo.addAll(batch.postponed());
            throw e;
        }
        for (InboxReader.Refused one : refused) {
            InboxMessage message = one.message();
            batch.consume(new RunKey(message.key().tenant(), message.run()), message.key());
        }
    }
}
