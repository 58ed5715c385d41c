package dev.flowstone.server.execution;

import dev.flowstone.dialect.drawing.NodeStatus;
import dev.flowstone.dialect.drawing.RunOverlay;
import dev.flowstone.kernel.event.AggregateEvent;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.TimerPurpose;
import dev.flowstone.kernel.event.ForkEvent;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.event.TimerEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Folds a run's events, told in order, into how far it has come with each node, for a drawing. Not thread-safe. */
public final class Progress {
    private final Map<NodeId, NodeStatus> nodes = new HashMap<>();
    private final Set<EdgeId> taken = new HashSet<>();

    public RunOverlay overlay() {
        return new RunOverlay(nodes, taken);
    }

    /** Takes the next event in. */
    public void add(Event event) {
        switch (event.body()) {
            case EventBody.ActivationOpened it -> set(it.activation(), NodeStatus.RUNNING);
            case EventBody.TaskScheduled it -> set(it.activation(), NodeStatus.RUNNING);
            case EventBody.TaskCompleted it -> set(it.activation(), NodeStatus.SUCCEEDED);
            case EventBody.TaskSkipped it -> set(it.activation(), NodeStatus.SKIPPED);
            case EventBody.TaskFailed it -> set(it.activation(), failed(it.settles()));
            case EventBody.TaskTimedOut it -> set(it.activation(), failed(it.settles()));
            case EventBody.ActivationCanceled it -> set(it.activation(), NodeStatus.CANCELED);
            case EventBody.ActivationSkipped it -> set(it.activation(), NodeStatus.SKIPPED);
            case EventBody.TimerSet it
            when it.purpose() == TimerPurpose.WAIT ->
                it.activation().ifPresent(activation -> set(activation, NodeStatus.WAITING));
            case HumanEvent.HumanTaskOpened it -> set(it.activation(), NodeStatus.WAITING);
            case EventBody.Transitioned it -> {
                // A node without work of its own, such as the start or a wait, settles by choosing its edges.
                nodes.computeIfPresent(
                        it.activation().node(),
                        (node, status) -> status == NodeStatus.RUNNING || status == NodeStatus.WAITING
                                ? NodeStatus.SUCCEEDED
                                : status);
                taken.addAll(it.taken());
            }
            case ForkEvent.ForkOpened it -> set(it.fork(), NodeStatus.WAITING);
            case ControlEvent.Migrated it -> rename(it.nodes());
            case EventBody.RunStarted _,
                    EventBody.TaskReturned _,
                    EventBody.TaskHandedOut _,
                    EventBody.EffectObserved _,
                    EventBody.TimerSet _,
                    EventBody.TimerFired _,
                    EventBody.TimerCanceled _,
                    EventBody.ContinueScheduled _,
                    EventBody.WaitDiscounted _,
                    EventBody.IncidentRaised _,
                    EventBody.RunFailing _,
                    EventBody.ScopeOpened _,
                    EventBody.ScopeClosed _,
                    EventBody.TokenDiscarded _,
                    EventBody.RunCompleted _,
                    EventBody.RunFailed _,
                    ForkEvent _,
                    MessageEvent _,
                    AggregateEvent _,
                    HumanEvent _,
                    DataEvent _,
                    ControlEvent _,
                    CompensationEvent _,
                    TimerEvent _ -> {
                // Nothing that a drawing shows.
            }
        }
    }

    private void rename(Map<NodeId, NodeId> names) {
        Map<NodeId, NodeStatus> before = Map.copyOf(nodes);
        names.keySet().forEach(nodes::remove);
        names.forEach((old, now) -> {
            NodeStatus status = before.get(old);
            if (status != null) {
                nodes.put(now, status);
            }
        });
    }

    private static NodeStatus failed(boolean settles) {
        return settles ? NodeStatus.FAILED : NodeStatus.WAITING;
    }

    private void set(ActivationId activation, NodeStatus status) {
        nodes.put(activation.node(), status);
    }
}
