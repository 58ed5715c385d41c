package dev.flowstone.dialect.states.lint;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.dialect.states.model.Transition;
import java.util.List;

/** Outcomes whose transitions may all be false: then the run stops with an incident. */
final class ElseLint {
    private final Source source;
    private final Faults faults;

    ElseLint(Source source, Faults faults) {
        this.source = source;
        this.faults = faults;
    }

    void run() {
        for (StateDef state : source.states()) {
            for (String outcome : state.outcomes()) {
                List<Transition> ways = state.ways(outcome);
                boolean open = !ways.isEmpty()
                        && ways.stream().allMatch(it -> it.when().isPresent());
                if (open && !state.at().has("recheck")) {
                    faults.add(
                            Lint.MISSING_ELSE,
                            ways.getLast().pointer(),
                            "if no condition holds when the outcome of " + Quoted.text(state.name()) + " is "
                                    + Quoted.text(outcome) + ", nothing leads on",
                            "add \"next\" or an \"else\" transition, or \"recheck\" if it shall wait");
                }
            }
        }
    }
}
