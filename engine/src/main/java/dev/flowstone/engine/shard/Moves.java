package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.Snapshot;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a turn's move, with a snapshot when one is due. */
final class Moves {
    /** Bytes of a snapshot that costs next to nothing. */
    private static final int SMALL = 16 << 10;

    /**
     * Never due, and no timer of the kernel's: it stands among a run's timers as long as the run is suspended, so that whoever
     * delivers its messages finds that out.
     */
    static final TimerId SUSPENDED = new TimerId("suspended");

    private final ShardConfig config;

    Moves(ShardConfig config) {
        this.config = config;
    }

    /** The move of a turn that has entries. */
    RunMove of(Turn turn) {
        RunState state = turn.state();
        List<TimerRow> set = new ArrayList<>(turn.timers.size());
        List<TimerId> gone = new ArrayList<>(turn.timers.size());
        for (Map.Entry<TimerId, Turn.TimerFate> timer : turn.timers.entrySet()) {
            Turn.TimerFate fate = timer.getValue();
            if (fate.dueAt().isPresent()) {
                set.add(new TimerRow(
                        turn.key,
                        timer.getKey(),
                        fate.generation(),
                        fate.dueAt().get()));
            } else {
                gone.add(timer.getKey());
            }
        }
        mark(turn, set, gone);
        List<HumanTaskRow> open = new ArrayList<>(0);
        List<ActivationId> over = new ArrayList<>(0);
        for (ActivationId activation : turn.asked) {
            HumanTasks.row(state, activation).ifPresentOrElse(open::add, () -> over.add(activation));
        }
        boolean awake = Projected.isAwake(state);
        RunState before = turn.base().state();
        boolean newProgram = before.lastSequence() > 0
                && (!before.programHash().equals(state.programHash()) || before.version() != state.version());
        return new RunMove(
                turn.key,
                state.program().workflow(),
                state.version(),
                state.programHash(),
                state.correlation(),
                turn.base().state().lastSequence(),
                turn.entries,
                state.status(),
                awake,
                state.lastEventTime(),
                set,
                gone,
                snapshot(turn, awake),
                turn.receipts,
                turn.payloads,
                turn.posts.messages(turn.canceled),
                turn.letters,
                open,
                over,
                newProgram,
                Windows.row(turn.base().state(), state));
    }

    /**
     * With a run's next message also takes away a mark that may have been left behind: a node of a release before V21 that resumes
     * a run knows of none, and messages would wait for ever. One of a run that has ended holds nothing, and isn't looked for: that
     * would cost every run a row that isn't there.
     */
    private static void mark(Turn turn, List<TimerRow> set, List<TimerId> gone) {
        boolean before = turn.base().state().hold() == Hold.SUSPENDED;
        boolean after = turn.state().hold() == Hold.SUSPENDED;
        if (after && !before) {
            set.add(new TimerRow(turn.key, SUSPENDED, 1, Times.LAST));
        } else if (!after && (before || !turn.posts.isEmpty())) {
            gone.add(SUSPENDED);
        }
    }

    private Optional<Snapshot> snapshot(Turn turn, boolean awake) {
        RunState state = turn.state();
        if (state.status().isFinal() && !awake) {
            return Optional.empty();
        }
        CachedRun base = turn.base();
        long events = state.lastSequence() - base.snapshotSequence();
        // As much log as the last one had pays for the next; less, where the state has shrunk since. A run with
        // thousands of
        // tasks open goes quiet after each answer: only a small state is written each time.
        long due = Math.min(base.snapshotBytes(), state.weight());
        boolean grown = events >= config.snapshotEvents() && tailBytes(turn) >= due;
        boolean quiet = !awake && events >= config.quietEvents() && due <= SMALL;
        if (!grown && !quiet) {
            return Optional.empty();
        }
        return Optional.of(new Snapshot(state.lastSequence(), CanonicalJson.exact(Kernel.snapshot(state))));
    }

    /** The run as it is cached once its move has been stored. */
    static CachedRun moved(Turn turn, RunMove move) {
        if (move.snapshot().isPresent()) {
            Snapshot snapshot = move.snapshot().get();
            return new CachedRun(turn.state(), turn.base().programs(), snapshot.sequence(), snapshot.bytes().length, 0);
        }
        CachedRun base = turn.base();
        return new CachedRun(
                turn.state(), base.programs(), base.snapshotSequence(), base.snapshotBytes(), tailBytes(turn));
    }

    private static long tailBytes(Turn turn) {
        long bytes = turn.base().tailBytes();
        for (JournalEntry entry : turn.entries) {
            bytes += entry.bytes().length;
        }
        return bytes;
    }
}
