package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.ControlEvent.Resolution;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.kernel.state.WorkItem;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A person decides what becomes of what an incident stopped; by what it stopped, whatever its code (R23). */
final class Incidents {
    /** Why a human task or an await fails before anybody has heard of it. */
    private static final Set<String> UNTOLD = Set.of(
            "NO_ASSIGNEE",
            "TOO_MANY_ASSIGNEES",
            "INVALID_ASSIGNEES",
            "TEMPLATE_ERROR",
            "INPUT_TOO_LARGE",
            "INVALID_DURATION",
            "INVALID_KEY");

    private Incidents() {}

    static Optional<Decision.Rejected> retry(Deciding deciding, ControlCommand.RetryIncident command) {
        Incident incident = deciding.state().incidents().get(command.sequence());
        if (incident == null) {
            return unknown(command.sequence());
        }
        Activation failed = failed(deciding.state(), incident);
        Node node = failed == null
                ? null
                : deciding.state().program().node(failed.id().node());
        if (failed != null && node != null && !beginsAgain(deciding, node, failed)) {
            return Controlling.invalid(
                    failed.id() + " has begun and is over: what was said or waited for in it can't be"
                            + " taken back; skip it with an output, or fail it");
        }
        if (failed != null && deciding.state().undoing().isDue(failed.id())) {
            return Controlling.invalid(
                    failed.id() + " has succeeded meanwhile, and its effect is recorded, to be undone"
                            + " with the rest: skip the incident with the output of that, or fail it");
        }
        if (!(node instanceof Node.Task) && command.input().isPresent()) {
            return Optional.of(new Decision.Rejected(
                    RejectionCode.INVALID_COMMAND, "only a task that failed takes another input"));
        }
        if (!resolved(deciding, command.sequence(), Resolution.RETRIED, command.input(), Optional.empty())) {
            return tooLarge(deciding);
        }
        if (failed != null && node instanceof Node.Task task) {
            again(deciding, task, failed, command.input());
        } else if (failed != null && node != null) {
            deciding.within(failed.id());
            deciding.renewing(() -> Opening.begin(deciding, node, failed.id()));
        }
        return Optional.empty();
    }

    static Optional<Decision.Rejected> skip(Deciding deciding, ControlCommand.SkipIncident command) {
        Incident incident = deciding.state().incidents().get(command.sequence());
        if (incident == null) {
            return unknown(command.sequence());
        }
        return resolved(
                        deciding,
                        command.sequence(),
                        Resolution.SKIPPED,
                        Optional.of(command.output()),
                        Optional.empty())
                ? Optional.empty()
                : tooLarge(deciding);
    }

    /** Where it may be handled it becomes a failure with edges; where it was one already, or is none's, the run fails. */
    static Optional<Decision.Rejected> fail(Deciding deciding, ControlCommand.FailIncident command) {
        Draft state = deciding.state();
        Incident incident = state.incidents().get(command.sequence());
        if (incident == null) {
            return unknown(command.sequence());
        }
        boolean handled = incident.parked() instanceof WorkItem.Route && failed(state, incident) == null;
        TaskError error = Answers.bounded(command.error(), deciding.bounds());
        Optional<NodeId> node = node(state, incident);
        if (!resolved(deciding, command.sequence(), Resolution.FAILED, Optional.empty(), Optional.of(error))) {
            return tooLarge(deciding);
        }
        if (!handled) {
            Unhandled.fails(deciding, error, node, incident.parked().scope());
        }
        return Optional.empty();
    }

    /**
     * A task has its attempts, a call can start another child, and what does its work as it begins has done none. People and
     * channels may know of a human task and of an await, unless it failed before it told them.
     */
    private static boolean beginsAgain(Deciding deciding, Node node, Activation failed) {
        return switch (node) {
            case Node.Task _, Node.Call _ -> true;
            case Node.Timer _, Node.Assign _, Node.Emit _, Node.Fork _ -> failed.answer() != null;
            case Node.HumanTask _, Node.Await _ -> failed.answer() != null && UNTOLD.contains(code(deciding, failed));
            case Node.Start _, Node.End _, Node.Choice _, Node.Join _ -> false;
        };
    }

    /** Of the failure that is its newest result; empty if there is none. */
    private static String code(Deciding deciding, Activation failed) {
        Draft state = deciding.state();
        Payload result = state.result(state.topology().place(failed.id().node()), failed.scope());
        return result instanceof Payload.Inline inline
                        && inline.value() instanceof JsonObject failure
                        && failure.get("error") instanceof JsonObject error
                        && error.get("code") instanceof JsonString code
                ? code.value()
                : "";
    }

    private static void again(Deciding deciding, Node.Task task, Activation failed, Optional<Payload> input) {
        int number = failed.attempt() + 1;
        deciding.within(failed.id());
        if (Applying.lacks(deciding, task, failed)) {
            Dispatching.failed(deciding, failed.id(), number, Applying.noDecision(task));
        } else if (input.isEmpty()) {
            Dispatching.anew(deciding, task, failed.id(), number);
        } else if (!deciding.offer(
                new EventBody.TaskScheduled(failed.id(), number, task.handler(), input, task.timeout()))) {
            int bound = deciding.bounds().eventBytes();
            Dispatching.failed(
                    deciding,
                    failed.id(),
                    number,
                    TaskError.of("INPUT_TOO_LARGE", "the input is longer than an event may be: " + bound));
        }
    }

    private static @Nullable Activation failed(Draft state, Incident incident) {
        if (!(incident.parked() instanceof WorkItem.Route route)) {
            return null;
        }
        Activation activation = state.activation(route.activation());
        return activation != null
                        && activation.outcome() != null
                        && activation.outcome().isFailure()
                ? activation
                : null;
    }

    private static Optional<NodeId> node(Draft state, Incident incident) {
        return switch (incident.parked()) {
            case WorkItem.Route route -> Optional.of(route.activation().node());
            case WorkItem.Enter enter ->
                Optional.of(state.topology().place(enter.node()).node().id());
            case WorkItem.Skip skip ->
                Optional.of(state.topology().place(skip.node()).node().id());
            case WorkItem.Fan fan -> Optional.of(fan.fork().node());
            case WorkItem.Fire fire -> Optional.of(fire.fork().node());
            case WorkItem.Exit _, WorkItem.Settle _, WorkItem.Undo _, WorkItem.Release _ -> Optional.empty();
        };
    }

    private static boolean resolved(
            Deciding deciding, long sequence, Resolution how, Optional<Payload> value, Optional<TaskError> error) {
        return deciding.offer(new ControlEvent.IncidentResolved(sequence, how, value, error));
    }

    private static Optional<Decision.Rejected> unknown(long sequence) {
        return Optional.of(new Decision.Rejected(
                RejectionCode.NOT_FOUND, "no incident that event " + sequence + " raised is open"));
    }

    private static Optional<Decision.Rejected> tooLarge(Deciding deciding) {
        return Optional.of(new Decision.Rejected(
                RejectionCode.LIMIT_EXCEEDED,
                "the value is longer than an event may be (" + deciding.bounds().eventBytes() + " bytes)"));
    }
}
