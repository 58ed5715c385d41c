package dev.flowstone.dialect.states.compile;

import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Body;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.kernel.id.NodeId;
import java.util.List;

/**
 * The names of a state's nodes. What does its work is named like the state itself, so that its output is
 * {@code context.data['state']}; what stands around it has a slash in its name, which no state's name has.
 */
public final class Ids {
    private Ids() {}

    static NodeId of(StateDef state, String part) {
        return new NodeId(state.name() + "/" + part);
    }

    static NodeId body(StateDef state) {
        return new NodeId(state.name());
    }

    /** Whether its timeout takes a timer beside it; waits, calls and acquisitions have their own. */
    static boolean timed(StateDef state) {
        boolean own = state.body() == Body.WAIT || state.body() == Body.CALL || state.body() == Body.ACQUIRE;
        boolean alone = state.at().list("onEnter").isEmpty() && !state.at().has("recheck");
        return state.at().has("timeout") && !(own && alone);
    }

    /** The first node of a state. */
    public static NodeId entry(StateDef state) {
        At at = state.at();
        if (at.has("policies")) {
            return of(state, "policy");
        }
        if (at.has("concurrency")) {
            return of(state, "limit");
        }
        if (at.has("semaphore")) {
            return of(state, "acquire");
        }
        return timed(state) ? of(state, "timed") : inside(state);
    }

    /** The first node inside of what its timer watches. */
    static NodeId inside(StateDef state) {
        List<At> enter = state.at().list("onEnter");
        return enter.isEmpty() ? bodyEntry(state) : step(state, "enter", 0, enter.getFirst());
    }

    static NodeId bodyEntry(StateDef state) {
        return switch (state.body()) {
            case TASKS ->
                state.steps().size() > 1 ? step(state, "task", 0, state.steps().getFirst()) : body(state);
            case PARALLEL, FOR_EACH -> fork(state, 0);
            case HUMAN, WAIT, SEND, CALL, TIMER, ASSIGN, ACQUIRE, RELEASE, END, CHOICE -> body(state);
        };
    }

    static NodeId step(StateDef state, String part, int index, At step) {
        return step.text("id").map(NodeId::new).orElseGet(() -> of(state, part + "/" + index));
    }

    static NodeId fork(StateDef state, int phase) {
        return of(state, phase == 0 ? "fork" : "fork/" + (phase + 1));
    }

    /** The join of a phase; the last one's is the state itself. */
    static NodeId join(StateDef state, int phase, int phases) {
        return phase == phases - 1 ? body(state) : of(state, "barrier/" + (phase + 1));
    }
}
