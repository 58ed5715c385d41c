package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.TaskError;
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
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Programs;
import dev.flowstone.server.execution.Action.Status;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Folds a run's events, told in order from the first, into its actions. Keeps those that began after a number, at most so
 * many, and of the others only what a later attempt repeats. Not thread-safe.
 */
public final class Actions {
    private static final String DELAY = "core.delay";
    private static final String SUBWORKFLOW = "subworkflow";

    private static final TaskError LATE = TaskError.of("TIMEOUT", "the child did not end within the call's timeout");

    private final Programs programs;
    private final long after;
    private final int limit;
    private final Map<Key, Action> kept = new LinkedHashMap<>();
    private final Map<ActivationId, Payload> inputs = new HashMap<>();
    private final Map<ActivationId, RunId> children = new HashMap<>();
    private final Set<ActivationId> overdue = new HashSet<>();
    private Optional<Program> program = Optional.empty();
    private boolean more;

    /**
     * An empty fold.
     *
     * @param programs knows those that the run's events name
     * @param after number of an event; actions that began later are kept
     */
    public Actions(Programs programs, long after, int limit) {
        this.programs = requireNonNull(programs);
        this.after = after;
        this.limit = limit;
    }

    /** In the order in which they began. */
    public List<Action> all() {
        return List.copyOf(kept.values());
    }

    /** The execution that a subworkflow's action started. */
    public Optional<RunId> child(Action action) {
        return action.actionType().equals(SUBWORKFLOW)
                ? Optional.ofNullable(children.get(new ActivationId(new NodeId(action.nodeId()), action.visit())))
                : Optional.empty();
    }

    /** Whether there are later ones than those kept. */
    public boolean more() {
        return more;
    }

