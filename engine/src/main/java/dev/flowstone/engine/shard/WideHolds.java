package dev.flowstone.engine.shard;

import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.control.SettingWatch;
import dev.flowstone.engine.journal.HeldRun;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which settings of scopes this shard heeds (R25). It reads them before it does anything, takes up new ones between two
 * rounds, acknowledges them once nothing that they hold is on its way to a handler, and wakes the runs that they let go.
 * Belongs to its shard's loop. Without any setting it costs one comparison a round.
 */
final class WideHolds {
    static final int PAGE = 200;

    private final Lease lease;
    private final SettingWatch watch;
    private final Journal journal;
    private final Clock clock;
    private final Tasks tasks;
    private final ArrayDeque<Work> local;

    private SettingLog log = SettingLog.EMPTY;
    private boolean begun;
    private long acknowledged;

    /** Attempts that were taken back and are not yet, durably. */
    private final List<InFlight.Name> withdrawn = new ArrayList<>(0);

    /** Whether held runs are being looked through: those whose setting has changed after this number, after this run. */
    private boolean looking;

    private long since;
    private Optional<RunKey> after = Optional.empty();

    WideHolds(Lease lease, ShardParts parts, Tasks tasks, ArrayDeque<Work> local) {
        this.lease = lease;
        this.watch = parts.settings();
        this.journal = parts.journal();
        this.clock = parts.clock();
        this.tasks = tasks;
        this.local = local;
    }

    /** What this round's decisions heed. */
    SettingLog log() {
        return log;
    }

    /** The lease had run out and was prolonged: what was set meanwhile is read before anything is decided. */
    void readAgain() {
        begun = false;
    }

    /** Before each round: takes up what is new, and acknowledges what may be. */
    void step() throws JournalException {
        if (!begun) {
            // After the lease was won: what was acknowledged before it is known from here on.
            watch.refresh();
            begun = true;
        }
        if (watch.log() != log) {
            takeUp(watch.log());
        }
        if (mustAcknowledge()) {
            watch.acknowledge(lease, log.newest());
            acknowledged = log.newest();
        }
    }

    private void takeUp(SettingLog newest) {
        long before = log.newest();
        log = newest;
        withdrawn.addAll(tasks.withdraw((run, workflow) -> suspends(run, workflow, before), local));
        since = looking ? Math.min(since, before) : before;
        looking = true;
        after = Optional.empty();
    }

    /** Whether a run was suspended by its scope after a setting. */
    private boolean suspends(RunKey run, WorkflowId workflow, long before) {
        return log.holding(run.tenant(), workflow)
                .filter(setting -> setting.number() > before && setting.mode() == Setting.Mode.SUSPEND)
                .isPresent();
    }

    private boolean mustAcknowledge() {
        withdrawn.removeIf(name -> !tasks.isOpen(name));
        return acknowledged < log.newest() && withdrawn.isEmpty();
    }

    /** Whether a step has something to do. */
    boolean isCalled() {
        return watch.log() != log || mustAcknowledge();
    }

    /** Whether held runs are still to be looked through. */
    boolean hasMore() {
        return looking;
    }

    /** Wakes one more page of held runs that their scope lets do something again; paced by what the shard does besides. */
    void wake() throws JournalException {
        if (!looking || local.size() >= PAGE) {
            return;
        }
        List<HeldRun> page = journal.held(lease.shard().id(), after, PAGE);
        for (HeldRun run : page) {
            if (isLetGo(run)) {
                local.add(CommandWork.continuation(run.key(), clock.now()));
            }
        }
        looking = page.size() == PAGE;
        after = looking ? Optional.of(page.getLast().key()) : Optional.empty();
    }

    /** A run that is held further has nothing to do; what it heeds it records when it is next touched. */
    private boolean isLetGo(HeldRun run) {
        List<Setting> timeline = log.timeline(run.key().tenant(), run.workflow());
        return !timeline.isEmpty()
                && timeline.getLast().number() > since
                && timeline.getLast().mode() != Setting.Mode.SUSPEND;
    }
}
