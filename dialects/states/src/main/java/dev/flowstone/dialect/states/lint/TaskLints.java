package dev.flowstone.dialect.states.lint;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.StateDef;
import java.util.Map;

/** Missing compensations and unbounded retries. */
final class TaskLints {
    /** More attempts than that are meant to be without end. */
    private static final int MANY = 100;

    private final Source source;
    private final Faults faults;

    TaskLints(Source source, Faults faults) {
        this.source = source;
        this.faults = faults;
    }

    void run() {
        for (StateDef state : source.states()) {
            for (At step : Steps.of(state)) {
                if (Steps.isIrreversible(step)) {
                    faults.add(
                            Lint.MISSING_COMPENSATION,
                            step.pointer(),
                            "nothing undoes " + Quoted.text(step.text("action").orElse("")) + " in "
                                    + Quoted.text(state.name()) + " if the run is canceled or rolled back",
                            "add \"compensation\", or \"sideEffects\": false if there is nothing to undo");
                }
                retry(step, state.at().has("timeout"));
                step.object("compensation").ifPresent(it -> retry(it, false));
            }
        }
        for (Map.Entry<String, At> each :
                source.workflow().named("compensations").entrySet()) {
            retry(each.getValue(), false);
        }
    }

    private void retry(At at, boolean bounded) {
        at.object("retry").ifPresent(retry -> {
            boolean unlimited = retry.text("attempts").isPresent();
            boolean many = retry.whole("attempts").orElse(0) > MANY;
            if ((unlimited || many) && !bounded) {
                faults.add(
                        Lint.UNBOUNDED_RETRY,
                        retry.pointer("attempts"),
                        unlimited ? "it is tried for ever" : "it is tried more than " + MANY + " times",
                        "give fewer attempts, or the state a timeout");
            }
        });
    }
}
