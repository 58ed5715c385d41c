package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Carried;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadSize;
import dev.flowstone.kernel.program.Output;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.state.ChildResult;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.Failure;
import dev.flowstone.kernel.state.NodeState;
import java.util.List;
import java.util.Optional;

/**
 * The end of a run: when nothing in it is alive (R7) and every attempt that was handed out has answered or passed its
 * timeout (R23), and so has every child that it waits for.
 */
final class Finish {
    private Finish() {}

    /** Whether there is work again: what was done is to be undone first, or the run goes on from an earlier point. */
    static boolean goesOn(Deciding deciding) {
        Draft state = deciding.state();
        if (!state.isOver()) {
            return false;
        }
        if (state.ending() != Ending.ROLLING_BACK) {
            Timers.cancel(deciding, Timers.DEADLINE);
        }
        if (state.post().awaitsChildren()) {
            return false;
        }
        if (state.hasForwardAttempts() && state.ending() != Ending.KILLED) {
            return false;
        }
        if (!state.undoing().isIdle()) {
            // What is being undone already is newer than what is still to be (R24).
            return false;
        }
        if (Compensating.begins(deciding)) {
            return true;
        }
        switch (state.ending()) {
            case ROLLING_BACK -> {
                NodeId mark = state.control().mark();
                if (mark != null) {
                    Stopping.releases(deciding, mark);
                    deciding.emit(new ControlEvent.RolledBack(mark));
                }
                return state.hasWork();
            }
            case CANCELING, KILLED -> Stopping.end(deciding);
            case NONE, FAILING, TERMINATING -> end(deciding);
        }
        return false;
    }

    private static void end(Deciding deciding) {
        Draft state = deciding.state();
        Timers.cancel(deciding, Timers.DRAIN);
        Timers.cancel(deciding, Timers.HOLD);
        Optional<Failure> failure = state.failure();
        if (failure.isPresent()) {
            deciding.emit(
                    new EventBody.RunFailed(failure.get().error(), failure.get().node()));
        } else {
            complete(deciding);
        }
    }

    private static void complete(Deciding deciding) {
        if (deciding.state().program().output() instanceof Output.Template template) {
            rendered(deciding, template);
            return;
        }
        Carried output = output(deciding);
        if (deciding.offer(new EventBody.RunCompleted(output.payload()))) {
            deciding.keep(output);
        } else {
            deciding.emit(new EventBody.RunCompleted(omitted(deciding.state())));
        }
    }

    /** A run without the output that its program promises has not succeeded. */
    private static void rendered(Deciding deciding, Output.Template template) {
        deciding.within(0);
        switch (deciding.render(template.value())) {
            case Rendering.Rendered rendered -> {
                try {
                    Carried output = deciding.carry(rendered.value());
                    deciding.emit(new EventBody.RunCompleted(output.payload()));
                    deciding.keep(output);
                } catch (Carried.TooLargeException e) {
                    TaskError error = TaskError.of("OUTPUT_TOO_LARGE", "the run's output holds " + e.getMessage());
                    deciding.emit(new EventBody.RunFailed(error, Optional.empty()));
                }
            }
            case Rendering.Failed failed -> {
                TaskError error = Dispatching.templateError(failed);
                deciding.emit(new EventBody.RunFailed(
                        new TaskError("OUTPUT_TEMPLATE_ERROR", error.message(), error.details()), Optional.empty()));
            }
        }
    }

    /** The output of the one node at which a path ended in success; several give an object by node id. */
    private static Carried output(Deciding deciding) {
        Draft state = deciding.state();
        List<NodeId> terminals = state.terminals().values();
        if (terminals.size() == 1) {
            return Carried.asItIs(result(state, terminals.getFirst()));
        }
        if (terminals.isEmpty()) {
            return Carried.asItIs(Payload.of(JsonNull.NULL));
        }
        long bytes = 0;
        for (NodeId terminal : terminals) {
            bytes += PayloadSize.of(result(state, terminal));
        }
        if (bytes > deciding.bounds().payloadBytes()) {
            return Carried.asItIs(omitted(state));
        }
        JsonObject.Builder all = JsonObject.builder();
        for (NodeId terminal : terminals) {
            all.put(terminal.value(), RunRoots.value(deciding.env(), result(state, terminal)));
        }
        try {
            return deciding.carry(all.build());
        } catch (Carried.TooLargeException e) {
            return Carried.asItIs(omitted(state));
        }
    }

    private static Payload result(Draft state, NodeId node) {
        Place place = state.topology().place(node);
        NodeState known = state.node(place);
        return known.result() == null ? Payload.of(JsonNull.NULL) : ChildResult.output(place.node(), known.result());
    }

    /** Together they are longer than a value may be; each of them stands in its own node's event. */
    private static Payload omitted(Draft state) {
        return Payload.of(JsonObject.builder()
                .put(
                        "omitted",
                        JsonObject.builder()
                                .put("code", "LIMIT_EXCEEDED")
                                .put("nodes", state.terminals().size())
                                .build())
                .build());
    }
}
