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
import dev.flowstone.kernel.json.JsonCursor;

/**
 * One event's stored form: a canonical JSON object with its kind as {@code type}, the form's version as {@code v}, and
 * the members of its record. A released pair of both keeps its meaning for ever; a new need gets a new version, and a
 * new case beside the old one in {@link #read}.
 */
final class BodyCodec {
    private BodyCodec() {}

    static void write(FrameOutput out, EventBody body) {
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
            case ContinueScheduled _ -> {}
            case IncidentRaised b -> RunForms.write(out, b);
            case RunFailing b -> RunForms.write(out, b);
            case ScopeOpened b -> ScopeForms.write(out, b);
            case ScopeClosed b -> ScopeForms.write(out, b);
            case TokenDiscarded b -> ScopeForms.write(out, b);
            case RunCompleted b -> RunForms.write(out, b);
            case RunFailed b -> RunForms.write(out, b);
            case ControlEvent b -> ControlForms.write(out, b);
            case CompensationEvent b -> CompensationForms.write(out, b);
        }
        out.name("type").string(body.kind());
        out.name("v").number(1);
        if (body instanceof ActivationOpened opened) {
            ActivationForms.writeRest(out, opened);
        }
        if (body instanceof ControlEvent control) {
            ControlForms.writeRest(out, control);
        }
        out.close();
    }

    /** Reads what {@link #write} wrote, in this release or in an earlier one. */
    static EventBody read(JsonCursor at) {
        String kind = at.string("type");
        int version = at.intValue("v");
        return switch (kind + "/" + version) {
            case "RunStarted/1" -> RunForms.started(at);
            case "ActivationOpened/1" -> ActivationForms.opened(at);
            case "TaskScheduled/1" -> TaskForms.scheduled(at);
            case "TaskCompleted/1" -> TaskForms.completed(at);
            case "TaskSkipped/1" -> TaskForms.skipped(at);
            case "TaskFailed/1" -> TaskForms.failed(at);
            case "TaskTimedOut/1" -> TaskForms.timedOut(at);
            case "TaskReturned/1" -> TaskForms.returned(at);
            case "TaskHandedOut/1" -> TaskForms.handedOut(at);
            case "EffectObserved/1" -> TaskForms.observed(at);
            case "ActivationCanceled/1" -> ActivationForms.canceled(at);
            case "ActivationSkipped/1" -> ActivationForms.skipped(at);
            case "Transitioned/1" -> ActivationForms.transitioned(at);
            case "TimerSet/1" -> TimerForms.set(at);
            case "TimerFired/1" -> TimerForms.fired(at);
            case "TimerCanceled/1" -> TimerForms.canceled(at);
            case "ContinueScheduled/1" -> new ContinueScheduled();
            case "IncidentRaised/1" -> RunForms.incident(at);
            case "RunFailing/1" -> RunForms.failing(at);
            case "ScopeOpened/1" -> ScopeForms.opened(at);
            case "ScopeClosed/1" -> ScopeForms.closed(at);
            case "TokenDiscarded/1" -> ScopeForms.discarded(at);
            case "RunCompleted/1" -> RunForms.completed(at);
            case "RunFailed/1" -> RunForms.failed(at);
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
            throw at.fault("no event " + kind + " of version " + version + " is known to this release");
        }
        return body;
    }
}
