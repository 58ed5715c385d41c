package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.AggregateEvent;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.event.TimerEvent;

/**
 * What each kind of event does to a state. Total: an event that refers to something unknown changes nothing but the
 * number, hash and time of the last event. What a released kind does never changes; see ADR 0001.
 */
final class Appliers {
    private Appliers() {}

    static void apply(Draft draft, Event event) {
        body(draft, event);
        draft.lastSequence = event.sequence();
        draft.lastHash = event.hash();
        draft.lastEventTime = event.header().eventTime();
    }

    private static void body(Draft draft, Event event) {
        switch (event.body()) {
            case EventBody.RunStarted body -> RunApplier.started(draft, event.header(), body);
            case EventBody.RunFailing body -> RunApplier.failing(draft, body);
            case EventBody.RunCompleted body -> RunApplier.completed(draft, body);
            case EventBody.RunFailed body -> RunApplier.failed(draft, body);
            case EventBody.ContinueScheduled _ -> {}
            case EventBody.WaitDiscounted _ -> draft.waits--;
            case EventBody.IncidentRaised body -> IncidentApplier.raised(draft, event.sequence(), body);
            case EventBody.ActivationOpened body -> ActivationApplier.opened(draft, body);
            case EventBody.ActivationCanceled body -> ActivationApplier.canceled(draft, body);
            case EventBody.ActivationSkipped body -> ActivationApplier.skipped(draft, body);
            case EventBody.Transitioned body -> RoutingApplier.transitioned(draft, body);
            case EventBody.TaskScheduled body -> TaskApplier.scheduled(draft, body);
            case EventBody.TaskCompleted body -> TaskApplier.completed(draft, body);
            case EventBody.TaskSkipped body -> TaskApplier.skipped(draft, body);
            case EventBody.TaskFailed body -> TaskApplier.failed(draft, body);
            case EventBody.TaskTimedOut body -> TaskApplier.timedOut(draft, body);
            case EventBody.TaskReturned body -> TaskApplier.returned(draft, body);
            case EventBody.TaskHandedOut body -> TaskApplier.handedOut(draft, body);
            case EventBody.EffectObserved body -> TaskApplier.observed(draft, body);
            case EventBody.TimerSet body -> TimerApplier.set(draft, body);
            case EventBody.TimerFired body -> TimerApplier.fired(draft, event, body);
            case EventBody.TimerCanceled body -> TimerApplier.canceled(draft, body);
            case EventBody.ScopeOpened body -> ScopeApplier.opened(draft, body);
            case EventBody.ScopeClosed body -> ScopeApplier.closed(draft, body);
            case EventBody.TokenDiscarded body -> ScopeApplier.discarded(draft, body);
            case ForkEvent body -> ForkApplier.apply(draft, body);
            case MessageEvent body -> MessageApplier.apply(draft, body);
            case AggregateEvent _ -> {}
            case HumanEvent body -> HumanApplier.apply(draft, event, body);
            case DataEvent body -> DataApplier.apply(draft, body);
            case ControlEvent body -> ControlApplier.apply(draft, event, body);
            case CompensationEvent body -> UndoingApplier.apply(draft, body);
            case TimerEvent body -> TickApplier.apply(draft, event, body);
        }
    }
}
