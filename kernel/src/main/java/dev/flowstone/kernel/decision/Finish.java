package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.Failure;
import dev.flowstone.kernel.state.NodeState;
import java.util.List;
import java.util.Optional;

/**
 * The end of a run: when nothing in it is alive (R7) and every attempt that was handed out has answered or passed its
 * timeout (R23).
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
        if (state.hasForwardAttempts() && state.ending() != Ending.KILLED) {
            return false;
        }
        if (Compensating.begins(deciding)) {
            return true;
        }
        if (!state.undoing().isIdle()) {
            return false;
        }
        switch (state.ending()) {
            case ROLLING_BACK -> {
                NodeId mark = state.control().mark();
                if (mark != null) {
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
        Optional<Failure> failure = state.failure();
        if (failure.isPresent()) {
            deciding.emit(
                    new EventBody.RunFailed(failure.get().error(), failure.get().node()));
        } else if (!deciding.offer(new EventBody.RunCompleted(output(deciding)))) {
            deciding.emit(new EventBody.RunCompleted(omitted(state)));
        }
    }

    /** The output of the one node at which a path ended in success; several give an object by node id. */
    private static Payload output(Deciding deciding) {
        Draft state = deciding.state();
        List<NodeId> terminals = state.terminals().values();
        if (terminals.size() == 1) {
            return result(state, terminals.getFirst());
        }
        if (terminals.isEmpty()) {
            return Payload.of(JsonNull.NULL);
        }
        long bytes = 0;
        for (NodeId terminal : terminals) {
            bytes += bytes(result(state, terminal));
            if (bytes > deciding.bounds().eventBytes()) {
                return omitted(state);
            }
        }
        JsonObject.Builder all = JsonObject.builder();
        for (NodeId terminal : terminals) {
            all.put(terminal.value(), RunRoots.value(deciding.env(), result(state, terminal)));
        }
        return Payload.of(all.build());
    }

    private static Payload result(Draft state, NodeId node) {
        NodeState known = state.node(state.topology().place(node));
        return known.result() == null ? Payload.of(JsonNull.NULL) : known.result();
    }

    private static long bytes(Payload payload) {
        return switch (payload) {
            case Payload.Inline inline -> Answers.size(inline.value());
            case Payload.Stored stored -> stored.bytes();
        };
    }

    /** Together they are longer than an event may be; each of them stands in its own node's event. */
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
