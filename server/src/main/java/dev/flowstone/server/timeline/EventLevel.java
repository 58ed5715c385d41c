package dev.flowstone.server.timeline;

import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.event.TimerEvent;
import dev.flowstone.kernel.message.Message;

/** How much an event matters to who looks for what went wrong (dataflow.md §3.3). A view of the event: nothing is stored. */
public enum EventLevel {
    /** The engine's own bookkeeping. */
    DEBUG("Debug"),
    INFO("Info"),
    /** Not as hoped, and the run goes on, or somebody wanted it so. */
    WARN("Warn"),
    /** Something has failed for good. */
    ERROR("Error");

    private final String word;

    EventLevel(String word) {
        this.word = word;
    }

    /** As the specification calls it. */
    public String word() {
        return word;
    }

    public static EventLevel of(Event event) {
        return switch (event.body()) {
            case EventBody.RunFailing _, EventBody.RunFailed _, EventBody.IncidentRaised _ -> ERROR;
            case CompensationEvent.CompensationFailed _ -> ERROR;
            case EventBody.TaskFailed it -> it.settles() ? ERROR : WARN;
            case EventBody.TaskTimedOut it -> it.settles() ? ERROR : WARN;
            case MessageEvent.ChildEnded it -> it.ended() == Message.Ended.SUCCEEDED ? INFO : ERROR;
            case EventBody.Transitioned it ->
                it.conditions().stream().anyMatch(condition -> condition.error().isPresent()) ? WARN : INFO;
            case TimerEvent.TickPlanned it -> it.missed() > 0 ? WARN : DEBUG;
            case EventBody.TaskReturned _,
                    EventBody.EffectObserved _,
                    EventBody.ActivationCanceled _,
                    ForkEvent.IncidentDiscarded _,
                    HumanEvent.ReminderFailed _,
                    HumanEvent.DecisionsVoided _,
                    DataEvent.ContextPruned _,
                    MessageEvent.CallTimedOut _,
                    MessageEvent.AwaitTimedOut _,
                    MessageEvent.PermitLost _,
                    ControlEvent.BufferedInputRefused _,
                    ControlEvent.RunCanceling _,
                    ControlEvent.RunCanceled _,
                    ControlEvent.RunTerminating _,
                    ControlEvent.RunTerminated _ -> WARN;
            case EventBody.ActivationOpened _,
                    EventBody.TaskHandedOut _,
                    EventBody.TimerCanceled _,
                    EventBody.ContinueScheduled _,
                    EventBody.WaitDiscounted _,
                    EventBody.ScopeOpened _,
                    EventBody.ScopeClosed _,
                    EventBody.TokenDiscarded _,
                    MessageEvent.MessageReceived _ -> DEBUG;
            default -> INFO;
        };
    }
}
