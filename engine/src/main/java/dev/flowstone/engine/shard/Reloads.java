package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.mend.Correction;
import dev.flowstone.engine.mend.Difference;
import dev.flowstone.engine.mend.MendAnswer;
import dev.flowstone.engine.time.DatabaseTime;
import dev.flowstone.kernel.state.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Runs that operators want taken up again: one in each round, since it costs a reading of its own. What is known here of the run
 * is forgotten; the next turn reads it, hands out what nobody has, and sets its timers. All but {@link #offer} belongs to its
 * shard's loop.
 */
final class Reloads {
    private static final int MOST = 100;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final BlockingQueue<Reload> waiting = new ArrayBlockingQueue<>(MOST);
    private final Lease lease;
    private final ShardParts parts;
    private final DatabaseTime time;
    private final StateCache cache;
    private final Quarantine quarantine;
    private final Tasks tasks;
    private final ArrayDeque<Work> local;

    Reloads(
            Lease lease,
            ShardParts parts,
            DatabaseTime time,
            StateCache cache,
            Quarantine quarantine,
            Tasks tasks,
            ArrayDeque<Work> local) {
        this.lease = lease;
        this.parts = parts;
        this.time = time;
        this.cache = cache;
        this.quarantine = quarantine;
        this.tasks = tasks;
        this.local = local;
    }

    /** False if too many wait. Thread-safe. */
    boolean offer(Reload reload) {
        return waiting.offer(reload);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Takes up the next one. */
    void step() throws JournalException {
        Reload reload = waiting.poll();
        if (reload == null) {
            return;
        }
        try {
            reload.answer().complete(takenUp(reload));
        } catch (JournalException e) {
            reload.answer()
                    .complete(new MendAnswer.Busy("the database does not answer: " + e.getMessage(), RETRY_AFTER));
            throw e;
        } catch (RuntimeException e) {
            reload.answer().completeExceptionally(e);
        }
    }

    /** Nothing is taken up here any more. */
    void close(String reason) {
        for (Reload reload = waiting.poll(); reload != null; reload = waiting.poll()) {
            reload.answer().complete(new MendAnswer.Busy(reason, RETRY_AFTER));
        }
    }

    private MendAnswer takenUp(Reload reload) throws JournalException {
        RunKey run = reload.run();
        List<Difference> differences =
                reload.correction().map(Correction::differences).orElse(List.of());
        if (!differences.isEmpty()
                && !parts.projections().correct(lease, reload.correction().orElseThrow())) {
            return new MendAnswer.Busy("the run has moved meanwhile", RETRY_AFTER);
        }
        Optional<StoredRun> stored = Optional.ofNullable(
                parts.journal().load(lease.shard().id(), List.of(run)).get(run));
        if (stored.isEmpty()) {
            return new MendAnswer.Absent();
        }
        RunState state;
        try {
            state = RunRebuild.of(
                            stored.get(),
                            parts.programs(),
                            RunRebuild.Past.of(parts.journal(), lease.shard().id()))
                    .state();
        } catch (CorruptRunException | RuntimeException e) {
            return new MendAnswer.Damaged(String.valueOf(e.getMessage()));
        }
        if (reload.correction().isEmpty() && state.status().isFinal()) {
            return new MendAnswer.Over(state.status());
        }
        Instant now = time.now();
        long nobodys = state.unansweredAttempts().stream()
                .filter(attempt -> !tasks.knows(run, attempt))
                .count();
        long due = state.timers().stream()
                .filter(timer -> !timer.dueAt().isAfter(now))
                .count();
        quarantine.release(run);
        cache.evict(run);
        local.add(CommandWork.continuation(run, parts.clock().now()));
        return new MendAnswer.Mended(state.lastSequence(), differences, (int) nobodys, (int) due);
    }
}
