package dev.flowstone.testkit.scenario.step;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.Attempt;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.testkit.scenario.check.Observed;
import java.util.List;
import java.util.Optional;

/** Finds what a step names: {@code review#2} is one visit, {@code review} the newest. */
final class Activations {
    private Activations() {}

    static RunId id(Observed run) throws StepException {
        return run.state().map(RunState::run).orElseThrow(() -> new StepException("the run was never started"));
    }

    static ActivationId find(Observed run, String name) throws StepException {
        if (name.indexOf('#') >= 0) {
            try {
                return ActivationId.parse(name);
            } catch (IllegalArgumentException e) {
                throw new StepException(String.valueOf(e.getMessage()));
            }
        }
        List<ActivationId> visits = run.all(EventBody.ActivationOpened.class)
                .map(EventBody.ActivationOpened::activation)
                .filter(it -> it.node().value().equals(name))
                .toList();
        if (visits.isEmpty()) {
            throw new StepException("nobody has come to '" + name + "' yet");
        }
        return visits.getLast();
    }

    /** The number of the activation's open attempt, or of its last one. */
    static int attempt(Observed run, ActivationId activation) throws StepException {
        Optional<Integer> open = run.state().stream()
                .flatMap(it -> it.openAttempts().stream())
                .filter(it -> it.activation().equals(activation))
                .map(Attempt::attempt)
                .findFirst();
        return open.or(() -> run.all(EventBody.TaskScheduled.class)
                        .filter(it -> it.activation().equals(activation))
                        .map(EventBody.TaskScheduled::attempt)
                        .reduce((_, last) -> last))
                .orElseThrow(() -> new StepException(activation + " was never tried"));
    }
}
