package dev.flowstone.dialect.states.lint;

import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.StateDef;
import java.util.ArrayList;
import java.util.List;

/** The steps of a state, and what they do to the world. */
final class Steps {
    private Steps() {}

    static List<At> of(StateDef state) {
        List<At> steps = new ArrayList<>(state.at().list("onEnter"));
        steps.addAll(state.steps());
        steps.addAll(state.at().list("onExit"));
        return steps;
    }

    /** Whether it does something that nothing undoes. */
    static boolean isIrreversible(At step) {
        return step.has("action") && step.flag("sideEffects", true) && !step.has("compensation");
    }
}
