package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.program.Place;
import java.util.List;
import java.util.Optional;

/** What operators' events do to a state. */
final class ControlApplier {
    private ControlApplier() {}

    static void apply(Draft draft, Event event, ControlEvent control) {
        switch (control) {
            case ControlEvent.RunSuspended body -> HoldApplier.suspended(draft, body);
            case ControlEvent.RunDraining body -> HoldApplier.draining(draft, body);
            case ControlEvent.RunResumed _ -> HoldApplier.lifted(draft);
            case ControlEvent.HoldImposed body -> HoldApplier.imposed(draft, body);
            case ControlEvent.HoldLifted body -> HoldApplier.lifted(draft, body);
            case ControlEvent.HoldWaived _ -> HoldApplier.waived(draft);
            case ControlEvent.InputBuffered body -> HoldApplier.buffered(draft, body);
            case ControlEvent.BufferedInputTaken body -> HoldApplier.taken(draft, event.header(), body);
            case ControlEvent.BufferedInputRefused _, ControlEvent.TimerForced _ -> {}
            case ControlEvent.TimerFrozen body -> HoldApplier.frozen(draft, body);
            case ControlEvent.ActivationParked body -> HoldApplier.parked(draft, body);
            case ControlEvent.ActivationReleased body -> HoldApplier.released(draft, body);
            case ControlEvent.RunCanceling body ->
                canceling(draft, new Canceling(body.reason(), body.undoes(), body.supersededBy()));
            case ControlEvent.RunTerminating body -> killed(draft, body);
            case ControlEvent.RunCanceled _ -> over(draft, RunStatus.CANCELED);
            case ControlEvent.RunTerminated _ -> over(draft, RunStatus.TERMINATED);
            case ControlEvent.RollbackBegan body -> rollback(draft, body);
            case ControlEvent.RolledBack body -> rolledBack(draft, body);
            case ControlEvent.IncidentResolved body -> ResolvedIncident.apply(draft, body);
            case ControlEvent.Migrated body -> MigrationApplier.migrated(draft, event.header(), body);
            case ControlEvent.RunReset body -> ResetApplier.reset(draft, event.header(), body);
        }
    }

    /** Whatever holds the run is over, and what stood still is forgotten; what was buffered is still decided. */
    private static void canceling(Draft draft, Canceling why) {
        draft.status = RunStatus.CANCELING;
        draft.ending = Ending.CANCELING;
        draft.undoing = draft.undoing.due(why.undoes() ? ScopeInstance.ROOT : Undoing.NOBODY);
        draft.control = draft.control.canceling(why);
        HoldApplier.lifted(draft);
        IncidentApplier.release(draft);
    }

    private static void killed(Draft draft, ControlEvent.RunTerminating body) {
        canceling(draft, new Canceling(body.reason(), false, Optional.empty()));
        draft.ending = Ending.KILLED;
    }

    /** Only what people are asked for outlives the run. */
    private static void over(Draft draft, RunStatus status) {
        draft.status = status;
        draft.attempts = SortedTree.empty();
        UndoingApplier.forget(draft);
    }

    private static void rollback(Draft draft, ControlEvent.RollbackBegan body) {
        draft.status = RunStatus.COMPENSATING;
        draft.ending = Ending.ROLLING_BACK;
        draft.control = draft.control.mark(body.mark());
        IncidentApplier.release(draft);
    }

    /** Nodes that were completed after the mark were never completed, as far as a later rollback is concerned. */
    private static void rolledBack(Draft draft, ControlEvent.RolledBack body) {
        draft.status = RunStatus.RUNNING;
        draft.ending = Ending.NONE;
        draft.control = draft.control.mark(null);
        Place place = draft.topology.find(body.mark().value());
        if (place == null) {
            return;
        }
        LongMap<Mark> all = draft.undoing.marks();
        Mark mark = all.get(place.number());
        if (mark != null) {
            LongMap<Mark> kept = all;
            for (long node = all.firstKey(); node >= 0; node = all.nextKey(node)) {
                Mark other = all.get(node);
                if (other != null && other.sequence() >= mark.sequence()) {
                    kept = kept.without(node);
                }
            }
            draft.undoing = draft.undoing.marks(kept);
        }
        Queue.push(draft, new WorkItem.Enter(ScopeInstance.ROOT, place.number(), List.of()));
    }
}