    /** Takes the next event in. */
    public void add(Event event) {
        Instant time = event.header().eventTime();
        switch (event.body()) {
            case EventBody.TaskScheduled it -> scheduled(event, it);
            case EventBody.TaskCompleted it ->
                end(event, it.activation(), it.attempt(), Status.SUCCEEDED, action -> action.with(it.output()));
            case EventBody.TaskSkipped it ->
                end(
                        event,
                        it.activation(),
                        it.attempt(),
                        Status.SKIPPED,
                        action -> action.with(TaskError.of("SKIPPED", it.reason())));
            case EventBody.TaskFailed it ->
                end(event, it.activation(), it.attempt(), failed(it.settles()), action -> action.with(it.error()));
            case EventBody.TaskTimedOut it ->
                end(
                        event,
                        it.activation(),
                        it.attempt(),
                        failed(it.settles()),
                        action ->
                                action.with(TaskError.of("TIMEOUT", "the attempt did not answer within its timeout")));
            case EventBody.EffectObserved it ->
                end(event, it.activation(), it.attempt(), Status.SUCCEEDED, action -> action.with(it.output()));
            case EventBody.ActivationSkipped it -> skipped(event, it.activation());
            case EventBody.ActivationCanceled it -> canceled(it.activation(), it.reason(), time);
            case EventBody.TimerSet it
            when it.purpose() == TimerPurpose.WAIT ->
                it.activation().ifPresent(activation -> waits(event, activation, it));
            case EventBody.Transitioned it -> waited(it.activation(), time);
            case MessageEvent.ChildStarted it -> called(event, it);
            case MessageEvent.ChildEnded it -> answered(it, time);
            case MessageEvent.CallTimedOut it -> late(it, time);
            case EventBody.RunStarted it -> program = programs.find(it.program());
            case ControlEvent.RunReset it -> program = programs.find(it.program());
            case ControlEvent.Migrated it -> {
                program = programs.find(it.to());
                rename(it.nodes());
            }
            case EventBody.ActivationOpened _,
                    EventBody.TaskReturned _,
                    EventBody.TaskHandedOut _,
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
                // No action begins or ends with these.
            }
        }
    }

    private static Status failed(boolean settles) {
        return settles ? Status.FAILED : Status.RETRIABLE_FAILURE;
    }

    private void scheduled(Event event, EventBody.TaskScheduled it) {
        it.input().ifPresent(input -> inputs.put(it.activation(), input));
        begin(
                event,
                it.activation(),
                it.attempt(),
                it.handler().value(),
                Optional.ofNullable(inputs.get(it.activation())));
    }

    private void waits(Event event, ActivationId activation, EventBody.TimerSet it) {
        Payload dueAt = Payload.of(
                JsonObject.builder().put("dueAt", it.dueAt().toString()).build());
        begin(event, activation, 1, DELAY, Optional.of(dueAt));
    }

    /** A spawned child is nobody's to wait for: its call is over when it was made. */
    private void called(Event event, MessageEvent.ChildStarted it) {
        Optional<Payload> trigger = Optional.ofNullable(it.input().get("trigger"));
        begin(event, it.activation(), 1, SUBWORKFLOW, trigger);
        children.put(it.activation(), it.child());
        if (!it.awaited()) {
            settle(it.activation(), action ->
                    action.ended(Status.SUCCEEDED, event.header().eventTime()));
        }
    }

    private void answered(MessageEvent.ChildEnded it, Instant time) {
        if (overdue.contains(it.activation())) {
            settle(it.activation(), action -> action.with(LATE).ended(Status.FAILED, time));
        } else if (it.ended() == Message.Ended.SUCCEEDED) {
            settle(it.activation(), action -> action.with(it.output()).ended(Status.SUCCEEDED, time));
        } else {
            TaskError error = it.error().orElseGet(() -> TaskError.of("CHILD_" + it.ended(), "the child has ended"));
            settle(it.activation(), action -> action.with(error).ended(Status.FAILED, time));
        }
    }

    private void late(MessageEvent.CallTimedOut it, Instant time) {
        switch (it.policy()) {
            case WAIT -> {}
            case COMPLETE_THEN_CANCEL -> overdue.add(it.activation());
            case CASCADE, DETACH, FENCE_PARENT_ONLY, CANCEL_CHILDREN ->
                settle(it.activation(), action -> action.with(LATE).ended(Status.FAILED, time));
        }
    }

    /** What a call that is over hears of its child changes nothing. */
    private void settle(ActivationId call, UnaryOperator<Action> result) {
        kept.computeIfPresent(
                new Key(call, 1), (same, action) -> action.status() == Status.RUNNING ? result.apply(action) : action);
    }

    private void begin(Event event, ActivationId activation, int attempt, String type, Optional<Payload> parameters) {
        keep(
                new Key(activation, attempt),
                new Action(
                        event.sequence(),
                        activation.node().value(),
                        activation.visit(),
                        type,
                        Status.RUNNING,
                        attempt,
                        parameters,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(event.header().eventTime()),
                        Optional.empty()));
    }

    private void skipped(Event event, ActivationId activation) {
        action(activation)
                .ifPresent(type -> keep(
                        new Key(activation, 1),
                        new Action(
                                event.sequence(),
                                activation.node().value(),
                                activation.visit(),
                                type,
                                Status.SKIPPED,
                                1,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(event.header().eventTime()))));
    }

    /** An attempt may end that never began: its input could not be rendered. */
    private void end(Event event, ActivationId activation, int attempt, Status status, UnaryOperator<Action> result) {
        Key key = new Key(activation, attempt);
        if (!kept.containsKey(key) && event.sequence() > after && !inputs.containsKey(activation)) {
            action(activation).ifPresent(type -> begin(event, activation, attempt, type, Optional.empty()));
        }
        kept.computeIfPresent(
                key,
                (same, action) ->
                        result.apply(action).ended(status, event.header().eventTime()));
    }

    private void canceled(ActivationId activation, String reason, Instant time) {
        kept.replaceAll((key, action) -> key.activation().equals(activation) && action.status() == Status.RUNNING
                ? action.with(TaskError.of("CANCELED", reason)).ended(Status.FAILED, time)
                : action);
    }

    /** A wait has no answer of its own: it is over when its node chooses its edges. */
    private void waited(ActivationId activation, Instant time) {
        kept.computeIfPresent(new Key(activation, 1), (same, action) -> {
            boolean waits = action.actionType().equals(DELAY) && action.status() == Status.RUNNING;
            return waits ? action.ended(Status.SUCCEEDED, time) : action;
        });
    }

    private void keep(Key key, Action action) {
        if (action.sequence() <= after || kept.containsKey(key)) {
            return;
        }
        if (kept.size() == limit) {
            more = true;
            return;
        }
        kept.put(key, action);
    }

    /** What a node's work is called; nothing for nodes that no author wrote. */
    private Optional<String> action(ActivationId activation) {
        if (program.isEmpty() || !program.get().has(activation.node())) {
            return Optional.empty();
        }
        return switch (program.get().node(activation.node())) {
            case Node.Task task -> Optional.of(task.handler().value());
            case Node.Timer _ -> Optional.of(DELAY);
            case Node.Call _ -> Optional.of(SUBWORKFLOW);
            case Node.Start _,
                    Node.End _,
                    Node.HumanTask _,
                    Node.Choice _,
                    Node.Assign _,
                    Node.Fork _,
                    Node.Join _,
                    Node.Await _,
                    Node.Emit _ -> Optional.empty();
        };
    }

    /** What has begun goes on under the new name; what is over keeps the name that it had. */
    private void rename(Map<NodeId, NodeId> names) {
        Map<Key, Action> before = new LinkedHashMap<>(kept);
        kept.clear();
        before.forEach((key, action) -> {
            NodeId name = names.get(key.activation().node());
            if (name == null || action.status() != Status.RUNNING) {
                kept.put(key, action);
            } else {
                ActivationId moved = new ActivationId(name, key.activation().visit());
                kept.put(new Key(moved, key.attempt()), action.renamed(name.value()));
                RunId child = children.remove(key.activation());
                if (child != null) {
                    children.put(moved, child);
                }
            }
        });
    }

    private record Key(ActivationId activation, int attempt) {}
}
