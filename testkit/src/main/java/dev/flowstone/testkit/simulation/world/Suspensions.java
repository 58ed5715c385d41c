package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.RunState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * R25: no handler begins under a suspension that its shard has acknowledged. A run's own it acknowledges by the commit that
 * records it, that of a scope under its lease's epoch; and whoever wins a shard knows both from the beginning. What was handed
 * out by a lease that is lost is beyond it. A handler that has begun ends.
 */
final class Suspensions {
    private final World world;
    private final Settings settings;
    private final Map<Term, Long> acknowledged = new HashMap<>();
    private final Map<RunKey, Stop> stopped = new HashMap<>();
    private SettingLog log = SettingLog.EMPTY;

    Suspensions(World world, Settings settings) {
        this.world = world;
        this.settings = settings;
    }

    /** A time for which a shard is somebody's: its lease, however often it was prolonged. */
    private record Term(ShardId shard, long epoch) {
        static Term of(Lease lease) {
            return new Term(lease.shard().id(), lease.epoch());
        }
    }

    /** Who stored a run's suspension, and whether they know that it is stored. */
    private record Stop(Term by, boolean known) {}

    /** Every setting that was ever made. */
    SettingLog log() {
        try {
            log = log.with(settings.after(log.newest(), Integer.MAX_VALUE));
            return log;
        } catch (JournalException e) {
            throw new IllegalStateException("settings in memory can't fail", e);
        }
    }

    /** Whether a suspension that refuses input was ever set for the workflow's runs. */
    boolean mayRefuseStarts(WorkflowId workflow) {
        return log().timeline(World.TENANT, workflow).stream()
                .anyMatch(setting -> setting.mode() == Setting.Mode.SUSPEND
                        && setting.policy().input() == HoldPolicy.InputRule.REJECT);
    }

    /** Somebody has won a shard, and reads before doing anything. */
    void granted(Lease lease) {
        acknowledged.putIfAbsent(Term.of(lease), log().newest());
    }

    void acknowledged(Lease lease, long number) {
        acknowledged.merge(Term.of(lease), number, Math::max);
    }

    /** A run's move is stored. */
    void stored(Lease lease, RunKey run) {
        world.catchUp(run);
        if (world.log(run).state().hold() == Hold.SUSPENDED) {
            stopped.putIfAbsent(run, new Stop(Term.of(lease), false));
        } else {
            stopped.remove(run);
        }
    }

    /** And whoever stored it has been told. */
    void told(Lease lease, Committed committed) {
        Term term = Term.of(lease);
        for (RunKey run : committed.moved()) {
            stopped.computeIfPresent(run, (_, stop) -> stop.by.equals(term) ? new Stop(term, true) : stop);
        }
    }

    /** A handler begins that was handed out under this lease. */
    void begins(Ledger.Effect effect, Lease lease) {
        world.catchUp(effect.run());
        RunLog of = world.log(effect.run());
        Term term = Term.of(lease);
        RunState state = of.state();
        Stop stop = stopped.get(effect.run());
        boolean recorded = stop != null && (stop.by.equals(term) ? stop.known : stop.by.epoch < term.epoch);
        if (recorded || isSuspendedUnrecorded(of, state, acknowledged.getOrDefault(term, 0L))) {
            world.violate(new Violation(
                    "R25",
                    effect.node() + " begins " + effect.activation() + ", attempt " + effect.attempt() + " of "
                            + of.name()
                            + (recorded ? ", which has recorded that it is suspended" : ", whose scope is suspended")
                            + "; its shard knows that, at epoch " + lease.epoch()));
        }
    }

    /** By a setting up to a number that the run has yet to record, unless a suspension or drain of its own counts. */
    private boolean isSuspendedUnrecorded(RunLog of, RunState state, long known) {
        if (known == 0 || !state.heeds()) {
            return false;
        }
        List<Setting> timeline = log().timeline(World.TENANT, state.program().workflow());
        int last = timeline.size();
        while (last > 0 && timeline.get(last - 1).number() > known) {
            last--;
        }
        return last > 0
                && timeline.get(last - 1).number() > state.heeded()
                && timeline.get(last - 1).mode() == Setting.Mode.SUSPEND
                && !hasItsOwn(of);
    }

    private static boolean hasItsOwn(RunLog of) {
        List<Event> events = of.events();
        for (int i = events.size(); i > 0; i--) {
            switch (events.get(i - 1).body()) {
                case ControlEvent.RunSuspended _, ControlEvent.RunDraining _ -> {
                    return true;
                }
                case ControlEvent.RunResumed _ -> {
                    return false;
                }
                default -> {}
            }
        }
        return false;
    }
}
