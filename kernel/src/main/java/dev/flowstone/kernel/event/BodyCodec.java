package dev.flowstone.kernel.event;

import dev.flowstone.kernel.event.EventBody.ActivationCanceled;
import dev.flowstone.kernel.event.EventBody.ActivationOpened;
import dev.flowstone.kernel.event.EventBody.ActivationSkipped;
import dev.flowstone.kernel.event.EventBody.ContinueScheduled;
import dev.flowstone.kernel.event.EventBody.EffectObserved;
import dev.flowstone.kernel.event.EventBody.IncidentRaised;
import dev.flowstone.kernel.event.EventBody.RunCompleted;
import dev.flowstone.kernel.event.EventBody.RunFailed;
import dev.flowstone.kernel.event.EventBody.RunFailing;
import dev.flowstone.kernel.event.EventBody.RunStarted;
import dev.flowstone.kernel.event.EventBody.ScopeClosed;
import dev.flowstone.kernel.event.EventBody.ScopeOpened;
import dev.flowstone.kernel.event.EventBody.TaskCompleted;
import dev.flowstone.kernel.event.EventBody.TaskFailed;
import dev.flowstone.kernel.event.EventBody.TaskHandedOut;
import dev.flowstone.kernel.event.EventBody.TaskReturned;
import dev.flowstone.kernel.event.EventBody.TaskScheduled;
import dev.flowstone.kernel.event.EventBody.TaskSkipped;
import dev.flowstone.kernel.event.EventBody.TaskTimedOut;
import dev.flowstone.kernel.event.EventBody.TimerCanceled;
import dev.flowstone.kernel.event.EventBody.TimerFired;
import dev.flowstone.kernel.event.EventBody.TimerSet;
import dev.flowstone.kernel.event.EventBody.TokenDiscarded;
import dev.flowstone.kernel.event.EventBody.Transitioned;
import dev.flowstone.kernel.event.EventBody.WaitDiscounted;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;

/**
 * One event's stored form: a canonical JSON object with its kind as {@code type}, the form's version as {@code v}, and
 * the members of its record. A released pair of both keeps its meaning for ever; a new need gets a new version, and a
 * new case beside the old one in {@link #read}.
 */
final class BodyCodec {
    private BodyCodec() {}

    static void write(FrameOutput out, EventBody body) {
        if (body instanceof MessageEvent || body instanceof AggregateEvent) {
            value(out, body);
            return;
        }
        out.open();
        switch (body) {
            case RunStarted b -> RunForms.write(out, b);
            case ActivationOpened b -> ActivationForms.write(out, b);
            case TaskScheduled b -> TaskForms.write(out, b);
            case TaskCompleted b -> TaskForms.write(out, b);
            case TaskSkipped b -> TaskForms.write(out, b);
            case TaskFailed b -> TaskForms.write(out, b);
            case TaskTimedOut b -> TaskForms.write(out, b);
            case TaskReturned b -> TaskForms.write(out, b);
            case TaskHandedOut b -> TaskForms.write(out, b);
            case EffectObserved b -> TaskForms.write(out, b);
            case ActivationCanceled b -> ActivationForms.write(out, b);
            case ActivationSkipped b -> ActivationForms.write(out, b);
            case Transitioned b -> ActivationForms.write(out, b);
            case TimerSet b -> TimerForms.write(out, b);
            case TimerFired b -> TimerForms.write(out, b);
            case TimerCanceled b -> TimerForms.write(out, b);
            case ContinueScheduled _, WaitDiscounted _ -> {}
            case IncidentRaised b -> RunForms.write(out, b);
            case RunFailing b -> RunForms.write(out, b);
            case ScopeOpened b -> ScopeForms.write(out, b);
            case ScopeClosed b -> ScopeForms.write(out, b);
            case TokenDiscarded b -> ScopeForms.write(out, b);
            case RunCompleted b -> RunForms.write(out, b);
            case RunFailed b -> RunForms.write(out, b);
            case ForkEvent b -> ForkForms.write(out, b);
            case MessageEvent _, AggregateEvent _ -> throw new IllegalStateException("written above");
            case HumanEvent b -> HumanForms.write(out, b);
            case DataEvent b -> DataForms.write(out, b);
            case ControlEvent b -> ControlForms.write(out, b);
            case CompensationEvent b -> CompensationForms.write(out, b);
            case TimerEvent b -> TimerForms.write(out, b);
        }
        out.name("type").string(body.kind());
        out.name("v").number(version(body));
        if (body instanceof ActivationOpened opened) {
            ActivationForms.writeRest(out, opened);
        }
        if (body instanceof ControlEvent control) {
            ControlForms.writeRest(out, control);
        }
        out.close();
    }

