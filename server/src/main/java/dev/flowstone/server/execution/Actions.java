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
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Programs;
import dev.flowstone.server.execution.Action.Status;
import dev.flowstone.server.execution.ActionPage.AttemptKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Folds a run's events, told in order from the first, into its actions. Keeps those in a window, and of the others only
 * that they began, and what a later attempt repeats. Not thread-safe.
 */
public final class Actions {
    private static final String DELAY = "core.delay";
    private static final String SUBWORKFLOW = "subworkflow";

    private static final TaskError LATE = TaskError.of("TIMEOUT", "the child did not end within the call's timeout");

    private final Programs programs;
    private final ActionPage page;
    private final Map<ActivationId, Payload> inputs = new HashMap<>();

    /** How often each call was made; each of them is an attempt. */
    private final Map<ActivationId, Integer> calls = new HashMap<>();

    private final Set<ActivationId> overdue = new HashSet<>();
    private Optional<Program> program = Optional.empty();

    /**
     * An empty fold.
     *
     * @param programs knows those that the run's events name
     * @param window which actions are kept
     */
    public Actions(Programs programs, Window window) {
        this.programs = requireNonNull(programs);
        this.page = new ActionPage(window);
    }

    /** In the order in which they began. */
    public List<Action> all() {
        return page.all();
    }

    /** Whether there are later ones than those kept. */
    public boolean more() {
        return page.more();
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
            case EventBody.TaskFailed it -> failed(event, it);
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

    /** A call that fails by itself started nobody: it is one more attempt. */
    private void failed(Event event, EventBody.TaskFailed it) {
        int attempt = isCall(it.activation()) ? calls.merge(it.activation(), 1, Integer::sum) : it.attempt();
        end(event, new AttemptKey(it.activation(), attempt), failed(it.settles()), action -> action.with(it.error()));
    }

    private static Status failed(boolean settles) {
        return settles ? Status.FAILED : Status.RETRIABLE_FAILURE;
    }

    private void scheduled(Event event, EventBody.TaskScheduled it) {
        it.input().ifPresent(input -> inputs.put(it.activation(), input));
        begin(
                event,
                new AttemptKey(it.activation(), it.attempt()),
                it.handler().value(),
                Optional.ofNullable(inputs.get(it.activation())));
    }

    private void waits(Event event, ActivationId activation, EventBody.TimerSet it) {
        Payload dueAt = Payload.of(
                JsonObject.builder().put("dueAt", it.dueAt().toString()).build());
        begin(event, new AttemptKey(activation, 1), DELAY, Optional.of(dueAt));
    }

    /** A spawned child is nobody's to wait for: its call is over when it was made. */
    private void called(Event event, MessageEvent.ChildStarted it) {
        Optional<Payload> trigger = Optional.ofNullable(it.input().get("trigger"));
        AttemptKey key = new AttemptKey(it.activation(), calls.merge(it.activation(), 1, Integer::sum));
        overdue.remove(it.activation());
        begin(event, key, SUBWORKFLOW, trigger);
        page.change(key, action -> action.with(it.child()));
        if (!it.awaited()) {
            settle(
                    it.activation(),
                    action -> action.ended(Status.SUCCEEDED, event.header().eventTime()));
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
        page.change(last(call), action -> action.status() == Status.RUNNING ? result.apply(action) : action);
    }

    /** The last attempt at a call. */
    private AttemptKey last(ActivationId call) {
        return new AttemptKey(call, calls.getOrDefault(call, 1));
    }

    private void begin(Event event, AttemptKey key, String type, Optional<Payload> parameters) {
        page.begin(
                key,
                new Action(
                        event.sequence(),
                        key.activation().node().value(),
                        key.activation().visit(),
                        type,
                        Status.RUNNING,
                        key.attempt(),
                        parameters,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(event.header().eventTime()),
                        Optional.empty(),
                        Optional.empty()));
    }

    private void skipped(Event event, ActivationId activation) {
        action(activation)
                .ifPresent(type -> page.begin(
                        new AttemptKey(activation, 1),
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
                                Optional.of(event.header().eventTime()),
                                Optional.empty())));
    }

    private void end(Event event, ActivationId activation, int attempt, Status status, UnaryOperator<Action> result) {
        end(event, isCall(activation) ? last(activation) : new AttemptKey(activation, attempt), status, result);
    }

    /** An attempt may end that never began: its input could not be rendered. */
    private void end(Event event, AttemptKey key, Status status, UnaryOperator<Action> result) {
        if (!inputs.containsKey(key.activation())) {
            action(key.activation()).ifPresent(type -> begin(event, key, type, Optional.empty()));
        }
        page.change(
                key, action -> result.apply(action).ended(status, event.header().eventTime()));
    }

    private void canceled(ActivationId activation, String reason, Instant time) {
        page.change(
                activation,
                action -> action.status() == Status.RUNNING
                        ? action.with(TaskError.of("CANCELED", reason)).ended(Status.FAILED, time)
                        : action);
    }

    /** A wait has no answer of its own: it is over when its node chooses its edges. */
    private void waited(ActivationId activation, Instant time) {
        page.change(new AttemptKey(activation, 1), action -> {
            boolean waits = action.actionType().equals(DELAY) && action.status() == Status.RUNNING;
            return waits ? action.ended(Status.SUCCEEDED, time) : action;
        });
    }

    private boolean isCall(ActivationId activation) {
        return program.isPresent()
                && program.get().has(activation.node())
                && program.get().node(activation.node()) instanceof Node.Call;
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

    /** What is known of an activation is known of it under its new name. */
    private void rename(Map<NodeId, NodeId> names) {
        page.rename(names);
        ActionPage.rename(inputs, activation -> ActionPage.renamed(activation, names));
        ActionPage.rename(calls, activation -> ActionPage.renamed(activation, names));
        Set<ActivationId> late = Set.copyOf(overdue);
        overdue.clear();
        late.forEach(activation -> overdue.add(ActionPage.renamed(activation, names)));
    }
}