    private static void value(FrameOutput out, EventBody body) {
        JsonObject.Builder members = body instanceof MessageEvent message
                ? MessageForms.members(message)
                : AggregateForms.members((AggregateEvent) body);
        out.value(members.put("type", body.kind()).put("v", 1).build());
    }

    /** The lowest that says all of it, so that what could be said before has the bytes that it had before. */
    private static int version(EventBody body) {
        if (body instanceof ControlEvent.Migrated moved) {
            return moved.visits().isEmpty() ? 1 : 2;
        }
        if (body instanceof EffectObserved observed) {
            return observed.number() == 0 ? 1 : 2;
        }
        if (body instanceof Transitioned transitioned) {
            return transitioned.conditions().stream().anyMatch(it -> it.policy().isPresent()) ? 2 : 1;
        }
        if (!(body instanceof RunStarted started)) {
            return 1;
        }
        if (started.subject().isPresent()) {
            return 3;
        }
        return started.requested().isNothing() ? 1 : 2;
    }

    /** Reads what {@link #write} wrote, in this release or in an earlier one. */
    static EventBody read(JsonCursor at) {
        String kind = at.string("type");
        int version = at.intValue("v");
        return switch (kind + "/" + version) {
            case "RunStarted/1" -> RunForms.started(at);
            case "RunStarted/2" -> RunForms.startedAsRequested(at);
            case "RunStarted/3" -> RunForms.startedAbout(at);
            case "ActivationOpened/1" -> ActivationForms.opened(at);
            case "TaskScheduled/1" -> TaskForms.scheduled(at);
            case "TaskCompleted/1" -> TaskForms.completed(at);
            case "TaskSkipped/1" -> TaskForms.skipped(at);
            case "TaskFailed/1" -> TaskForms.failed(at);
            case "TaskTimedOut/1" -> TaskForms.timedOut(at);
            case "TaskReturned/1" -> TaskForms.returned(at);
            case "TaskHandedOut/1" -> TaskForms.handedOut(at);
            case "EffectObserved/1" -> TaskForms.observed(at);
            case "EffectObserved/2" -> TaskForms.observedOfSeveral(at);
            case "ActivationCanceled/1" -> ActivationForms.canceled(at);
            case "ActivationSkipped/1" -> ActivationForms.skipped(at);
            case "Transitioned/1", "Transitioned/2" -> ActivationForms.transitioned(at);
            case "TimerSet/1" -> TimerForms.set(at);
            case "TimerFired/1" -> TimerForms.fired(at);
            case "TimerCanceled/1" -> TimerForms.canceled(at);
            case "ContinueScheduled/1" -> new ContinueScheduled();
            case "WaitDiscounted/1" -> new WaitDiscounted();
            case "IncidentRaised/1" -> RunForms.incident(at);
            case "RunFailing/1" -> RunForms.failing(at);
            case "ScopeOpened/1" -> ScopeForms.opened(at);
            case "ScopeClosed/1" -> ScopeForms.closed(at);
            case "TokenDiscarded/1" -> ScopeForms.discarded(at);
            case "RunCompleted/1" -> RunForms.completed(at);
            case "RunFailed/1" -> RunForms.failed(at);
            case "ForkOpened/1" -> ForkForms.forkOpened(at);
            case "BranchOpened/1" -> ForkForms.branchOpened(at);
            case "BranchEnded/1" -> ForkForms.branchEnded(at);
            case "BranchesDiscarded/1" -> ForkForms.branchesDiscarded(at);
            case "JoinFired/1" -> ForkForms.joinFired(at);
            case "BranchCanceled/1" -> ForkForms.branchCanceled(at);
            case "BranchKept/1" -> ForkForms.branchKept(at);
            case "ExitFollowed/1" -> ForkForms.exitFollowed(at);
            case "IncidentDiscarded/1" -> ForkForms.incidentDiscarded(at);
            case "MessageReceived/1" -> MessageForms.received(at);
            case "ResourceClaimed/1" -> MessageForms.resourceClaimed(at);
            case "ResourceSettled/1" -> MessageForms.resourceSettled(at);
            case "AwaitOpened/1" -> MessageForms.awaitOpened(at);
            case "SignalAccepted/1" -> MessageForms.signalAccepted(at);
            case "SignalHandedBack/1" -> MessageForms.signalHandedBack(at);
            case "PermitAwaited/1" -> MessageForms.permitAwaited(at);
            case "PermitAcquired/1" -> MessageForms.permitAcquired(at);
            case "PermitGivenBack/1" -> MessageForms.permitGivenBack(at);
            case "PermitLost/1" -> MessageForms.permitLost(at);
            case "AwaitTimedOut/1" -> MessageForms.awaitTimedOut(at);
            case "SignalSent/1" -> MessageForms.signalSent(at);
            case "PermitsReleased/1" -> MessageForms.permitsReleased(at);
            case "ChildStarted/1" -> MessageForms.childStarted(at);
            case "CallTimedOut/1" -> MessageForms.callTimedOut(at);
            case "ChildControlled/1" -> MessageForms.childControlled(at);
            case "ChildEnded/1" -> MessageForms.childEnded(at);
            case "ChildBegun/1" -> MessageForms.childBegun(at);
            case "ParentDetached/1" -> MessageForms.parentDetached(at);
            case "SubscriptionOpened/1" -> AggregateForms.subscriptionOpened(at);
            case "SubscriptionClosed/1" -> AggregateForms.subscriptionClosed(at);
            case "SignalReceived/1" -> AggregateForms.signalReceived(at);
            case "SignalMatched/1" -> AggregateForms.signalMatched(at);
            case "SignalTakenBack/1" -> AggregateForms.signalTakenBack(at);
            case "SignalExpired/1" -> AggregateForms.signalExpired(at);
            case "SignalRefused/1" -> AggregateForms.signalRefused(at);
            case "PermitRequested/1" -> AggregateForms.permitRequested(at);
            case "PermitGranted/1" -> AggregateForms.permitGranted(at);
            case "PermitReleased/1" -> AggregateForms.permitReleased(at);
            case "PermitRequestWithdrawn/1" -> AggregateForms.permitRequestWithdrawn(at);
            case "LeaseExpired/1" -> AggregateForms.leaseExpired(at);
            case "ResourceLinked/1" -> AggregateForms.resourceLinked(at);
            case "ResourceFound/1" -> AggregateForms.resourceFound(at);
            case "HumanTaskOpened/1",
                    "TaskClaimed/1",
                    "ClaimReleased/1",
                    "TaskReassigned/1",
                    "TaskDelegated/1",
                    "HumanDecided/1",
                    "HumanTaskSettled/1",
                    "TaskReminded/1",
                    "TaskEscalated/1",
                    "ReminderFailed/1",
                    "DecisionsVoided/1",
                    "DecisionApplied/1",
                    "AttestationRequested/1",
                    "AttestationGiven/1" -> HumanForms.read(kind, at);
            case "TickPlanned/1" -> TimerForms.planned(at);
            case "SubjectChanged/1", "VariablesSet/1", "ContextPruned/1" -> DataForms.read(kind, at);
            default -> newer(kind, version, at);
        };
    }

    private static EventBody newer(String kind, int version, JsonCursor at) {
        String form = kind + "/" + version;
        EventBody body = ControlForms.read(form, at);
        if (body == null) {
            body = CompensationForms.read(form, at);
        }
        if (body == null) {
            throw UnknownFormException.at(at, "event " + kind, version);
        }
        return body;
    }
}
